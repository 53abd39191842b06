import type { Database } from '../file/database.ts';
import { compose, type Gathered, type SqlValue } from './decompose.ts';
import { type JsonObject, type JsonValue, parseJson } from './json.ts';
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
} from './shapes.ts';

const sharedCacheLimit = 5_000;

export type StoredRow = Record<string, SqlValue>;

/** Reads records back whole, equal as JSON to what was sent. Shared objects are composed once and reused. */
export function createRecordReader(database: Database) {
  const selectMarkers = database.prepare('SELECT markers FROM record_shapes WHERE id=?').pluck();
  const createMarkerReader = (table: string): ((id: number) => string[]) => {
    const markers = new Map<number, string[]>();
    // A migration that added a column recorded that older rows of the table had no such field.
    const ofTable = `${table}:`;
    return (id) => {
      let found = markers.get(id);
      if (found === undefined) {
        const written = JSON.parse(selectMarkers.get(id) as string) as string[];
        found = written.map((marker) => (marker.startsWith(ofTable) ? marker.slice(ofTable.length) : marker));
        markers.set(id, found);
      }
      return found;
    };
  };

  const readers = new Map<Shape, (row: StoredRow, key: number) => JsonObject>();
  const readerOf = (shape: Shape) => {
    let reader = readers.get(shape);
    if (reader === undefined) {
      reader = createReader(shape);
      readers.set(shape, reader);
    }
    return reader;
  };

  const sharedReaders = new Map<Shape, (ref: number) => JsonObject>();
  const readShared = (shape: Shape, ref: number): JsonObject => {
    let read = sharedReaders.get(shape);
    if (read === undefined) {
      const select = database.prepare(`SELECT * FROM ${shape.table} WHERE ref=?`);
      const cache = new Map<number, JsonObject>();
      const reader = readerOf(shape);
      read = (wanted) => {
        let object = cache.get(wanted);
        if (object === undefined) {
          object = reader(select.get(wanted) as StoredRow, wanted);
          if (cache.size >= sharedCacheLimit) cache.clear();
          cache.set(wanted, object);
        }
        return object;
      };
      sharedReaders.set(shape, read);
    }
    return read(ref);
  };

  function createListReader(list: ListShape): (parent: number) => JsonValue {
    if (list.kind === 'map') {
      const select = database.prepare(`SELECT code, key FROM ${list.table} WHERE parent=?`).raw();
      return (parent) => Object.fromEntries(select.all(parent) as [string, string][]);
    }
    const shape = list.shape();
    if (list.kind === 'link') {
      const select = database
        .prepare(`SELECT ref FROM ${list.table} WHERE parent=? ORDER BY position`)
        .pluck();
      return (parent) => (select.all(parent) as number[]).map((ref) => readShared(shape, ref));
    }
    const select = database.prepare(`SELECT * FROM ${list.table} WHERE parent=? ORDER BY position`);
    const reader = readerOf(shape);
    return (parent) => (select.all(parent) as StoredRow[]).map((row) => reader(row, row.ref as number));
  }

  function createReader(shape: Shape) {
    const columns = flatColumnsOf(shape).map((column) => column.column);
    const lists = shape.lists.map((list) => ({ key: list.key, read: createListReader(list) }));
    const readMarkers = createMarkerReader(shape.table);
    return (row: StoredRow, key: number): JsonObject => {
      const gathered: Gathered = {
        values: columns.map((name) => row[name] ?? null),
        shared: new Map(
          shape.shared.map((shared) => {
            const ref = row[shared.column] as number | null;
            return [shared.key, ref === null ? null : readShared(shared.shape(), ref)];
          }),
        ),
        lists: new Map(lists.map((list) => [list.key, list.read(key)])),
        extra: typeof row.extra === 'string' ? (parseJson(row.extra) as JsonObject) : null,
        markers: readMarkers(row.shape_id as number),
      };
      return compose(shape, gathered);
    };
  }

  const createRootReader = (shape: Shape, keyColumn: 'id' | 'ref') => {
    const select = database.prepare(`SELECT * FROM ${shape.table} WHERE ${keyColumn}=?`);
    return (key: number): { record: JsonObject; parent: number | null } | null => {
      const row = select.get(key) as StoredRow | undefined;
      if (row === undefined) return null;
      return { record: readerOf(shape)(row, key), parent: (row.parent as number | undefined) ?? null };
    };
  };

  return {
    /** A record whose row has been read, with all of its columns. */
    fromRow: {
      members: (row: StoredRow): JsonObject => readerOf(memberShape)(row, row.id as number),
      claims: (row: StoredRow): JsonObject => readerOf(claimShape)(row, row.id as number),
    },
    members: createRootReader(memberShape, 'id'),
    claims: createRootReader(claimShape, 'id'),
    dependents: createRootReader(dependentShape, 'ref'),
    lines: createRootReader(claimLineShape, 'ref'),
    /** By `ref`, which must exist. */
    employer: (ref: number) => readShared(employerShape, ref),
    tenant: (ref: number) => readShared(tenantShape, ref),
  };
}
