import { Skeleton, Text } from '@mantine/core';
import { formatCount } from '../../../rules/count.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { Condition, Group } from '../../../rules/query.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Section } from '../../components/page.tsx';
import { Hint } from '../../components/text.tsx';
import { groupName } from '../../domain/list/describe-group.ts';
import { type ConditionLabels, useOpenList } from '../../domain/list/use-open-list.ts';
import { isMaskedAtDesk } from '../../lib/desk-mask.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { sayNotCounted } from '../../lib/format-money.ts';
import { useDeskMode } from '../../lib/use-desk-mode.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import {
  barLengths,
  countLeftOut,
  hasDoubleCounts,
  labelOf,
  type Measure,
  maxRanked,
  measureOf,
  type RankingPlan,
  rankingInput,
  sumOfGroups,
} from './insight-plan.ts';
import styles from './insights.module.css';

/** The longest value of a condition; a group with a longer one cannot be opened. */
const maxValueLength = 500;

/** The largest groups as a table with bars: a name that opens exactly its claims, a bar, the figure in digits. */
export function Ranking(props: {
  plan: RankingPlan;
  measure: Measure;
  conditions: readonly Condition[];
  labels: ConditionLabels;
  /** How many claims the filters of the page leave. */
  claims: number;
}) {
  const workspace = useWorkspace();
  const { plan } = props;
  const measure = plan.measure ?? props.measure;
  const { figure } = plan;
  const conditions = [...props.conditions, ...figure.counts];
  const open = useOpenList();
  const desk = useDeskMode();
  const isHidden = desk.isOn && isMaskedAtDesk(plan.by);
  const answer = useDeskQuery('records:group', rankingInput(workspace.id, plan, measure, props.conditions), {
    keepsPrevious: true,
    enabled: !isHidden,
  });
  const format = (figure: bigint | null) =>
    measure === 'count' ? formatCount(Number(figure ?? 0)) : formatTenThousandths(figure);
  const allGroups = answer.data?.groups ?? [];
  const groups = allGroups.slice(0, maxRanked);
  const figures = groups.map(({ totals }) => measureOf(totals, measure));
  const lengths = barLengths(figures);
  const total = answer.data?.total ?? 0;
  const openGroup = (group: Group, name: string) => {
    const [groupCondition] = group.conditions;
    const value = groupCondition?.values[0];
    const label =
      groupCondition === undefined || typeof value !== 'number'
        ? []
        : [[groupCondition.field, value, name] as const];
    open('claims', [...conditions, ...group.conditions], [...props.labels, ...label]);
  };
  if (isHidden) {
    return (
      <Section title={figure.name}>
        <Hint>Hidden in privacy mode.</Hint>
      </Section>
    );
  }
  return (
    <Section title={figure.name}>
      <ErrorNotice error={answer.error} title="Couldn’t load this chart" onRetry={answer.refetch} />
      {answer.isPending && <Skeleton height={160} />}
      {answer.data !== undefined && groups.length === 0 && <Hint>No claims to show.</Hint>}
      {groups.length > 0 && (
        <>
          <table
            className={`${styles.table} ${plan.hasLongNames === true ? styles.long : ''}`}
            aria-label={figure.name}
          >
            <thead>
              <tr>
                <th>{plan.head}</th>
                <td />
                <th className={styles.number}>{labelOf(measure)}</th>
                {measure !== 'count' && <th className={styles.number}>Claims</th>}
              </tr>
            </thead>
            <tbody>
              {groups.map((group, index) => {
                const name = groupName(plan.by, group.value, group.label);
                const ownFigure = figures[index] ?? null;
                const canOpen = String(group.value).length <= maxValueLength;
                return (
                  <tr key={String(group.value)}>
                    <td className={styles.name}>
                      {canOpen ? (
                        <button
                          type="button"
                          className={styles.value}
                          title={name}
                          onClick={() => openGroup(group, name)}
                        >
                          {name}
                        </button>
                      ) : (
                        <Text size="sm" truncate title={name}>
                          {name}
                        </Text>
                      )}
                    </td>
                    <td className={styles.bars} aria-hidden>
                      <span
                        className={`${styles.bar} ${ownFigure !== null && ownFigure < 0n ? styles.credit : ''}`}
                        style={{ width: `${lengths[index] ?? 0}%` }}
                      />
                    </td>
                    <td className={styles.number}>
                      {[format(ownFigure), sayNotCounted(countLeftOut([group], measure))]
                        .filter(Boolean)
                        .join(', ')}
                    </td>
                    {measure !== 'count' && (
                      <td className={styles.number}>{formatCount(group.totals.count)}</td>
                    )}
                  </tr>
                );
              })}
            </tbody>
          </table>
          <div className={styles.foot}>
            <span>{figure.holds}</span>
            {total > groups.length && (
              <span>
                Top {groups.length} of {formatCount(total)}
              </span>
            )}
            {hasDoubleCounts(allGroups, props.claims) ? (
              <span>Claims with two employers count in both</span>
            ) : (
              <span className={styles.sum}>
                {[
                  `${total > groups.length ? 'Shown' : 'Total'}: ${format(sumOfGroups(groups, measure))}`,
                  sayNotCounted(countLeftOut(groups, measure)),
                ]
                  .filter(Boolean)
                  .join(', ')}
              </span>
            )}
          </div>
        </>
      )}
    </Section>
  );
}
