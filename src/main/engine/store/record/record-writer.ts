import { hash } from 'node:crypto';
import type { Database } from '../file/database.ts';
import { claimNameColumns } from './claim-names.ts';
import { type SqlValue, storedColumnsOf } from './decompose.ts';
import { type JsonObject, parseJson } from './json.ts';
import { createOddWriter } from './odd-values.ts';
import { type PreparedLink, type PreparedRecord, type PreparedRow, prepareRow } from './prepare-page.ts';
import { claimShape, type ListShape, type Shape, type SharedObject, sharedShapes } from './shapes.ts';

/** Characters of shared objects cached for each table, about 5 MB: enough for ten thousand members. */
const sharedCacheLimit = 5_000_000;

/** `search` holds the search text of each row of the list, by position. */
type WriteList = (
  parent: number,
  rows: readonly PreparedRow[] | readonly PreparedLink[],
  isNew: boolean,
  search: readonly string[],
) => void;

/**
 * Writes records of one file: the row, its lists and the shared objects it names, each statement prepared once. Search
 * texts wait until `writeTexts`, which the caller calls before its transaction ends: FTS5 writes what it has collected
 * at each statement that runs a trigger or returns rows, which took half the time of a page when they took turns.
 */
export function createRecordWriter(database: Database) {
  const shapeIds = new Map<string, number>();
  const odd = createOddWriter(database);
  let textWrites: (() => void)[] = [];
  const insertShape = database.prepare('INSERT OR IGNORE INTO record_shapes (markers) VALUES (?)');
  const selectShape = database.prepare('SELECT id FROM record_shapes WHERE markers=?').pluck();

  const shapeIdOf = (markers: string): number => {
    let id = shapeIds.get(markers);
    if (id === undefined) {
      insertShape.run(markers);
      id = selectShape.get(markers) as number;
      shapeIds.set(markers, id);
    }
    return id;
  };

  const sharedWriters = new Map<Shape, (text: string) => number>();
  for (const shape of sharedShapes) sharedWriters.set(shape, createSharedWriter(shape));
  const writeShared = (shape: Shape, text: string): number => {
    const write = sharedWriters.get(shape);
    if (write === undefined) throw new Error(`no shared table ${shape.table}`);
    return write(text);
  };

  /** The bound values of a row, in the order of storedColumnsOf(shape). */
  const bind = (shape: Shape, row: PreparedRow): SqlValue[] => [
    ...row.values,
    ...row.shared.map((text, index) =>
      text === null ? null : writeShared((shape.shared[index] as SharedObject).shape(), text),
    ),
    row.extra,
    shapeIdOf(row.markers),
  ];

  function createLinkWriter(list: ListShape & { kind: 'link' }): WriteList {
    const clear = database.prepare(`DELETE FROM ${list.table} WHERE parent=?`);
    const namesMember = list.table === 'claim_members';
    const insert = database.prepare(
      namesMember
        ? `INSERT INTO ${list.table} (parent, position, ref, member_id) VALUES (?, ?, ?, ?)`
        : `INSERT INTO ${list.table} (parent, position, ref) VALUES (?, ?, ?)`,
    );
    const shape = list.shape();
    return (parent, links, isNew) => {
      if (!isNew) clear.run(parent);
      (links as readonly PreparedLink[]).forEach(({ text, id }, position) => {
        const ref = writeShared(shape, text);
        if (namesMember) insert.run(parent, position, ref, id);
        else insert.run(parent, position, ref);
      });
    };
  }

  function createListWriter(list: ListShape): WriteList {
    if (list.kind === 'map') throw new Error('maps hang on shared rows only');
    if (list.kind === 'link') return createLinkWriter(list);
    const shape = list.shape();
    const columns = storedColumnsOf(shape);
    const columnNames = ['parent', 'position', ...columns];
    const insert = database.prepare(
      `INSERT INTO ${list.table} (${columnNames.join(', ')}) VALUES (${columnNames.map(() => '?').join(', ')})`,
    );
    const upsert = database
      .prepare(
        `INSERT INTO ${list.table} (parent, position, ${columns.join(', ')}) VALUES (?, ?, ${columns.map(() => '?').join(', ')})
         ON CONFLICT (parent, position) DO UPDATE SET ${columns.map((name) => `${name}=excluded.${name}`).join(', ')}
         RETURNING ref`,
      )
      .pluck();
    const trim = database
      .prepare(`DELETE FROM ${list.table} WHERE parent=? AND position>=? RETURNING ref`)
      .pluck();
    const text = list.table === 'dependents' ? createTextWriter(list.table) : null;
    return (parent, rows, isNew, search) => {
      (rows as readonly PreparedRow[]).forEach((row, position) => {
        const values = [parent, position, ...bind(shape, row)];
        const ref = isNew ? (insert.run(values).lastInsertRowid as number) : (upsert.get(values) as number);
        text?.write(ref, search[position] ?? '', isNew);
      });
      if (!isNew) for (const ref of trim.all(parent, rows.length) as number[]) text?.remove(ref);
    };
  }

  function createTextWriter(table: string) {
    const remove = database.prepare(`DELETE FROM ${table}_text WHERE rowid=?`);
    const insert = database.prepare(`INSERT INTO ${table}_text (rowid, body) VALUES (?, ?)`);
    return {
      write(ref: number, body: string, isNew: boolean): void {
        if (!isNew) this.remove(ref);
        if (body !== '') textWrites.push(() => insert.run(ref, body));
      },
      remove: (ref: number): void => void textWrites.push(() => remove.run(ref)),
    };
  }

  function createSharedWriter(shape: Shape): (text: string) => number {
    const columns = storedColumnsOf(shape);
    const select = database.prepare(`SELECT ref FROM ${shape.table} WHERE digest=?`).pluck();
    const insert = database
      .prepare(
        `INSERT INTO ${shape.table} (digest, ${columns.join(', ')}) VALUES (?, ${columns.map(() => '?').join(', ')}) RETURNING ref`,
      )
      .pluck();
    const insertKey = shape.lists
      .filter((list) => list.kind === 'map')
      .map((list) => database.prepare(`INSERT INTO ${list.table} (parent, code, key) VALUES (?, ?, ?)`))[0];
    let writeLists: WriteList[] | null = null;
    const cache = new Map<string, number>();
    let cachedLength = 0;
    return (text) => {
      const cached = cache.get(text);
      if (cached !== undefined) return cached;
      const digest = hash('sha256', text, 'buffer').subarray(0, 16);
      let ref = select.get(digest) as number | undefined;
      if (ref === undefined) {
        const row = prepareRow(shape, parseJson(text) as JsonObject);
        const written = insert.get(digest, ...bind(shape, row)) as number;
        writeLists ??= createListWriters(shape);
        writeLists.forEach((write, index) => {
          write(written, row.lists[index] ?? [], true, []);
        });
        for (const [code, key] of row.maps) insertKey?.run(written, code, key);
        ref = written;
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

  /** In the order of the lists of a prepared row. */
  const createListWriters = (shape: Shape): WriteList[] =>
    shape.lists.filter((list) => list.kind !== 'map').map(createListWriter);

  function createRootWriter(shape: Shape) {
    const columns = [...storedColumnsOf(shape), ...(shape === claimShape ? claimNameColumns : [])];
    const insert = database.prepare(
      `INSERT INTO ${shape.table} (digest, bytes_hash, ${columns.join(', ')}) VALUES (?, ?, ${columns.map(() => '?').join(', ')})`,
    );
    const update = database.prepare(
      `UPDATE ${shape.table} SET digest=?, bytes_hash=?, gone_since=NULL, ${columns.map((name) => `${name}=?`).join(', ')} WHERE id=?`,
    );
    const writeLists = createListWriters(shape);
    const text = createTextWriter(shape.table);
    return (
      { id, row, derived, digest, bytesHash, search, listSearch }: PreparedRecord,
      isNew: boolean,
    ): void => {
      if (isNew) insert.run(digest, bytesHash, ...bind(shape, row), ...derived);
      else update.run(digest, bytesHash, ...bind(shape, row), ...derived, id);
      writeLists.forEach((write, index) => {
        write(id, row.lists[index] ?? [], isNew, listSearch);
      });
      if (shape === claimShape) odd.write(id, row, isNew);
      text.write(id, search, isNew);
    };
  }

  return {
    createRootWriter,
    writeTexts(): void {
      for (const write of textWrites) write();
      textWrites = [];
    },
    /** After a rollback: cached ids of rows that were rolled back are invalid. */
    forget(): void {
      shapeIds.clear();
      odd.forget();
      textWrites = [];
      for (const shape of sharedShapes) sharedWriters.set(shape, createSharedWriter(shape));
    },
  };
}
