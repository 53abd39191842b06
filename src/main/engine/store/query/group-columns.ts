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

/** Finds the index of a key in an ascending list, or -1; fastest where keys are requested in order or have no gaps. */
export function createRowFinder(keys: Float64Array): (key: number) => number {
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

/** Restricts a statement to these keys; no restriction where all rows are read. */
const amongKeys = (column: string, keys: Float64Array | null): { text: string; values: string[] } =>
  keys === null
    ? { text: 'true', values: [] }
    : { text: `${column} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify([...keys])] };

/**
 * Reads a column of these rows, or of the whole table with `isWhole`. `keys` ascend.
 *
 * @throws DeskError `query.invalid`, `query.ssnOrder`
 */
export function readGroupColumn(
  database: Database,
  entity: Entity,
  path: string,
  keys: Float64Array,
  isWhole: boolean,
) {
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
  keys: Float64Array | null,
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

/** Reads the open amounts of these claims, or of all, in ten-thousandths of a dollar; NaN where unknown. */
export function readOpen(database: Database, keys: Float64Array, isWhole: boolean): Float64Array {
  const among = amongKeys('id', isWhole ? null : keys);
  const amounts = new Float64Array(keys.length).fill(Number.NaN);
  const findRow = createRowFinder(keys);
  const select = database.prepare(
    `SELECT id, open FROM claim_facts WHERE open IS NOT NULL AND ${among.text}`,
  );
  for (const [id, open] of select.raw().iterate(among.values) as Iterable<[number, number]>) {
    const row = findRow(id);
    if (row >= 0) amounts[row] = open;
  }
  return amounts;
}

/** The amounts of rows in the order of `sumColumns`. */
export interface Amounts {
  /** Ten-thousandths of a dollar; NaN is null. */
  readonly cells: readonly Float64Array[];
  /** The amounts that are not numbers, by row. */
  readonly unread: readonly UnreadCell[];
}

/** An amount that is not a number: the row, and the index in `sumColumns`. */
interface UnreadCell {
  readonly row: number;
  readonly column: number;
}

const unreadFrom = {
  claims: `unread_amounts o JOIN claims c ON c.id=o.claim_id AND o.position=${ofClaimItself}`,
  lines: 'unread_amounts o JOIN claim_lines l ON l.parent=o.claim_id AND l.position=o.position',
} as const;

/** The four amounts of these rows, or of the whole table. */
export function readAmounts(
  database: Database,
  entity: 'claims' | 'lines',
  keys: Float64Array,
  isWhole: boolean,
): Amounts {
  const { table, alias, key } = listTables[entity];
  const among = amongKeys(`${alias}.${key}`, isWhole ? null : keys);
  const amounts = sumColumns.map(() => new Float64Array(keys.length).fill(Number.NaN));
  const rows = database
    .prepare(
      `SELECT ${sumColumns.join(', ')} FROM ${table} ${alias} WHERE ${among.text} ORDER BY ${alias}.${key}`,
    )
    .raw()
    .iterate(among.values) as Iterable<(number | null)[]>;
  let row = 0;
  for (const cells of rows) {
    for (const [index, column] of amounts.entries()) column[row] = cells[index] ?? Number.NaN;
    row += 1;
  }
  const unread = database
    .prepare(
      `SELECT ${alias}.${key}, o.field FROM ${unreadFrom[entity]}
       WHERE o.field IN (${sumColumns.map((name) => `'${name}'`).join(', ')}) AND ${among.text} ORDER BY 1`,
    )
    .raw()
    .all(among.values) as [number, (typeof sumColumns)[number]][];
  const findRow = createRowFinder(keys);
  return {
    cells: amounts,
    unread: unread.map(([id, field]) => ({ row: findRow(id), column: sumColumns.indexOf(field) })),
  };
}
