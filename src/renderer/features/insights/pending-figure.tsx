import { Skeleton } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import type { Workspace } from '../../../contract/workspace.ts';
import { ageRanges } from '../../../rules/age-ranges.ts';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import { formatTenThousandths } from '../../../rules/money/dollars.ts';
import type { Condition } from '../../../rules/query.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Hint } from '../../components/text.tsx';
import { figures } from '../../domain/figure/figures.ts';
import { type ConditionLabels, useOpenList } from '../../domain/list/use-open-list.ts';
import { useBridge } from '../../lib/desk-context.tsx';
import { deskQuery } from '../../lib/desk-query.ts';
import { sayNotCounted } from '../../lib/format-money.ts';
import { useNow } from '../../lib/use-now.ts';
import { BarFigure } from './bar-figure.tsx';
import { countLeftOut, statusInput, sumOfGroups } from './insight-plan.ts';
import styles from './insights.module.css';

/** Claims that the carrier has not processed, by age. Claims of all years, because old ones matter most. */
export function PendingFigure(props: {
  workspace: Workspace;
  conditions: readonly Condition[];
  labels: ConditionLabels;
}) {
  const { workspace, conditions } = props;
  const bridge = useBridge();
  const open = useOpenList(workspace.id);
  const ages = ageRanges(localDayOf(useNow())).map(({ label, conditions: own }) => ({
    label,
    conditions: [...figures.pendingByAge.counts, ...own],
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
    .map(({ label, conditions: own }, at) => {
      const count = counts[at] ?? 0;
      return {
        label,
        bars: [
          {
            name: 'Claims',
            height: count,
            text: formatCount(count),
            onOpen: count === 0 ? null : () => open('claims', [...conditions, ...own], props.labels),
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
