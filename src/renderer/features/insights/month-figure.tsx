import { Skeleton } from '@mantine/core';
import { formatCount, formatCountOf } from '../../../rules/count.ts';
import { localDayOf } from '../../../rules/days.ts';
import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { Condition, Group } from '../../../rules/query.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Hint } from '../../components/text.tsx';
import { monthsInput } from '../../domain/claim/plan-year-sums.ts';
import { figures } from '../../domain/figure/figures.ts';
import { type ConditionLabels, useOpenList } from '../../domain/list/use-open-list.ts';
import { useDeskQuery } from '../../lib/desk-query.ts';
import { monthNames } from '../../lib/format-date.ts';
import { sayNotCounted } from '../../lib/format-money.ts';
import { useNow } from '../../lib/use-now.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { BarFigure } from './bar-figure.tsx';
import { countLeftOut, heightOf, labelOf, type Measure, measureOf } from './insight-plan.ts';
import styles from './insights.module.css';

/** Amounts by month of service beside the same months a year before. `year` is null for the last twelve months. */
export function MonthFigure(props: {
  measure: Measure;
  year: number | null;
  conditions: readonly Condition[];
  labels: ConditionLabels;
}) {
  const workspace = useWorkspace();
  const { measure, year, conditions } = props;
  const open = useOpenList();
  const today = localDayOf(useNow());
  const answer = useDeskQuery('records:group', monthsInput(workspace.id, conditions), {
    keepsPrevious: true,
  });
  const groups = answer.data?.groups ?? [];
  const rows = monthRows(groups, monthsShown(year, today));
  const names = year === null ? ['Year before', 'Last 12 months'] : [String(year - 1), String(year)];
  const bar = (name: string, group: Group | null) => {
    const figure = group === null ? null : measureOf(group.totals, measure);
    return {
      name,
      height: heightOf(figure, measure),
      text:
        group === null
          ? 'No claims'
          : measure === 'count'
            ? formatCount(group.totals.count)
            : [formatTenThousandths(figure), sayNotCounted(countLeftOut([group], measure))]
                .filter(Boolean)
                .join(', '),
      onOpen:
        group === null ? null : () => open('claims', [...conditions, ...group.conditions], props.labels),
    };
  };
  const positions = rows.map(({ label, now, before }) => ({
    label: year === null ? label : label.slice(0, 3),
    bars: [bar(names[0] ?? '', before), bar(names[1] ?? '', now)],
  }));
  const undated = groups.find(({ value }) => value === null)?.totals.count ?? 0;
  const hasAny = rows.some(({ now, before }) => now !== null || before !== null);
  const instead =
    answer.error !== null ? (
      <ErrorNotice error={answer.error} title="Couldn’t load this chart" onRetry={answer.refetch} />
    ) : answer.isPending ? (
      <Skeleton height={220} />
    ) : hasAny ? undefined : (
      <Hint>No claims in these two years.</Hint>
    );
  return (
    <div className={styles.whole}>
      <BarFigure
        title={`${labelOf(measure)} by month of service`}
        head="Month"
        names={names}
        positions={positions}
        isMoney={measure !== 'count'}
        instead={instead}
        foot={
          <div className={styles.foot}>
            <span>
              {figures.byMonth.holds} Recent months are still filling up: claims arrive after the day of
              service.
            </span>
            {undated > 0 && (
              <button
                type="button"
                className={styles.value}
                onClick={() =>
                  open(
                    'claims',
                    [...conditions, { field: 'date_of_service.month', operator: 'isEmpty', values: [] }],
                    props.labels,
                  )
                }
              >
                Not shown: {formatCountOf(undated, 'claim')} without a service date
              </button>
            )}
          </div>
        }
      />
    </div>
  );
}

/** A month of the chart with the same month a year before. */
interface MonthRow {
  /** `2026-11` */
  readonly month: string;
  readonly monthBefore: string;
  /** `Nov 2026` */
  readonly label: string;
  /** null: no claim began in it. */
  readonly now: Group | null;
  readonly before: Group | null;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** The twelve months of a year, or the twelve that end with today's, oldest first. `today` is `YYYY-MM-DD`. */
export function monthsShown(year: number | null, today: string): readonly string[] {
  const [thisYear = 0, thisMonth = 1] = today.split('-').map(Number);
  const last = year === null ? thisYear * 12 + thisMonth - 1 : year * 12 + 11;
  return Array.from({ length: 12 }, (_, at) => {
    const index = last - 11 + at;
    return `${Math.floor(index / 12)}-${two((index % 12) + 1)}`;
  });
}

/** Puts groups by month beside those of the year before. */
export function monthRows(groups: readonly Group[], months: readonly string[]): MonthRow[] {
  const byMonth = new Map(groups.map((group) => [String(group.value), group]));
  return months.map((month) => {
    const [year = '', number = ''] = month.split('-');
    const monthBefore = `${Number(year) - 1}-${number}`;
    return {
      month,
      monthBefore,
      label: `${(monthNames[Number(number) - 1] ?? '').slice(0, 3)} ${year}`,
      now: byMonth.get(month) ?? null,
      before: byMonth.get(monthBefore) ?? null,
    };
  });
}
