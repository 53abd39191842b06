import { Button, NativeSelect } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import type { Condition } from '../../../rules/query.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Hint, SmallPrint } from '../../components/text.tsx';
import { notAnAccumulator } from '../../domain/figure/figures.ts';
import { NothingYet } from '../../domain/list/nothing-yet.tsx';
import { useIncompleteNotice } from '../../domain/list/use-incomplete-notice.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { useRemembered } from '../../lib/use-remembered.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { type Measure, measures, rankingPlans, statusInput } from './insight-plan.ts';
import styles from './insights.module.css';
import { MonthFigure } from './month-figure.tsx';
import { PendingFigure } from './pending-figure.tsx';
import { Ranking } from './ranking.tsx';

const everything = 'all';
const nameOf = ({ id, name }: { id: number; name: string | null }) => name ?? `Employer ${id}`;

/** What claims cost by month, which wait at the carrier, why some were rejected, and where the money goes. */
export function InsightsPage() {
  const workspace = useWorkspace();
  const [measure, setMeasure] = useRemembered<Measure>(`insights ${workspace.id} figure`, 'paid');
  const [employer, setEmployer] = useRemembered(`insights ${workspace.id} employer`, everything);
  const [year, setYear] = useRemembered(`insights ${workspace.id} year`, everything);
  const summary = useDeskQuery('records:getSummary', { workspaceId: workspace.id });
  const employers = useDeskQuery('records:listEmployers', { workspaceId: workspace.id });
  const partial = useIncompleteNotice(workspace);
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
      beside={<SmallPrint>{notAnAccumulator}</SmallPrint>}
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
              ...(employers.data?.employers ?? []).map((one) => ({
                value: String(one.id),
                label: nameOf(one),
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
        <NothingYet workspace={workspace} many="claims" />
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
            workspace={workspace}
            measure={measure}
            year={year === everything ? null : Number(year)}
            conditions={ofEmployer}
            labels={labels}
          />
          <PendingFigure workspace={workspace} conditions={ofEmployer} labels={labels} />
          {rankingPlans.map((plan) => (
            <Ranking
              key={plan.by}
              workspace={workspace}
              plan={plan}
              measure={measure}
              conditions={conditions}
              labels={labels}
              claims={claims}
            />
          ))}
        </div>
      )}
    </Page>
  );
}
