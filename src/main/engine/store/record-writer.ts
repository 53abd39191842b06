import { hash } from 'node:crypto';
import type { Connection } from './connection.ts';
import { type Decomposed, decompose, type SqlValue, storedColumnsOf } from './decompose.ts';
import { type JsonObject, writeCanonicalJson } from './json.ts';
import { type ListShape, type Shape, sharedShapes } from './shapes.ts';
import { searchableText } from './text-index.ts';

/**
 * 128 bits of SHA-256 over the JSON text with the keys in the order in which they came: half the cost of a
 * canonical text. Records with equal digests are equal; of two with other digests only a comparison tells.
 */
export const digestOf = (record: JsonObject): Buffer => digestText(JSON.stringify(record));

const digestText = (text: string): Buffer => hash('sha256', text, 'buffer').subarray(0, 16);

/** Characters of remembered shared objects a table, about 30 MB: a hundred thousand members fit. */
const sharedCacheLimit = 30_000_000;

/**
 * Writes records of one file: the row, its lists, the shared objects it names and the search text, each
 * statement prepared once. The caller holds the transaction.
 */
export function createRecordWriter(connection: Connection) {
  const shapeIds = new Map<string, number>();
  const insertShape = connection.prepare('INSERT OR IGNORE INTO record_shapes (markers) VALUES (?)');
  const selectShape = connection.prepare('SELECT id FROM record_shapes WHERE markers=?').pluck();

  const shapeIdOf = (markers: string[]): number => {
    const text = markers.length === 0 ? '[]' : JSON.stringify(markers);
    let id = shapeIds.get(text);
    if (id === undefined) {
      insertShape.run(text);
      id = selectShape.get(text) as number;
      shapeIds.set(text, id);
    }
    return id;
  };

  const sharedWriters = new Map<Shape, (object: JsonObject) => number>();
  for (const shape of sharedShapes) sharedWriters.set(shape, createSharedWriter(shape));
  const writeShared = (shape: Shape, object: JsonObject): number => {
    const write = sharedWriters.get(shape);
    if (write === undefined) throw new Error(`no shared table ${shape.table}`);
    return write(object);
  };

  /** The bound values of a row, in the order of storedColumnsOf(shape). */
  const bind = (parts: Decomposed): SqlValue[] => [
    ...parts.values,
    ...parts.shared.map(({ shape, object }) => (object === null ? null : writeShared(shape, object))),
    parts.extra === null ? null : JSON.stringify(parts.extra),
    shapeIdOf(parts.markers),
  ];

  function createListWriter(list: ListShape) {
    const clear = connection.prepare(`DELETE FROM ${list.table} WHERE parent=?`);
    if (list.kind === 'link') {
      const namesMember = list.table === 'claim_members';
      const insert = connection.prepare(
        namesMember
          ? `INSERT INTO ${list.table} (parent, position, ref, member_id) VALUES (?, ?, ?, ?)`
          : `INSERT INTO ${list.table} (parent, position, ref) VALUES (?, ?, ?)`,
      );
      const shape = list.shape();
      return (parent: number, items: JsonObject[], isNew: boolean): void => {
        if (!isNew) clear.run(parent);
        items.forEach((item, position) => {
          const ref = writeShared(shape, item);
          if (namesMember) insert.run(parent, position, ref, Number.isSafeInteger(item.id) ? item.id : null);
          else insert.run(parent, position, ref);
        });
      };
    }
    if (list.kind === 'map') throw new Error('maps hang on shared rows only');
    const shape = list.shape();
    const columns = storedColumnsOf(shape);
    const places = ['parent', 'position', ...columns];
    const insert = connection.prepare(
      `INSERT INTO ${list.table} (${places.join(', ')}) VALUES (${places.map(() => '?').join(', ')})`,
    );
    const upsert = connection
      .prepare(
        `INSERT INTO ${list.table} (parent, position, ${columns.join(', ')}) VALUES (?, ?, ${columns.map(() => '?').join(', ')})
         ON CONFLICT (parent, position) DO UPDATE SET ${columns.map((name) => `${name}=excluded.${name}`).join(', ')}
         RETURNING ref`,
      )
      .pluck();
    const trim = connection
      .prepare(`DELETE FROM ${list.table} WHERE parent=? AND position>=? RETURNING ref`)
      .pluck();
    const text = list.table === 'dependents' ? createTextWriter(list.table) : null;
    return (parent: number, items: JsonObject[], isNew: boolean): void => {
      items.forEach((item, position) => {
        const values = [parent, position, ...bind(decompose(shape, item))];
        const ref = isNew ? (insert.run(values).lastInsertRowid as number) : (upsert.get(values) as number);
        text?.write(ref, item, isNew);
      });
      if (!isNew) for (const ref of trim.all(parent, items.length) as number[]) text?.remove(ref);
    };
  }

  function createTextWriter(table: string) {
    const remove = connection.prepare(`DELETE FROM ${table}_text WHERE rowid=?`);
    const insert = connection.prepare(`INSERT INTO ${table}_text (rowid, body) VALUES (?, ?)`);
    return {
      write(ref: number, record: JsonObject, isNew: boolean): void {
        if (!isNew) remove.run(ref);
        const body = searchableText(table, record);
        if (body !== '') insert.run(ref, body);
      },
      remove: (ref: number): void => void remove.run(ref),
    };
  }

  function createSharedWriter(shape: Shape): (object: JsonObject) => number {
    const columns = storedColumnsOf(shape);
    const select = connection.prepare(`SELECT ref FROM ${shape.table} WHERE digest=?`).pluck();
    const insert = connection
      .prepare(
        `INSERT INTO ${shape.table} (digest, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')}) RETURNING ref`,
      )
      .pluck();
    const lists = new Map<ListShape, ReturnType<typeof createListWriter>>();
    const insertKey = shape.lists
      .filter((list) => list.kind === 'map')
      .map((list) => connection.prepare(`INSERT INTO ${list.table} (parent, code, key) VALUES (?, ?, ?)`))[0];
    const cache = new Map<string, number>();
    let cachedLength = 0;
    return (object) => {
      const text = JSON.stringify(object);
      const cached = cache.get(text);
      if (cached !== undefined) return cached;
      const digest = digestText(writeCanonicalJson(object));
      let ref = select.get(digest) as number | undefined;
      if (ref === undefined) {
        const parts = decompose(shape, object);
        ref = insert.get(digest, ...bind(parts)) as number;
        for (const { list, items } of parts.lists) {
          let write = lists.get(list);
          if (write === undefined) {
            write = createListWriter(list);
            lists.set(list, write);
          }
          write(ref, items, true);
        }
        for (const { entries } of parts.maps)
          for (const [code, key] of entries) insertKey?.run(ref, code, key);
      }
      cachedLength += text.length;
      if (cachedLength > sharedCacheLimit) {
        cache.clear();
        cachedLength = text.length;
      }
      cache.set(text, ref);
      return ref;
    };
  }

  function createRootWriter(shape: Shape) {
    const columns = storedColumnsOf(shape);
    const insert = connection.prepare(
      `INSERT INTO ${shape.table} (digest, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')})`,
    );
    const update = connection.prepare(
      `UPDATE ${shape.table} SET digest=?, gone_since=NULL, ${columns.map((name) => `${name}=?`).join(', ')} WHERE id=?`,
    );
    const lists = new Map(
      shape.lists.filter((list) => list.kind !== 'map').map((list) => [list.key, createListWriter(list)]),
    );
    const text = createTextWriter(shape.table);
    return (id: number, record: JsonObject, digest: Buffer, isNew: boolean): void => {
      const parts = decompose(shape, record);
      if (isNew) insert.run(digest, ...bind(parts));
      else update.run(digest, ...bind(parts), id);
      for (const { list, items } of parts.lists) lists.get(list.key)?.(id, items, isNew);
      text.write(id, record, isNew);
    };
  }

  return {
    createRootWriter,
    /** After a rollback: ids of rows that were rolled back must not be reused. */
    forget(): void {
      shapeIds.clear();
      for (const shape of sharedShapes) sharedWriters.set(shape, createSharedWriter(shape));
    },
  };
}
