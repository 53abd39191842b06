import type { Database } from '../file/database.ts';
import { compose, type SqlValue } from './decompose.ts';
import { type JsonObject, type JsonValue, parseJson } from './json.ts';
import { memo } from './memo.ts';
import {
  claimLineShape,
  claimShape,
  dependentShape,
  employerShape,
  flatColumnsOf,
  type ListShape,
  memberShape,
  type Shape,
  tenantShape,
} from './record-columns.ts';

const sharedCacheLimit = 5_000;

export type StoredRow = Record<string, SqlValue>;

type ReadRow = (row: StoredRow, key: number) => JsonObject;

/** Statements and values that are made once for a connection. */
interface Reader {
  readonly database: Database;
  readonly readMarkers: (shapeId: number) => string[];
  readonly rows: Map<Shape, ReadRow>;
  readonly shared: Map<Shape, (ref: number) => JsonObject>;
}

const rowsOf = (reader: Reader, shape: Shape): ReadRow =>
  memo(reader.rows, shape, () => createRowReader(reader, shape));

function createSharedReader(reader: Reader, shape: Shape): (ref: number) => JsonObject {
  const select = reader.database.prepare(`SELECT * FROM ${shape.table} WHERE ref=?`);
  const recordByRef = new Map<number, JsonObject>();
  const read = rowsOf(reader, shape);
  return (ref) => memo(recordByRef, ref, () => read(select.get(ref) as StoredRow, ref), sharedCacheLimit);
}
const readShared = (reader: Reader, shape: Shape, ref: number): JsonObject =>
  memo(reader.shared, shape, () => createSharedReader(reader, shape))(ref);

function createListReader(reader: Reader, list: ListShape): (parent: number) => JsonValue {
  const { database } = reader;
  if (list.kind === 'map') {
    const select = database.prepare(`SELECT code, key FROM ${list.table} WHERE parent=?`).raw();
    return (parent) => Object.fromEntries(select.all(parent) as [string, string][]);
  }
  const shape = list.shape();
  if (list.kind === 'link') {
    const select = database.prepare(`SELECT ref FROM ${list.table} WHERE parent=? ORDER BY position`).pluck();
    return (parent) => (select.all(parent) as number[]).map((ref) => readShared(reader, shape, ref));
  }
  const select = database.prepare(`SELECT * FROM ${list.table} WHERE parent=? ORDER BY position`);
  const read = rowsOf(reader, shape);
  return (parent) => (select.all(parent) as StoredRow[]).map((row) => read(row, row.ref as number));
}

function createRowReader(reader: Reader, shape: Shape): ReadRow {
  const columns = flatColumnsOf(shape).map((column) => column.column);
  const lists = shape.lists.map((list) => ({ key: list.key, read: createListReader(reader, list) }));
  // A migration that added a column recorded that older rows of the table lack the field.
  const ofTable = `${shape.table}:`;
  const markersById = new Map<number, string[]>();
  const markersOf = (shapeId: number): string[] =>
    memo(markersById, shapeId, () =>
      reader
        .readMarkers(shapeId)
        .map((marker) => (marker.startsWith(ofTable) ? marker.slice(ofTable.length) : marker)),
    );
  return (row, key) =>
    compose(shape, {
      values: columns.map((name) => row[name] ?? null),
      shared: new Map(
        shape.shared.map((shared) => {
          const ref = row[shared.column] as number | null;
          return [shared.key, ref === null ? null : readShared(reader, shared.shape(), ref)];
        }),
      ),
      lists: new Map(lists.map((list) => [list.key, list.read(key)])),
      extra: typeof row.extra === 'string' ? (parseJson(row.extra) as JsonObject) : null,
      markers: markersOf(row.shape_id as number),
    });
}

function createRootReader(reader: Reader, shape: Shape, keyColumn: 'id' | 'ref') {
  const select = reader.database.prepare(`SELECT * FROM ${shape.table} WHERE ${keyColumn}=?`);
  return (key: number): { record: JsonObject; parent: number | null } | null => {
    const row = select.get(key) as StoredRow | undefined;
    if (row === undefined) return null;
    return { record: rowsOf(reader, shape)(row, key), parent: (row.parent as number | undefined) ?? null };
  };
}

/** Reads records back whole, equal as JSON to what was sent. Shared objects are composed once and reused. */
export function createRecordReader(database: Database) {
  const select = database.prepare('SELECT markers FROM record_shapes WHERE id=?').pluck();
  const readMarkers = (shapeId: number): string[] => JSON.parse(select.get(shapeId) as string) as string[];
  const reader: Reader = { database, readMarkers, rows: new Map(), shared: new Map() };
  return {
    /** A record whose row has been read, with all of its columns. */
    fromRow: {
      members: (row: StoredRow): JsonObject => rowsOf(reader, memberShape)(row, row.id as number),
      claims: (row: StoredRow): JsonObject => rowsOf(reader, claimShape)(row, row.id as number),
    },
    members: createRootReader(reader, memberShape, 'id'),
    claims: createRootReader(reader, claimShape, 'id'),
    dependents: createRootReader(reader, dependentShape, 'ref'),
    lines: createRootReader(reader, claimLineShape, 'ref'),
    /** Reads the record with a `ref`, which must exist. */
    employer: (ref: number) => readShared(reader, employerShape, ref),
    tenant: (ref: number) => readShared(reader, tenantShape, ref),
  };
}
