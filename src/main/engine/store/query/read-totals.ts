import type { ListQuery, Totals } from '../../../../contract/query.ts';
import type { Connection } from '../file/connection.ts';
import type { SqlValue } from '../record/decompose.ts';
import { buildGroups, buildTotals, readSums } from './build-query.ts';
import type { Sql } from './conditions.ts';
import { toTotals } from './exact-sums.ts';

/** Adds plainly, and in halves where SQLite fails because a sum passes 2^63; the halves cannot. */
function allExactly(connection: Connection, build: (inHalves: boolean) => Sql, skip: number) {
  const run = (inHalves: boolean) => {
    const { text, values } = build(inHalves);
    const rows = connection.prepare(text).raw().safeIntegers().all(values) as unknown[][];
    return rows.map((row) => ({ row, sums: readSums(row, skip, inHalves) }));
  };
  try {
    return run(false);
  } catch (thrown) {
    if (!(thrown instanceof Error) || !thrown.message.includes('integer overflow')) throw thrown;
    return run(true);
  }
}

/** Count and exact sums of a list, by SQLite. @throws DeskError `query.invalid` */
export function readTotals(connection: Connection, query: ListQuery): Totals {
  const [found] = allExactly(connection, (inHalves) => buildTotals(query, inHalves), 1);
  return toTotals(Number(found?.row[0] ?? 0), found?.sums ?? []);
}

/** A group with the value as the column holds it. */
export interface FoundGroup {
  readonly value: SqlValue;
  readonly totals: Totals;
}

/** Groups of a list, by SQLite, in no order. @throws DeskError `query.invalid` */
export function readGroups(connection: Connection, query: ListQuery, path: string): FoundGroup[] {
  return allExactly(connection, (inHalves) => buildGroups(query, path, inHalves), 2).map(({ row, sums }) => {
    const [value] = row;
    return {
      value: typeof value === 'bigint' ? Number(value) : (value as SqlValue),
      totals: toTotals(Number(row[1]), sums),
    };
  });
}
