import type { DateRange } from '../../contract/records.ts';
import { addDays, formatDateField, formatDay, isMidnight, parseMoment } from './format-date.ts';
import { noValue } from './format-money.ts';

/** A date range as people mean it: both days belong to it; null is open. */
export type InclusiveDays = { readonly first: string | null; readonly last: string | null };

/**
 * Turns PostgreSQL's bounds into first and last day: `[2025-09-15,2025-09-16)` is one day. Null where that
 * cannot be said: a time of day, an unreadable end, or bounds that are none (field-notes §2).
 */
export function toInclusiveDays(range: DateRange): InclusiveDays | null {
  const isOneDay = Boolean(range.start) && range.start === range.end;
  const bounds = range.bounds ?? (isOneDay ? '[]' : '');
  if (!/^[[(][\])]$/.test(bounds)) return null;
  const first = toDay(range.start, bounds[0] === '(' ? 1 : 0);
  const last = toDay(range.end, bounds[1] === ')' ? -1 : 0);
  return first === undefined || last === undefined ? null : { first, last };
}

function toDay(value: string | null | undefined, shift: number): string | null | undefined {
  if (value === null || value === undefined || value === '') return null;
  const moment = parseMoment(value);
  if (moment === null || !isMidnight(moment)) return undefined;
  return addDays(moment.day, shift);
}

/**
 * The range in words for a cell. One day is shown once; a year said twice is said once; a range that holds
 * no day says so instead of showing a wrong one.
 */
export function formatRange(range: DateRange | null | undefined): string {
  if (range === null || range === undefined) return noValue;
  if (!range.start && !range.end) return noValue;
  const days = toInclusiveDays(range);
  if (days === null) return formatAsSent(range);
  const { first, last } = days;
  if (first === null) return last === null ? noValue : `through ${formatDay(last)}`;
  if (last === null) return `from ${formatDay(first)}`;
  if (first === last) return formatDay(first);
  if (last < first) return `no day (${formatAsSent(range)})`;
  const isSameYear = first.slice(0, 4) === last.slice(0, 4);
  return `${isSameYear ? formatDay(first).slice(0, 5) : formatDay(first)} – ${formatDay(last)}`;
}

function formatAsSent(range: DateRange): string {
  const ends = [formatDateField(range.start), formatDateField(range.end)];
  if (!range.bounds) return `${ends.join(' – ')} (bounds not given)`;
  return `${range.bounds.charAt(0)}${ends.join(', ')}${range.bounds.slice(1)}`;
}

/** The flat columns of a row, put together again as the range they came from. */
export function rangeOfRow(row: Readonly<Record<string, unknown>>): DateRange {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    bounds: text(row['date_of_service.bounds']),
    start: text(row['date_of_service.start']),
    end: text(row['date_of_service.end']),
  };
}
