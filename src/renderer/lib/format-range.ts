import type { DateRange } from '../../contract/records.ts';
import { type DaySpan, daysOf, hasKnownBounds, readDays } from '../../rules/date-range.ts';
import { formatDay } from '../../rules/days.ts';
import { formatDateField } from './format-date.ts';
import { noValue } from './format-money.ts';

/** First and last day for a cell: a single day is shown once, and so is a common year. */
function formatDays({ first, last }: DaySpan): string {
  if (first === null) return last === null ? noValue : `through ${formatDay(last)}`;
  if (last === null) return `from ${formatDay(first)}`;
  if (first === last) return formatDay(first);
  const isSameYear = first.slice(0, 4) === last.slice(0, 4);
  return `${isSameYear ? formatDay(first).slice(0, 5) : formatDay(first)} – ${formatDay(last)}`;
}

/** The cell of a list's date range. */
export function formatDaysCell(cell: unknown): string {
  const days = typeof cell === 'string' ? readDays(cell) : null;
  return days === null ? noValue : formatDays(days);
}

/**
 * A record's range: its days, with a mark where the bounds were not reported. A range without days, or an unreadable
 * one, is shown as it was sent.
 */
export function formatRange(range: DateRange | null | undefined): string {
  if (range === null || range === undefined) return noValue;
  if (!range.start && !range.end) return noValue;
  const days = daysOf(range);
  if (days === null) return `as sent: ${formatAsSent(range)}`;
  const isSure = hasKnownBounds(range) || days.first === days.last;
  return isSure ? formatDays(days) : `${formatDays(days)} (as sent)`;
}

function formatAsSent(range: DateRange): string {
  const [from, to] = range.bounds?.length === 2 ? [range.bounds.charAt(0), range.bounds.charAt(1)] : ['', ''];
  return `${from}${formatDateField(range.start)}, ${formatDateField(range.end)}${to}`;
}
