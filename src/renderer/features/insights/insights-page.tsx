import { Button, NativeSelect, Skeleton } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { ageRanges } from '../../../rules/age-ranges.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { Condition } from '../../../rules/query.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { figures, notAnAccumulator } from '../../domain/figure/figures.ts';
import { NothingYet } from '../../domain/list/nothing-yet.tsx';
import { useIncompleteNotice } from '../../domain/list/use-incomplete-notice.ts';
import { type ConditionLabels, useOpenList } from '../../domain/list/use-open-list.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { deskQuery, useDeskQuery, useWorkspaceQuery } from '../../lib/desk-query.ts';
import { sayNotCounted } from '../../lib/format-money.ts';
import { useNow } from '../../lib/use-now.ts';
import { useRemembered } from '../../lib/use-remembered.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { BarFigure } from './bar-figure.tsx';
import {
  countLeftOut,
  type Measure,
  measures,
  rankingPlans,
  statusInput,
  sumOfGroups,
} from './insight-plan.ts';
import styles from './insights.module.css';
import { MonthFigure } from './month-figure.tsx';
import { Ranking } from './ranking.tsx';

/** Claims that the carrier has not processed, by age. Claims of all years, because old ones matter most. */
function PendingFigure(props: { conditions: readonly Condition[]; labels: ConditionLabels }) {
  const workspace = useWorkspace();
  const { conditions } = props;
  const bridge = useBridge();
  const open = useOpenList();
  const ages = ageRanges(localDayOf(useNow())).map(({ label, conditions: ageConditions }) => ({
    label,
    conditions: [...figures.pendingByAge.counts, ...ageConditions],
  }));
  const answers = useQueries({
    queries: ages.map((age) =>
      deskQuery(bridge, 'records:group', statusInput(workspace.id, [...conditions, ...age.conditions])),
    ),
  });
  const failed = answers.find(({ error }) => error !== null);
  const counts = answers.map(({ data }) =>
    (data?.groups ?? []).reduce((sum, { totals }) => sum + totals.count, 0),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  const groups = answers.flatMap(({ data }) => data?.groups ?? []);
  const billed = sumOfGroups(groups, 'billed');
  const leftOut = sayNotCounted(countLeftOut(groups, 'billed'));
  const positions = ages
    .map(({ label, conditions: ageConditions }, at) => {
      const count = counts[at] ?? 0;
      return {
        label,
        bars: [
          {
            name: 'Claims',
            height: count,
            text: formatCount(count),
            onOpen:
              count === 0 ? null : () => open('claims', [...conditions, ...ageConditions], props.labels),
          },
        ],
      };
    })
    // The group without a date is shown only if it has claims.
    .filter((_place, at) => at < ages.length - 1 || (counts[at] ?? 0) > 0);
  const instead =
    failed !== undefined ? (
      <ErrorNotice
        error={failed.error}
        title="Couldn’t load this chart"
        onRetry={() => {
          for (const answer of answers) void answer.refetch();
        }}
      />
    ) : answers.some(({ isPending }) => isPending) ? (
      <Skeleton height={220} />
    ) : total === 0 ? (
      <Hint>No claims are pending.</Hint>
    ) : undefined;
  return (
    <BarFigure
      title={figures.pendingByAge.name}
      head="Since last day of service"
      names={['Claims']}
      positions={positions}
      isMoney={false}
      instead={instead}
      foot={
        <div className={styles.foot}>
          <span>{figures.pendingByAge.holds}</span>
          <span className={styles.sum}>
            {formatCountOf(total, 'claim')} · {formatTenThousandths(billed)} billed
            {leftOut !== null && `, ${leftOut}`}
          </span>
        </div>
      }
    />
  );
}

const everything = 'all';
const nameOf = ({ id, name }: { id: number; name: string | null }) => name ?? `Employer ${id}`;

/** Shows monthly claim costs, claims waiting at the carrier, why some were rejected, and where money goes. */
export function InsightsPage() {
  const workspace = useWorkspace();
  const [measure, setMeasure] = useRemembered<Measure>(`insights ${workspace.id} figure`, 'paid');
  const [employer, setEmployer] = useRemembered(`insights ${workspace.id} employer`, everything);
  const [year, setYear] = useRemembered(`insights ${workspace.id} year`, everything);
  const summary = useWorkspaceQuery('records:getSummary');
  const employers = useWorkspaceQuery('records:listEmployers');
  const partial = useIncompleteNotice();
  const thisYear = useNow().getFullYear();
  const chosen = employers.data?.employers.find(({ id }) => String(id) === employer);
  const ofEmployer: Condition[] =
    chosen === undefined ? [] : [{ field: 'members.employer.id', operator: 'is', values: [chosen.id] }];
  const conditions: Condition[] = [
    ...ofEmployer,
    ...(year === everything
      ? []
      : [
          {
            field: 'date_of_service.first_day',
            operator: 'between' as const,
            values: [`${year}-01-01`, `${year}-12-31`],
          },
        ]),
  ];
  const labels = chosen === undefined ? [] : [['members.employer.id', chosen.id, nameOf(chosen)] as const];
  // Every claim is in a group, even without a status, so no group means no claim.
  const byStatus = useDeskQuery('records:group', statusInput(workspace.id, conditions), {
    keepsPrevious: true,
  });
  const claims = (byStatus.data?.groups ?? []).reduce((sum, { totals }) => sum + totals.count, 0);
  return (
    <Page
      title="Insights"
      documentTitle="Insights"
      actions={
        <div className={styles.filters}>
          <NativeSelect
            size="xs"
            aria-label="Figure"
            data={[...measures]}
            value={measure}
            onChange={(event) => setMeasure(event.currentTarget.value as Measure)}
          />
          <NativeSelect
            size="xs"
            aria-label="Employer"
            data={[
              { value: everything, label: 'All employers' },
              ...(employers.data?.employers ?? []).map((listedEmployer) => ({
                value: String(listedEmployer.id),
                label: nameOf(listedEmployer),
              })),
            ]}
            value={employer}
            onChange={(event) => setEmployer(event.currentTarget.value)}
          />
          <NativeSelect
            size="xs"
            aria-label="Year of service"
            data={[
              { value: everything, label: 'All years' },
              ...Array.from({ length: 6 }, (_, back) => String(thisYear - back)),
            ]}
            value={year}
            onChange={(event) => setYear(event.currentTarget.value)}
          />
        </div>
      }
    >
      <ErrorNotice error={employers.error} title="Couldn’t load employers" onRetry={employers.refetch} />
      {partial !== null && <Hint role="status">{partial}</Hint>}
      {summary.data?.claims === 0 ? (
        <NothingYet many="claims" />
      ) : byStatus.data?.total === 0 && conditions.length > 0 ? (
        <EmptyState
          icon={<IconChartBar size={34} stroke={1.4} />}
          title="No claims match"
          text="No claims match all of these:"
          items={[
            ...(chosen === undefined ? [] : [`Employer is ${nameOf(chosen)}`]),
            ...(year === everything ? [] : [`Year of service is ${year}`]),
          ]}
          action={
            <Button
              onClick={() => {
                setEmployer(everything);
                setYear(everything);
              }}
            >
              Show all claims
            </Button>
          }
        />
      ) : (
        <div className={styles.charts}>
          <MonthFigure
            measure={measure}
            year={year === everything ? null : Number(year)}
            conditions={ofEmployer}
            labels={labels}
          />
          <PendingFigure conditions={ofEmployer} labels={labels} />
          {rankingPlans.map((plan) => (
            <Ranking
              key={plan.by}
              plan={plan}
              measure={measure}
              conditions={conditions}
              labels={labels}
              claims={claims}
            />
          ))}
        </div>
      )}
      <SmallPrint>{notAnAccumulator}</SmallPrint>
    </Page>
  );
}
