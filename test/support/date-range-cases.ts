import type { SentRange } from '../../src/rules/date-range.ts';

/** A date range as the service may send it, and the values that all parts of Claimdesk have to derive from it. */
export interface DateRangeCase {
  readonly what: string;
  readonly range: SentRange;
  /** The days that belong to it; null is an open end. Null: it has no day that can be determined. */
  readonly days: { readonly first: string | null; readonly last: string | null } | null;
  /** The cell of a list. */
  readonly cell: string;
  /** The text on the claim's page, where it differs from the cell. */
  readonly page?: string;
}

const none = { days: null, cell: '–' } as const;

/**
 * The table of expected values for screen, sort, filter, group, totals by month, file, clipboard and retention. Written
 * by hand from docs/service.md, "Lists and values".
 */
export const dateRangeCases: readonly DateRangeCase[] = [
  {
    what: 'the end is left out',
    range: { bounds: '[)', start: '2025-08-13', end: '2025-08-20' },
    days: { first: '2025-08-13', last: '2025-08-19' },
    cell: '08/13 – 08/19/2025',
  },
  {
    what: 'both ends belong to it',
    range: { bounds: '[]', start: '2025-08-13', end: '2025-08-20' },
    days: { first: '2025-08-13', last: '2025-08-20' },
    cell: '08/13 – 08/20/2025',
  },
  {
    what: 'the start is left out',
    range: { bounds: '(]', start: '2025-11-14', end: '2025-11-20' },
    days: { first: '2025-11-15', last: '2025-11-20' },
    cell: '11/15 – 11/20/2025',
  },
  {
    what: 'both ends are left out',
    range: { bounds: '()', start: '2025-11-14', end: '2025-11-20' },
    days: { first: '2025-11-15', last: '2025-11-19' },
    cell: '11/15 – 11/19/2025',
  },
  {
    what: 'one day with the end left out',
    range: { bounds: '[)', start: '2025-09-15', end: '2025-09-16' },
    days: { first: '2025-09-15', last: '2025-09-15' },
    cell: '09/15/2025',
  },
  {
    what: 'one day, both ends',
    range: { bounds: '[]', start: '2025-09-15', end: '2025-09-15' },
    days: { first: '2025-09-15', last: '2025-09-15' },
    cell: '09/15/2025',
  },
  {
    what: 'one day between two ends that are left out',
    range: { bounds: '()', start: '2025-09-14', end: '2025-09-16' },
    days: { first: '2025-09-15', last: '2025-09-15' },
    cell: '09/15/2025',
  },
  {
    what: 'the last day of a month',
    range: { bounds: '[)', start: '2025-07-31', end: '2025-08-01' },
    days: { first: '2025-07-31', last: '2025-07-31' },
    cell: '07/31/2025',
  },
  {
    what: 'the first day of a month, behind a start that is left out',
    range: { bounds: '(]', start: '2025-07-31', end: '2025-08-02' },
    days: { first: '2025-08-01', last: '2025-08-02' },
    cell: '08/01 – 08/02/2025',
  },
  {
    what: 'over the end of a year',
    range: { bounds: '[)', start: '2024-12-31', end: '2025-01-03' },
    days: { first: '2024-12-31', last: '2025-01-02' },
    cell: '12/31/2024 – 01/02/2025',
  },
  {
    what: 'to the leap day',
    range: { bounds: '[)', start: '2024-02-28', end: '2024-03-01' },
    days: { first: '2024-02-28', last: '2024-02-29' },
    cell: '02/28 – 02/29/2024',
  },
  {
    what: 'an open end',
    range: { bounds: '[)', start: '2025-08-13', end: null },
    days: { first: '2025-08-13', last: null },
    cell: 'from 08/13/2025',
  },
  {
    what: 'an open end behind a start that is left out',
    range: { bounds: '()', start: '2025-08-12' },
    days: { first: '2025-08-13', last: null },
    cell: 'from 08/13/2025',
  },
  {
    what: 'an open start',
    range: { bounds: '(]', start: null, end: '2025-08-19' },
    days: { first: null, last: '2025-08-19' },
    cell: 'through 08/19/2025',
  },
  {
    what: 'a blank start before an end that is left out',
    range: { bounds: '[)', start: '', end: '2025-08-20' },
    days: { first: null, last: '2025-08-19' },
    cell: 'through 08/19/2025',
  },
  { what: 'both ends open', range: { bounds: '()', start: null, end: null }, ...none },
  { what: 'an empty object', range: {}, ...none },
  {
    what: 'no bounds',
    range: { bounds: null, start: '2025-08-13', end: '2025-08-20' },
    days: { first: '2025-08-13', last: '2025-08-20' },
    cell: '08/13 – 08/20/2025',
    page: '08/13 – 08/20/2025 (as sent)',
  },
  {
    what: 'no bounds, one day',
    range: { start: '2025-08-13', end: '2025-08-13' },
    days: { first: '2025-08-13', last: '2025-08-13' },
    cell: '08/13/2025',
  },
  {
    what: 'bounds that are none',
    range: { bounds: ')(', start: '2025-08-13', end: '2025-08-20' },
    days: { first: '2025-08-13', last: '2025-08-20' },
    cell: '08/13 – 08/20/2025',
    page: '08/13 – 08/20/2025 (as sent)',
  },
  {
    what: 'half of the bounds',
    range: { bounds: '(', start: '2025-08-13', end: '2025-08-20' },
    days: { first: '2025-08-13', last: '2025-08-20' },
    cell: '08/13 – 08/20/2025',
    page: '08/13 – 08/20/2025 (as sent)',
  },
  {
    what: 'date-times at midnight, with a zone',
    range: { bounds: '[)', start: '2025-08-13T00:00:00Z', end: '2025-08-20T00:00:00.000+00:00' },
    days: { first: '2025-08-13', last: '2025-08-19' },
    cell: '08/13 – 08/19/2025',
  },
  {
    what: 'date-times at midnight, without one',
    range: { bounds: '(]', start: '2025-08-12T00:00:00', end: '2025-08-19 00:00' },
    days: { first: '2025-08-13', last: '2025-08-19' },
    cell: '08/13 – 08/19/2025',
  },
  {
    what: 'times of day, whose days belong to it',
    range: { bounds: '()', start: '2025-08-13T08:30:00Z', end: '2025-08-19T17:00:00Z' },
    days: { first: '2025-08-13', last: '2025-08-19' },
    cell: '08/13 – 08/19/2025',
  },
  {
    what: 'a date-time in another zone, by the day that is written',
    range: { bounds: '[)', start: '2025-08-13T00:00:00-05:00', end: '2025-08-20T00:00:00-05:00' },
    days: { first: '2025-08-13', last: '2025-08-19' },
    cell: '08/13 – 08/19/2025',
  },
  {
    what: 'an end before its start',
    range: { bounds: '[]', start: '2025-08-20', end: '2025-08-13' },
    ...none,
    page: 'as sent: [08/20/2025, 08/13/2025]',
  },
  {
    what: 'the same day, left out',
    range: { bounds: '[)', start: '2025-08-13', end: '2025-08-13' },
    ...none,
    page: 'as sent: [08/13/2025, 08/13/2025)',
  },
  {
    what: 'two days next to each other, both left out',
    range: { bounds: '()', start: '2025-08-13', end: '2025-08-14' },
    ...none,
    page: 'as sent: (08/13/2025, 08/14/2025)',
  },
  {
    what: 'an end that is no date',
    range: { bounds: '[)', start: '2025-08-13', end: 'soon' },
    ...none,
    page: 'as sent: [08/13/2025, soon)',
  },
  {
    what: 'a start behind a blank',
    range: { bounds: '[]', start: '\u00a02025-08-13', end: '2025-08-13' },
    ...none,
    page: 'as sent: [08/13/2025, 08/13/2025]',
  },
  {
    what: 'a start that is in no calendar',
    range: { bounds: '[]', start: '2025-02-30', end: '2025-08-13' },
    ...none,
    page: 'as sent: [2025-02-30, 08/13/2025]',
  },
  {
    what: 'a start behind the last day there is',
    range: { bounds: '(]', start: '9999-12-31', end: null },
    ...none,
    page: 'as sent: (12/31/9999, –]',
  },
];

/** All days of a case between two days, to compare filters with. */
export function listDays({ days }: DateRangeCase, from: string, to: string): Set<string> {
  const held = new Set<string>();
  if (days === null) return held;
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10);
    if ((days.first === null || day >= days.first) && (days.last === null || day <= days.last)) held.add(day);
  }
  return held;
}
