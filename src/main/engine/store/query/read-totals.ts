import type { ListQuery, Totals } from '../../../../contract/query.ts';
import type { Connection } from '../file/connection.ts';
import { readNames } from '../record/claim-names.ts';
import type { SqlValue } from '../record/decompose.ts';
import { buildCounts, buildGroups, buildTotals, findGroup, readSums } from './build-query.ts';
import type { Sql } from './conditions.ts';
import { toTotals } from './exact-sums.ts';
import { findLink } from './link-conditions.ts';
import { monthPath } from './range-conditions.ts';

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
  const rows = allExactly(connection, (inHalves) => buildGroups(query, path, inHalves), 2).map(
    ({ row: [value, count], sums }) => ({
      value: typeof value === 'bigint' ? Number(value) : (value as SqlValue),
      count: Number(count),
      sums,
    }),
  );
  const isMany = findGroup(query.entity, path).isMany === true;
  return (isMany ? splitNames(rows) : rows).map(({ value, count, sums }) => ({
    value,
    totals: toTotals(count, sums),
  }));
}

/** Counts of the values of a column, of single names in one of several, by SQLite. @throws DeskError `query.invalid` */
export function readCounts(
  connection: Connection,
  query: ListQuery,
  path: string,
): { value: SqlValue; count: number }[] {
  if (findLink(query.entity, path) !== undefined && path !== monthPath) {
    return readGroups(connection, query, path).map(({ value, totals }) => ({ value, count: totals.count }));
  }
  const { text, values } = buildCounts(query, path);
  const rows = connection.prepare(text).raw().all(values) as [SqlValue, number][];
  const counts = rows.map(([value, count]) => ({ value, count, sums: [] }));
  return findGroup(query.entity, path).isMany === true ? splitNames(counts) : counts;
}

interface SummedGroup {
  readonly value: SqlValue;
  readonly count: number;
  readonly sums: readonly (bigint | null)[];
}

/** Groups by lists of names as groups by each name: a list counts in each of its names. */
function splitNames(groups: readonly SummedGroup[]): SummedGroup[] {
  const byName = new Map<SqlValue, SummedGroup>();
  for (const { value, count, sums } of groups) {
    for (const name of value === null ? [null] : new Set(readNames(String(value)))) {
      const known = byName.get(name);
      byName.set(name, {
        value: name,
        count: count + (known?.count ?? 0),
        sums: known === undefined ? sums : sums.map((sum, index) => addSums(sum, known.sums[index] ?? null)),
      });
    }
  }
  return [...byName.values()];
}

const addSums = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null ? b : b === null ? a : a + b;
