import type { Entity } from '../../../../contract/fields.ts';
import type { Connection } from '../connection.ts';
import type { SqlValue } from '../decompose.ts';
import { createVersionReader } from '../records-version.ts';
import { hasAmounts } from './build-query.ts';
import { sumColumns } from './exact-sums.ts';
import { linkSources, monthPath, toMonth } from './link-conditions.ts';
import { columnOf, findField, listTables } from './list-tables.ts';
import { buildColumn, countValues, findPlace, readValue, sizeOf, type TypedColumn } from './typed-columns.ts';

/** All rows of one table, gone ones too, at one version of it. */
export interface TableInMemory {
  readonly version: number;
  /** Ascending; the place of a key in it is how the columns name a row. */
  readonly keys: Float64Array;
  /** 1 for what the service no longer returns; null where nothing is. */
  readonly gone: Uint8Array | null;
}

/** The name under which the four amounts are held, by place; NaN is null. */
export const amountsPath = '$amounts';

interface Held {
  readonly bytes: number;
  readonly column: TypedColumn | null;
  readonly amounts: readonly Float64Array[];
  /** One bit a row: for a letter, whether a word begins with it. */
  readonly bits?: Uint8Array;
}

/**
 * Columns in memory, each read once in the order of its values. Bounded: at `maxBytes` the column used longest
 * ago goes. A change of the records drops what it touches. Callers hold one read transaction throughout.
 */
export function createColumnCache(connection: Connection, maxBytes: number) {
  const readVersion = createVersionReader(connection);
  const tables = new Map<Entity, TableInMemory>();
  const held = new Map<string, Held>();
  let heldBytes = 0;

  const drop = (name: string): void => {
    heldBytes -= held.get(name)?.bytes ?? 0;
    held.delete(name);
  };
  const dropAll = (entity: Entity): void => {
    tables.delete(entity);
    for (const name of [...held.keys()]) if (name.startsWith(`${entity}/`)) drop(name);
  };
  const keep = (name: string, entry: Held): Held => {
    held.set(name, entry);
    heldBytes += entry.bytes;
    for (const oldest of held.keys()) {
      if (heldBytes <= maxBytes || oldest === name) break;
      drop(oldest);
    }
    return entry;
  };

  /** Keys of the records that a query of the text index finds. */
  const findText = (entity: 'claims', words: string): number[] =>
    connection
      .prepare(`SELECT rowid FROM ${entity}_text WHERE ${entity}_text MATCH ?`)
      .pluck()
      .all(words) as number[];

  const loadTable = (entity: Entity): TableInMemory => {
    const { table, alias, key, goneKeys } = listTables[entity];
    const keys = Float64Array.from(
      connection
        .prepare(`SELECT ${alias}.${key} FROM ${table} ${alias} ORDER BY ${alias}.${key}`)
        .pluck()
        .all() as number[],
    );
    const goneOnes = new Set(connection.prepare(goneKeys).pluck().all() as number[]);
    const gone =
      goneOnes.size === 0 ? null : Uint8Array.from(keys, (rowKey) => (goneOnes.has(rowKey) ? 1 : 0));
    const loaded = { version: readVersion(entity), keys, gone };
    tables.set(entity, loaded);
    return loaded;
  };

  const loadColumn = (entity: Entity, path: string, keys: Float64Array): TypedColumn => {
    if (path === monthPath) return toMonths(getHeld(entity, 'date_of_service.start').column as TypedColumn);
    const { table, alias, key, joins } = listTables[entity];
    const source = linkSources[path];
    if (source !== undefined) return loadLinks(path, keys);
    const value = columnOf(entity, path);
    const rows = connection
      .prepare(
        `SELECT ${alias}.${key}, ${value} FROM ${table} ${alias} ${joins} ORDER BY ${value} NULLS LAST, ${alias}.${key}`,
      )
      .raw()
      .iterate() as Iterable<[number, SqlValue]>;
    const kind = findField(entity, path)?.kind ?? 'text';
    return buildColumn(keys, rows, kind === 'text' || kind === 'date' || kind === 'dateTime');
  };

  const loadLinks = (path: string, keys: Float64Array): TypedColumn => {
    const { value, from } = linkSources[path] as (typeof linkSources)[string];
    const isText = path.endsWith('.name');
    const rows = connection
      .prepare(
        `SELECT DISTINCT claim_members.parent, ${value} FROM ${from} WHERE ${value} IS NOT NULL${isText ? ` AND ${value}<>''` : ''}
         ORDER BY ${value}, claim_members.parent`,
      )
      .raw()
      .iterate() as Iterable<[number, SqlValue]>;
    const seen = new Set<number>();
    function* withNulls(): Iterable<[number, SqlValue]> {
      for (const row of rows) {
        seen.add(row[0]);
        yield row;
      }
      for (const key of keys) if (!seen.has(key)) yield [key, null];
    }
    return buildColumn(keys, withNulls(), isText);
  };

  const loadAmounts = (entity: Entity, rows: number): Float64Array[] => {
    const { table, alias, key } = listTables[entity];
    const amounts = sumColumns.map(() => new Float64Array(rows).fill(Number.NaN));
    const found = connection
      .prepare(`SELECT ${sumColumns.join(', ')} FROM ${table} ${alias} ORDER BY ${alias}.${key}`)
      .raw()
      .iterate() as Iterable<(number | null)[]>;
    let place = 0;
    for (const cells of found) {
      for (const [index, values] of amounts.entries()) values[place] = cells[index] ?? Number.NaN;
      place += 1;
    }
    return amounts;
  };

  const getHeld = (entity: Entity, path: string): Held => {
    const name = `${entity}/${path}`;
    const found = held.get(name);
    if (found !== undefined) {
      held.delete(name);
      held.set(name, found);
      return found;
    }
    const { keys } = getTable(entity);
    if (path === amountsPath) {
      const amounts = hasAmounts(entity) ? loadAmounts(entity, keys.length) : [];
      return keep(name, { bytes: amounts.length * keys.length * 8, column: null, amounts });
    }
    const column = loadColumn(entity, path, keys);
    // Ranks may be made later; they are counted from the start.
    return keep(name, { bytes: sizeOf(column) + column.order.byteLength, column, amounts: [] });
  };

  const getTable = (entity: Entity): TableInMemory => tables.get(entity) ?? loadTable(entity);

  return {
    /** Drops what no longer holds. Returns the version of the records as this transaction sees them. */
    refresh(entity: Entity): number {
      const version = readVersion(entity);
      const table = tables.get(entity);
      if (table !== undefined && table.version !== version) dropAll(entity);
      return version;
    },
    hasTable: (entity: Entity): boolean => tables.has(entity),
    has: (entity: Entity, path: string): boolean => held.has(`${entity}/${path}`),
    getTable,
    getColumn(entity: Entity, path: string): TypedColumn {
      const { column } = getHeld(entity, path);
      if (column === null) throw new Error(`no column ${entity}/${path}`);
      return column;
    },
    /** The rows with a word that begins with this letter: an eighth of a byte a row, and read once. */
    getLetter(entity: 'claims', letter: string): Uint8Array {
      const name = `${entity}/$letter-${letter}`;
      const found = held.get(name);
      if (found?.bits !== undefined) {
        held.delete(name);
        held.set(name, found);
        return found.bits;
      }
      const { keys } = getTable(entity);
      const bits = new Uint8Array((keys.length + 7) >> 3);
      for (const key of findText(entity, `"${letter}"*`)) {
        const place = findPlace(keys, key);
        if (place >= 0) bits[place >> 3] = (bits[place >> 3] as number) | (1 << (place & 7));
      }
      keep(name, { bytes: bits.length, column: null, amounts: [], bits });
      return bits;
    },
    findText,
    getAmounts: (entity: Entity): readonly Float64Array[] => getHeld(entity, amountsPath).amounts,
    dropAll,
    get bytes(): number {
      return heldBytes;
    },
  };
}

export type ColumnCache = ReturnType<typeof createColumnCache>;

/** The months of a column of days: the same order of rows, and fewer values. */
function toMonths(days: TypedColumn): TypedColumn {
  const starts: number[] = [];
  const texts: Buffer[] = [];
  const offsets: number[] = [0];
  let last: string | null = null;
  for (let rank = 0; rank < countValues(days); rank += 1) {
    const month = toMonth(String(readValue(days, rank)));
    if (month === last) continue;
    last = month;
    starts.push(days.starts[rank] as number);
    texts.push(Buffer.from(month));
    offsets.push((offsets.at(-1) as number) + (texts.at(-1) as Buffer).length);
  }
  starts.push(days.starts[countValues(days)] as number);
  return {
    order: days.order,
    starts: Uint32Array.from(starts),
    values: { kind: 'texts', bytes: Buffer.concat(texts), offsets: Uint32Array.from(offsets) },
    ranks: null,
  };
}
