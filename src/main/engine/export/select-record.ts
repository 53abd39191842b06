import { type DaySpan, daysOf } from '../../../rules/date-range.ts';
import type { Entity, FieldSpec } from '../../../rules/list-fields.ts';
import type { Database } from '../store/file/database.ts';
import { columnOf, findColumn, joinedOf, listTables } from '../store/query/list-tables.ts';
import { createRowReader } from '../store/query/read-rows.ts';
import { joinStoredNames } from '../store/record/claim-names.ts';
import type { SqlValue } from '../store/record/decompose.ts';
import { maskSsn } from '../store/record/mask.ts';
import { memo } from '../store/record/memo.ts';
import { readCarriersByRef } from '../store/sync/connection-carriers.ts';
import { joinNames, nameSeparator } from './guard.ts';

/** Columns with the first and last day of a date range, which are computed from the stored range. */
const dayOf = { first_day: 'first', last_day: 'last' } as const;
/** The most date ranges that are cached. The same ones occur in many rows. */
const maxKnown = 20_000;

/**
 * The SQL columns of one record, which begin at index `at` of a row, and a function that converts their values to
 * cells. A record with unknown fields or values that do not fit their columns, which is rare, is read a second time, as
 * for a list.
 */
export function selectRecord(
  database: Database,
  entity: Entity,
  paths: readonly string[],
  { at, isSsnShown }: { at: number; isSsnShown: boolean },
) {
  const { alias, key } = listTables[entity];
  const specs = paths.map((path) => findColumn(entity, path) as FieldSpec);
  const indexesOf = (isWanted: (spec: FieldSpec) => boolean): number[] =>
    specs.flatMap((spec, index) => (isWanted(spec) ? [at + index] : []));
  const dayCells = specs.flatMap(({ path, isDerived }, index) => {
    const [head = '', suffix = ''] = path.split('.');
    const part = isDerived === true && suffix in dayOf ? dayOf[suffix as keyof typeof dayOf] : undefined;
    return part === undefined ? [] : [{ index: at + index, part, head }];
  });
  const ranges = [...new Set(dayCells.map(({ head }) => head))].map((head) => ({
    head,
    cells: dayCells.filter((cell) => cell.head === head),
  }));
  const extras = [alias, ...joinedOf(entity, specs).map((shared) => shared.alias)];
  const columns = [
    ...specs.map(({ path }, index) => {
      if (dayCells.some((cell) => cell.index === at + index)) return 'NULL';
      return path === 'carrier' ? 'c.policy_holder_ref' : columnOf(entity, path);
    }),
    `iif(${extras.map((record) => `${record}.extra IS NULL`).join(' AND ')}, NULL, ${alias}.${key})`,
    ...ranges.map(
      ({ head }) => `json_array(${alias}.${head}_start, ${alias}.${head}_end, ${alias}.${head}_bounds)`,
    ),
  ];
  const oddAt = at + specs.length;
  const flags = indexesOf(({ kind }) => kind === 'boolean');
  const names = indexesOf(({ isMany }) => isMany === true);
  const ssns = isSsnShown ? [] : indexesOf(({ sensitivity }) => sensitivity === 'ssn');
  const carriers = indexesOf(({ path }) => path === 'carrier');
  const carrierByRef = new Map(carriers.length === 0 ? [] : readCarriersByRef(database));
  const readOdd = createRowReader(database, entity, paths);
  const knownRanges = new Map<string, DaySpan | null>();
  const readRange = (json: string): DaySpan | null =>
    memo(knownRanges, json, () => parseRange(json), maxKnown);
  const fillOddRow = (row: SqlValue[]): void =>
    readOdd(row[oddAt] as number, { isSsnShown })?.forEach((cell, column) => {
      const isNames = specs[column]?.isMany === true && typeof cell === 'string';
      row[at + column] = (isNames ? joinNames(cell) : cell) as SqlValue;
    });

  return {
    columns,
    /** Converts the stored values of rows to cells, in place and column by column. */
    finish(all: Row[]): void {
      for (const index of carriers) convert(all, index, (ref) => carrierByRef.get(ref as number) ?? null);
      const odd = all.filter((row) => row[oddAt] !== null);
      const rows = odd.length === 0 ? all : all.filter((row) => row[oddAt] === null);
      for (const row of odd) fillOddRow(row as SqlValue[]);
      for (const index of flags) convert(rows, index, (value) => value === 1);
      for (const index of ssns) convert(rows, index, (value) => maskSsn(String(value)));
      for (const index of names)
        convert(rows, index, (value) => joinStoredNames(String(value), nameSeparator));
      for (const [position, { cells }] of ranges.entries())
        fillDays(rows, cells, (row) => readRange(row[oddAt + 1 + position] as string));
    },
  };
}

type Row = (SqlValue | boolean)[];

function parseRange(json: string): DaySpan | null {
  const [start, end, bounds] = JSON.parse(json) as unknown[];
  return daysOf({ start, end, bounds });
}

// Short functions with one loop each: V8 compiles a long function again for each of its loops.
function convert(rows: readonly Row[], index: number, toCell: (value: SqlValue) => SqlValue | boolean): void {
  for (const row of rows) if (row[index] !== null) row[index] = toCell(row[index] as SqlValue);
}

function fillDays(
  rows: readonly Row[],
  cells: readonly { readonly index: number; readonly part: keyof DaySpan }[],
  readRange: (row: Row) => DaySpan | null,
): void {
  for (const row of rows) {
    const range = readRange(row);
    for (const { index, part } of cells) row[index] = range === null ? null : range[part];
  }
}
