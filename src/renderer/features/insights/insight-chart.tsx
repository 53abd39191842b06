import { Skeleton, Text } from '@mantine/core';
import type { Condition, Group } from '../../../contract/query.ts';
import type { Workspace } from '../../../contract/workspace.ts';
import { ErrorNotice, RetryButton } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { groupName } from '../../domain/list/describe-group.ts';
import { useOpenList } from '../../domain/list/use-open-list.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { formatTenThousandths } from '../../lib/format-money.ts';
import { formatCount } from '../../lib/format-value.ts';
import styles from './insight-chart.module.css';
import {
  barLengths,
  groupInput,
  type InsightPlan,
  type Measure,
  measureOf,
  measures,
  sumOfGroups,
} from './insight-plan.ts';

/**
 * One chart that is also a table: a name, a bar, the figure in digits. Each name opens exactly the claims behind the
 * figure.
 */
export function InsightChart(props: {
  workspace: Workspace;
  plan: InsightPlan;
  measure: Measure;
  conditions: readonly Condition[];
  labels: readonly (readonly [string, number, string])[];
}) {
  const { workspace, plan, measure, conditions } = props;
  const open = useOpenList(workspace.id);
  const isByValue = plan.order === 'value';
  const answer = useDeskQuery('records:group', groupInput(workspace.id, plan, measure, conditions), {
    keepsPrevious: true,
  });
  const format = (figure: bigint | null) =>
    measure === 'count' ? formatCount(Number(figure ?? 0)) : formatTenThousandths(figure);
  const groups = answer.data?.groups ?? [];
  const figures = groups.map(({ totals }) => measureOf(totals, measure));
  const lengths = barLengths(figures);
  const total = answer.data?.total ?? 0;
  const openGroup = (group: Group, name: string) => {
    const [own] = group.conditions;
    const value = own?.values[0];
    const label = own === undefined || typeof value !== 'number' ? [] : [[own.field, value, name] as const];
    open('claims', [...conditions, ...group.conditions], [...props.labels, ...label]);
  };
  return (
    <Section title={plan.title}>
      {answer.error !== null && (
        <ErrorNotice
          error={answer.error}
          title="Couldn’t load this chart"
          action={<RetryButton onRetry={() => void answer.refetch()} />}
        />
      )}
      {answer.isPending && <Skeleton height={160} />}
      {answer.data !== undefined && groups.length === 0 && (
        <Text size="sm" c="dimmed">
          No claims to show.
        </Text>
      )}
      {groups.length > 0 && (
        <>
          <table className={styles.table} aria-label={plan.title}>
            <thead>
              <tr>
                <th>{plan.head}</th>
                <td />
                <th className={styles.number}>{measures.find(({ value }) => value === measure)?.label}</th>
                {measure !== 'count' && <th className={styles.number}>Claims</th>}
              </tr>
            </thead>
            <tbody>
              {groups.map((group, index) => {
                const name = groupName(plan.by, group.value, group.label);
                const figure = figures[index] ?? null;
                return (
                  <tr key={String(group.value)}>
                    <td className={styles.name}>
                      <button
                        type="button"
                        className={styles.value}
                        title={`Show claims: ${name}`}
                        onClick={() => openGroup(group, name)}
                      >
                        {name}
                      </button>
                    </td>
                    <td className={styles.bars} aria-hidden>
                      <span
                        className={`${styles.bar} ${figure !== null && figure < 0n ? styles.credit : ''}`}
                        style={{ width: `${lengths[index] ?? 0}%` }}
                      />
                    </td>
                    <td className={styles.number}>{format(figure)}</td>
                    {measure !== 'count' && (
                      <td className={styles.number}>{formatCount(group.totals.count)}</td>
                    )}
                  </tr>
                );
              })}
            </tbody>
          </table>
          <div className={styles.foot}>
            {total > groups.length && (
              <span>
                {isByValue ? `Latest ${groups.length}` : `Top ${groups.length}`} of {formatCount(total)}{' '}
                {isByValue ? ' months' : ''}
              </span>
            )}
            <span className={styles.sum}>
              {plan.by.startsWith('members.')
                ? 'Claims with two employers count in both'
                : `${total > groups.length ? 'Shown' : 'Total'}: ${format(sumOfGroups(groups, measure))}`}
            </span>
          </div>
        </>
      )}
    </Section>
  );
}
