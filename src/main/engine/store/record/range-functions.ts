import {
  type DaySpan,
  daysOf,
  matchesDays,
  type RangeOperator,
  writeDays,
} from '../../../../contract/date-range.ts';
import type { Database } from '../file/database.ts';
import { memo } from './memo.ts';

/** Cached ranges: the same few thousand come repeatedly. */
const maxCachedRanges = 20_000;

function createDaysReader(): (start: unknown, end: unknown, bounds: unknown) => DaySpan | null {
  const known = new Map<string, DaySpan | null>();
  return (start, end, bounds) => {
    const name = `${String(bounds)} ${String(start)} ${String(end)}`;
    return memo(known, name, () => daysOf({ start, end, bounds }), maxCachedRanges);
  };
}

/**
 * Registers the SQL functions for date ranges: `range_days` and `range_first_day` of a start, an end and bounds, and
 * `range_matches` with the operator and the two days of a filter after them. The values are stored in
 * no column, so they are no part of a record, but in an index. Whoever changes `daysOf` or `writeDays` adds a
 * migration with `REINDEX claims_by_service_days`.
 */
export function addRangeFunctions(database: Database): void {
  const read = createDaysReader();
  const pure = { deterministic: true };
  database.function('range_days', pure, (start, end, bounds) => {
    const days = read(start, end, bounds);
    return days === null ? null : writeDays(days);
  });
  database.function('range_first_day', pure, (start, end, bounds) => read(start, end, bounds)?.first ?? null);
  database.function('range_matches', pure, (start, end, bounds, operator, from, to) =>
    Number(matchesDays(read(start, end, bounds), operator as RangeOperator, from as string, to as string)),
  );
}
