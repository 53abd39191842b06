import { Button, NativeSelect, Text } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import type { Condition } from '../../../contract/query.ts';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { DerivedBadge } from '../../domain/claim/claim-sums.tsx';
import { NothingYet } from '../../domain/list/nothing-yet.tsx';
import { useIncompleteNotice } from '../../domain/list/use-incomplete-notice.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { useNow } from '../../lib/use-now.ts';
import { useRemembered } from '../../lib/use-remembered.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { InsightChart } from './insight-chart.tsx';
import { groupInput, type InsightPlan, insightPlans, type Measure, measures } from './insight-plan.ts';
import styles from './insights-page.module.css';

const everything = 'all';
const statusPlan = insightPlans.find(({ by }) => by === 'status') as InsightPlan;
const nameOf = ({ id, name }: { id: number; name: string | null }) => name ?? `Employer ${id}`;

/** Sums of claims by month, provider, status, type, network and employer. */
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
  const conditions: Condition[] = [
    ...(chosen === undefined
      ? []
      : [{ field: 'members.employer.id', operator: 'is' as const, values: [chosen.id] }]),
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
  // The same request as its chart's: every claim is in a group, even without a status, so no group means no claim.
  const byStatus = useDeskQuery('records:group', groupInput(workspace.id, statusPlan, measure, conditions), {
    keepsPrevious: true,
  });
  return (
    <Page
      title="Insights"
      documentTitle="Insights"
      beside={<DerivedBadge />}
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
      {employers.error !== null && (
        <ErrorNotice
          error={employers.error}
          title="Couldn’t load employers"
          action={<RetryButton onRetry={() => void employers.refetch()} />}
        />
      )}
      {partial !== null && (
        <Text size="sm" c="dimmed" role="status">
          {partial}
        </Text>
      )}
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
          {insightPlans.map((plan) => (
            <InsightChart
              key={plan.by}
              workspace={workspace}
              plan={plan}
              measure={measure}
              conditions={conditions}
              labels={labels}
            />
          ))}
        </div>
      )}
    </Page>
  );
}
