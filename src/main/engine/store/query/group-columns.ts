import { monthOf, readDays } from '../../../../rules/date-range.ts';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { Database } from '../file/database.ts';
import { readNames } from '../record/claim-names.ts';
import type { SqlValue } from '../record/decompose.ts';
import { sumColumns } from '../record/exact-sums.ts';
import { memo } from '../record/memo.ts';
import { ofClaimItself } from '../record/odd-values.ts';
import { buildRead, findGroup } from './build-query.ts';
import { linkSources } from './link-conditions.ts';
import { columnOf, listTables } from './list-tables.ts';
import { monthPath, rangePath } from './range-conditions.ts';

/**
 * The values by which rows are grouped: `cells[cellOf[row]]` are the values of a row, as indexes into `values`. It
 * takes four bytes per row plus the distinct values. A row without a value has the first one, null. Blank texts count
 * as no value.
 */
export type GroupColumn = ReturnType<typeof readGroupColumn>;

/** Keys of rows, four bytes each where all of them fit. */
export type Keys = Float64Array | Uint32Array;

/** Rows by their keys, which ascend; with `isWhole` they are the whole table. */
export interface KeyedRows {
  readonly keys: Keys;
  readonly isWhole: boolean;
}

export const toKeys = (keys: readonly number[]): Keys =>
  keys.every((key) => key === key >>> 0) ? new Uint32Array(keys) : new Float64Array(keys);

/** Finds the index of a key in an ascending list, or -1; fastest where keys are requested in order or have no gaps. */
export function createRowFinder(keys: Keys): (key: number) => number {
  const first = keys[0] ?? 0;
  let next = 0;
  return (key) => {
    let row = keys[next] === key ? next : key - first;
    if (keys[row] !== key) {
      let [low, high] = [0, keys.length - 1];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((keys[middle] as number) < key) low = middle + 1;
        else high = middle;
      }
      row = low;
    }
    next = row + 1;
    return keys[row] === key ? row : -1;
  };
}

/** The indexes of some keys in an ascending list; `map` takes a tenth of the time of `Uint32Array.from`. */
export const findRows = (some: Keys, keys: Keys): Uint32Array =>
  new Uint32Array(some.map(createRowFinder(keys)));

/** Restricts a statement to these keys; no restriction where all rows are read. */
const amongKeys = (column: string, keys: Keys | null): { text: string; values: string[] } =>
  keys === null
    ? { text: 'true', values: [] }
    : { text: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify([...keys])] };

/**
 * Reads a column of these rows.
 * @throws DeskError `query.invalid`, `query.ssnOrder`
 */
export function readGroupColumn(database: Database, entity: Entity, path: string, rows: KeyedRows) {
  const { keys, isWhole } = rows;
  const spec = findGroup(entity, path);
  const link = linkSources[path];
  const splitCell = (sent: SqlValue): SqlValue[] => {
    if (sent === null || (spec.kind === 'text' && sent === '')) return [null];
    if (link !== undefined) return JSON.parse(String(sent)) as SqlValue[];
    if (path === monthPath) return [monthOf(readDays(String(sent)) ?? { first: null, last: null })];
    return spec.isMany === true ? [...new Set(readNames(String(sent)))] : [sent];
  };
  const values: SqlValue[] = [null];
  const valueIds = new Map<SqlValue, number>([[null, 0]]);
  const cells: number[][] = [[0]];
  const cellIds = new Map<SqlValue, number>([[null, 0]]);
  let bytes = keys.length * 4;
  const addCell = (sent: SqlValue): number => {
    const cellId = cellIds.get(sent);
    if (cellId !== undefined) return cellId;
    const ids = splitCell(sent).map((value) => memo(valueIds, value, () => values.push(value) - 1));
    cellIds.set(sent, cells.length);
    bytes += 80 + String(sent).length * 2;
    return cells.push(ids) - 1;
  };

  const cellOf = new Uint32Array(keys.length);
  const findRow = createRowFinder(keys);
  for (const [key, sent] of readCells(database, entity, path, isWhole ? null : keys)) {
    const row = findRow(key);
    if (row >= 0) cellOf[row] = addCell(sent);
  }
  return { values, cells, cellOf, bytes };
}

/**
 * Keys with their values, in no order, so that an index on the column suffices. Several linked values are a JSON list;
 * a month is the days that begin in it.
 */
function readCells(
  database: Database,
  entity: Entity,
  path: string,
  keys: Keys | null,
): Iterable<[number, SqlValue]> {
  const { alias, key } = listTables[entity];
  const link = linkSources[path];
  const [row, lines] =
    entity === 'lines'
      ? ['claim_lines.ref', 'JOIN claim_lines ON claim_lines.parent=claim_members.parent']
      : ['claim_members.parent', ''];
  const among = amongKeys(link === undefined ? `${alias}.${key}` : row, keys);
  const text =
    link === undefined
      ? buildRead(entity, columnOf(entity, path === monthPath ? rangePath : path), among.text)
      : `SELECT ${row}, json_group_array(DISTINCT ${link.value}) FROM ${link.from} ${lines}
         WHERE ${link.value} IS NOT NULL AND ${link.value}<>'' AND ${among.text} GROUP BY ${row}`;
  return database.prepare(text).raw().iterate(among.values) as Iterable<[number, SqlValue]>;
}

/** Amounts by row in ten-thousandths of a dollar, four bytes each where all of them fit; `blankOf` the column is null. */
export type AmountColumn = Int32Array | Float64Array;

const noAmount = -0x8000_0000;
export const blankOf = (column: AmountColumn): number =>
  column instanceof Int32Array ? noAmount : Number.NaN;

/** Reads columns of amounts of these rows. */
function readColumns(
  database: Database,
  names: readonly string[],
  [key, from]: readonly [string, string],
  { keys, isWhole }: KeyedRows,
): AmountColumn[] {
  const columns = names.map((): AmountColumn => new Int32Array(keys.length).fill(noAmount));
  const findRow = createRowFinder(keys);
  const among = amongKeys(key, isWhole ? null : keys);
  const select = database.prepare(`SELECT ${key}, ${names.join(', ')} FROM ${from} WHERE ${among.text}`);
  for (const cells of select.raw().iterate(among.values) as Iterable<(number | null)[]>) {
    const row = findRow(cells[0] as number);
    for (let index = 0; index < columns.length && row >= 0; index += 1) {
      const amount = cells[index + 1] as number | null;
      if (amount === null) continue;
      const column = columns[index] as AmountColumn;
      if (column instanceof Int32Array && ((amount | 0) !== amount || amount === noAmount))
        columns[index] = Float64Array.from(column, (cell) => (cell === noAmount ? Number.NaN : cell));
      (columns[index] as AmountColumn)[row] = amount;
    }
  }
  return columns;
}

/** Reads the open amounts of these claims. */
export const readOpen = (database: Database, rows: KeyedRows): AmountColumn =>
  readColumns(database, ['open'], ['id', 'claim_facts'], rows)[0] as AmountColumn;

/** The amounts of rows in the order of `sumColumns`, and those that are not numbers. */
export interface Amounts {
  readonly cells: readonly AmountColumn[];
  readonly unread: readonly { readonly row: number; readonly column: number }[];
}

const unreadFrom = {
  claims: `unread_amounts o JOIN claims c ON c.id=o.claim_id AND o.position=${ofClaimItself}`,
  lines: 'unread_amounts o JOIN claim_lines l ON l.parent=o.claim_id AND l.position=o.position',
} as const;

/** The four amounts of these rows. */
export function readAmounts(database: Database, entity: 'claims' | 'lines', rows: KeyedRows): Amounts {
  const { table, alias, key } = listTables[entity];
  const rowKey = `${alias}.${key}`;
  const among = amongKeys(rowKey, rows.isWhole ? null : rows.keys);
  const unread = database
    .prepare(
      `SELECT ${rowKey}, o.field FROM ${unreadFrom[entity]}
       WHERE o.field IN (${sumColumns.map((name) => `'${name}'`).join(', ')}) AND ${among.text} ORDER BY 1`,
    )
    .raw()
    .all(among.values) as [number, (typeof sumColumns)[number]][];
  const findRow = createRowFinder(rows.keys);
  return {
    cells: readColumns(database, sumColumns, [rowKey, `${table} ${alias}`], rows),
    unread: unread.map(([id, field]) => ({ row: findRow(id), column: sumColumns.indexOf(field) })),
  };
}
