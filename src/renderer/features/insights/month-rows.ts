import type { Group } from '../../../contract/query.ts';
import { monthNames } from '../../lib/format-date.ts';

/** A month of the chart with the same month a year before. */
export interface MonthRow {
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
