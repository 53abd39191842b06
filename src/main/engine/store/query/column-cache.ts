import { type Entity, isDated } from '../../../../contract/fields.ts';
import type { Connection } from '../file/connection.ts';
import type { SqlValue } from '../record/decompose.ts';
import { createReviewVersionReader, createVersionReader } from '../record/records-version.ts';
import { hasAmounts } from './build-query.ts';
import { sumColumns } from './exact-sums.ts';
import { linkSources } from './link-conditions.ts';
import { columnOf, findField, listTables } from './list-tables.ts';
import { deriveColumn, sourceOf } from './merge-values.ts';
import { buildColumn, findRow, sizeOf, type TypedColumn } from './typed-columns.ts';

/** All rows of one table at one version, missing ones included. */
export interface TableInMemory {
  readonly version: number;
  /** Ascending. The index of a key in it is the row index by which columns refer to a row. */
  readonly keys: Float64Array;
  /** 1 for rows that the service no longer returns; null where there are none. */
  readonly missing: Uint8Array | null;
}

/** The name under which the four amounts are held, by row index; NaN is null. */
export const amountsPath = '$amounts';

/** The name under which the list of keys itself is requested. */
export const tablePath = '$table';
/** Columns of reviews, which change without the claims. */
const isReviewPath = (path: string): boolean => /^((\$each-)?review\.|facts\.|worklist$)/.test(path);
const letterPrefix = '$letter-';
export const letterPath = (letter: string): string => `${letterPrefix}${letter}`;
export const isLetterPath = (path: string): boolean => path.startsWith(letterPrefix);

/** What is read at once: a column, the amounts, or the rows with a word that begins with a letter (one bit a row). */
export type Part =
  | { readonly kind: 'column'; readonly column: TypedColumn }
  | { readonly kind: 'amounts'; readonly amounts: readonly Float64Array[] }
  | { readonly kind: 'bits'; readonly bits: Uint8Array };

/** A part or a table as another thread read it, and the version of the records it belongs to. */
export interface BuiltPart {
  readonly version: number;
  readonly part: Part | null;
  readonly table: TableInMemory | null;
}

const sizeOfPart = (part: Part): number => {
  if (part.kind === 'column') return sizeOf(part.column);
  if (part.kind === 'bits') return part.bits.byteLength;
  return part.amounts.reduce((bytes, amounts) => bytes + amounts.byteLength, 0);
};

/**
 * Columns in memory, each read once in the order of its values. At most `maxBytes`: beyond that the least recently
 * used column is dropped. A change of the records drops what it affects. Callers hold one read transaction
 * throughout.
 */
export function createColumnCache(connection: Connection, maxBytes: number) {
  const readVersion = createVersionReader(connection);
  const readReviewVersion = createReviewVersionReader(connection);
  let heldReviewVersion = 0;
  const tables = new Map<Entity, TableInMemory>();
  const held = new Map<string, Part>();

  const dropAll = (entity: Entity): void => {
    tables.delete(entity);
    for (const name of [...held.keys()]) if (name.startsWith(`${entity}/`)) held.delete(name);
  };
  const dropReviews = (): void => {
    for (const name of [...held.keys()])
      if (isReviewPath(name.slice(name.indexOf('/') + 1))) held.delete(name);
  };
  /** Neither of the two ever gets smaller, so that their sum is the same only where both are. */
  const versionOf = (entity: Entity, path: string): number =>
    readVersion(entity) + (isReviewPath(path) ? readReviewVersion() : 0);
  /** Counted each time, because ranks are made only when they are first needed. */
  const measure = (): number => {
    let bytes = 0;
    for (const part of held.values()) bytes += sizeOfPart(part);
    return bytes;
  };
  const keep = (name: string, part: Part): void => {
    held.set(name, part);
    let bytes = measure();
    for (const [oldest, old] of held) {
      if (bytes <= maxBytes || oldest === name) break;
      bytes -= sizeOfPart(old);
      held.delete(oldest);
    }
  };

  /** Keys of the records that a query of the text index finds. */
  const findText = (entity: 'claims', words: string): number[] =>
    connection
      .prepare(`SELECT rowid FROM ${entity}_text WHERE ${entity}_text MATCH ?`)
      .pluck()
      .all(words) as number[];

  const loadTable = (entity: Entity): TableInMemory => {
    const { table, alias, key, missingKeys } = listTables[entity];
    const keys = Float64Array.from(
      connection
        .prepare(`SELECT ${alias}.${key} FROM ${table} ${alias} ORDER BY ${alias}.${key}`)
        .pluck()
        .all() as number[],
    );
    const missingIds = new Set(connection.prepare(missingKeys).pluck().all() as number[]);
    const missing =
      missingIds.size === 0 ? null : Uint8Array.from(keys, (rowKey) => (missingIds.has(rowKey) ? 1 : 0));
    const loaded = { version: readVersion(entity), keys, missing };
    tables.set(entity, loaded);
    return loaded;
  };

  const loadColumn = (entity: Entity, path: string, keys: Float64Array): TypedColumn => {
    const source = sourceOf(path);
    if (source !== null) return deriveColumn(getColumn(entity, source.path), source.toValues);
    const { table, alias, key, joins } = listTables[entity];
    if (linkSources[path] !== undefined) return loadLinks(entity, path, keys);
    const value = columnOf(entity, path);
    const rows = connection
      .prepare(
        `SELECT ${alias}.${key}, ${value} FROM ${table} ${alias} ${joins} ORDER BY ${value} NULLS LAST, ${alias}.${key}`,
      )
      .raw()
      .iterate() as Iterable<[number, SqlValue]>;
    const kind = findField(entity, path)?.kind ?? 'text';
    return buildColumn(keys, rows, kind === 'text' || isDated(kind));
  };

  const loadLinks = (entity: Entity, path: string, keys: Float64Array): TypedColumn => {
    const source = linkSources[path] as (typeof linkSources)[string];
    const { value } = source;
    const [row, from] =
      entity === 'lines'
        ? ['claim_lines.ref', `${source.from} JOIN claim_lines ON claim_lines.parent=claim_members.parent`]
        : ['claim_members.parent', source.from];
    const isText = path.endsWith('.name');
    const rows = connection
      .prepare(
        `SELECT DISTINCT ${row}, ${value} FROM ${from} WHERE ${value} IS NOT NULL${isText ? ` AND ${value}<>''` : ''}
         ORDER BY ${value}, ${row}`,
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
    let row = 0;
    for (const cells of found) {
      for (const [index, values] of amounts.entries()) values[row] = cells[index] ?? Number.NaN;
      row += 1;
    }
    return amounts;
  };

  const loadLetter = (keys: Float64Array, letter: string): Uint8Array => {
    const bits = new Uint8Array((keys.length + 7) >> 3);
    for (const key of findText('claims', `"${letter}"*`)) {
      const row = findRow(keys, key);
      if (row >= 0) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
    }
    return bits;
  };

  const load = (entity: Entity, path: string): Part => {
    const { keys } = getTable(entity);
    if (path === amountsPath) {
      return { kind: 'amounts', amounts: hasAmounts(entity) ? loadAmounts(entity, keys.length) : [] };
    }
    if (isLetterPath(path)) {
      return { kind: 'bits', bits: loadLetter(keys, path.slice(letterPrefix.length)) };
    }
    return { kind: 'column', column: loadColumn(entity, path, keys) };
  };

  const getPart = (entity: Entity, path: string): Part => {
    const name = `${entity}/${path}`;
    const found = held.get(name) ?? load(entity, path);
    held.delete(name);
    keep(name, found);
    return found;
  };

  const getTable = (entity: Entity): TableInMemory => tables.get(entity) ?? loadTable(entity);

  const getColumn = (entity: Entity, path: string): TypedColumn => {
    const part = getPart(entity, path);
    if (part.kind !== 'column') throw new Error(`no column ${entity}/${path}`);
    return part.column;
  };

  return {
    /** Drops what is outdated. Returns the version of the records that this transaction sees. */
    refresh(entity: Entity): number {
      const version = readVersion(entity);
      const table = tables.get(entity);
      if (table !== undefined && table.version !== version) dropAll(entity);
      const reviewVersion = readReviewVersion();
      if (reviewVersion !== heldReviewVersion) dropReviews();
      heldReviewVersion = reviewVersion;
      return version;
    },
    /** Changes with the reviews as well, by which a selection may have been made. */
    readStamp: (entity: Entity): number => versionOf(entity, 'review.'),
    hasTable: (entity: Entity): boolean => tables.has(entity),
    has: (entity: Entity, path: string): boolean => held.has(`${entity}/${path}`),
    getTable,
    getPart,
    getColumn,
    /** The rows with a word that begins with this letter. */
    getLetter(letter: string): Uint8Array {
      const part = getPart('claims', letterPath(letter));
      if (part.kind !== 'bits') throw new Error(`no letter ${letter}`);
      return part.bits;
    },
    findText,
    getAmounts(entity: Entity): readonly Float64Array[] {
      const part = getPart(entity, amountsPath);
      return part.kind === 'amounts' ? part.amounts : [];
    },
    /** Reads a part for another thread, which receives all of it; only the table stays here. */
    take(entity: Entity, path: string): BuiltPart {
      const version = this.refresh(entity);
      if (path === tablePath) {
        const { keys, missing } = getTable(entity);
        const table = { version, keys: keys.slice(), missing: missing === null ? null : missing.slice() };
        return { version, part: null, table };
      }
      return { version: versionOf(entity, path), part: load(entity, path), table: null };
    },
    /** Takes over what another thread read, if the records are still the same. */
    adopt(entity: Entity, path: string, built: BuiltPart): void {
      this.refresh(entity);
      if (versionOf(entity, path) !== built.version) return;
      if (built.table !== null) tables.set(entity, built.table);
      if (built.part !== null && tables.has(entity)) keep(`${entity}/${path}`, adoptPart(built.part));
    },
    dropAll,
    get bytes(): number {
      return measure();
    },
  };
}

/** A Buffer arrives from another thread as a plain Uint8Array; this makes it a Buffer again. */
function adoptPart(part: Part): Part {
  if (part.kind !== 'column' || part.column.values.kind !== 'texts') return part;
  const { bytes, offsets } = part.column.values;
  const values = {
    kind: 'texts' as const,
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    offsets,
  };
  return { kind: 'column', column: { ...part.column, values } };
}

export type ColumnCache = ReturnType<typeof createColumnCache>;
