import { addDays, isMidnight, parseMoment } from './days.ts';
import type { Operator } from './query.ts';

/** A date range as the service sends it: any part may be missing, null, or of any type. */
export interface SentRange {
  readonly start?: unknown;
  readonly end?: unknown;
  readonly bounds?: unknown;
}

/** The first and the last day of a range, both included. Null is an open end; never both. */
export interface DaySpan {
  readonly first: string | null;
  readonly last: string | null;
}

const spellings: ReadonlySet<unknown> = new Set(['[]', '[)', '(]', '()']);

/** Whether the bounds are one of PostgreSQL's four. */
export const hasKnownBounds = (range: SentRange): boolean => spellings.has(range.bounds);

/**
 * The first and the last day of a range as PostgreSQL defines it (docs/service.md, "Lists and values"):
 * `[2025-08-13, 2025-08-20)` is 13 to 19 August. Every list, filter, sum, file and rule uses this function, so that
 * they agree.
 *
 * - A null, missing or blank start or end is an open end.
 * - Unknown bounds are read as `[]`: one day too many is found by a search, one too few is missed.
 * - A date-time at midnight counts as its date; at another time its day belongs to the range.
 * - Null, which sorts and filters as blank: nothing was sent, an end is no date, or the range has no day (its end is
 *   before its start, or `[x, x)`).
 */
export function daysOf(range: SentRange): DaySpan | null {
  const bounds = hasKnownBounds(range) ? String(range.bounds) : '[]';
  const first = readEnd(range.start, bounds.startsWith('(') ? 1 : 0);
  const last = readEnd(range.end, bounds.endsWith(')') ? -1 : 0);
  if (first === undefined || last === undefined || (first === null && last === null)) return null;
  return first !== null && last !== null && last < first ? null : { first, last };
}

/** Null is an open end, undefined one that can't be read. */
function readEnd(sent: unknown, shift: number): string | null | undefined {
  if (sent === null || sent === undefined || sent === '') return null;
  // A text that begins with blanks is not a date: filters compare the text as sent, before it is read.
  const moment = typeof sent === 'string' && /^\d/.test(sent) ? parseMoment(sent) : null;
  if (moment === null) return undefined;
  return shift === 0 || !isMidnight(moment) ? moment.day : (addDays(moment.day, shift) ?? undefined);
}

const open = '..';

/**
 * A range as the cell of a list: an ISO 8601 interval of its first and last day, `2025-08-13/2025-08-19`, with
 * `..` for an open end. Such texts sort by first day, then last day, and an open start comes before every day.
 */
export const writeDays = ({ first, last }: DaySpan): string => `${first ?? open}/${last ?? open}`;

/** Reads what `writeDays` wrote; null for anything else. */
export function readDays(text: string): DaySpan | null {
  const [, first, last] = /^(\d{4}-\d{2}-\d{2}|\.\.)\/(\d{4}-\d{2}-\d{2}|\.\.)$/.exec(text) ?? [];
  if (first === undefined || last === undefined || (first === open && last === open)) return null;
  return { first: first === open ? null : first, last: last === open ? null : last };
}

/** The operators that a filter on a date range accepts. */
export const rangeOperators = [
  'between',
  'is',
  'isNot',
  'lessThan',
  'atMost',
  'atLeast',
  'moreThan',
  'isEmpty',
  'isNotEmpty',
] as const satisfies readonly Operator[];
export type RangeOperator = (typeof rangeOperators)[number];

export const isRangeOperator = (operator: Operator): operator is RangeOperator =>
  (rangeOperators as readonly Operator[]).includes(operator);

/**
 * Whether a range meets a condition. `is` and `between` hold if they have a day in common with it; before and after are
 * about the whole range, so that an open end is never before or after anything. `from` and `to` are days; with an
 * operator that has one value, `to` equals `from`.
 */
export function matchesDays(
  days: DaySpan | null,
  operator: RangeOperator,
  from: string,
  to: string,
): boolean {
  if (operator === 'isEmpty') return days === null;
  if (days === null) return operator === 'isNot';
  const { first, last } = days;
  switch (operator) {
    case 'isNotEmpty':
      return true;
    case 'is':
    case 'between':
      return hasDayBetween(days, from, to);
    case 'isNot':
      return !hasDayBetween(days, from, to);
    case 'lessThan':
      return last !== null && last < from;
    case 'atMost':
      return last !== null && last <= from;
    case 'atLeast':
      return first !== null && first >= from;
    case 'moreThan':
      return first !== null && first > from;
  }
}

const hasDayBetween = ({ first, last }: DaySpan, from: string, to: string): boolean =>
  (first === null || first <= to) && (last === null || last >= from);

/** The month in which a range begins, `2025-08`; null where its start is open. */
export const monthOf = (days: DaySpan): string | null => days.first?.slice(0, 7) ?? null;
