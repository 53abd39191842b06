import { hash } from 'node:crypto';
import type { Database } from '../file/database.ts';
import { claimNameColumns } from './claim-names.ts';
import { type SqlValue, storedColumnsOf } from './decompose.ts';
import { type JsonObject, parseJson } from './json.ts';
import { memo } from './memo.ts';
import { createOddWriter } from './odd-values.ts';
import { type PreparedLink, type PreparedRecord, type PreparedRow, prepareRow } from './prepare-page.ts';
import { claimShape, type ListShape, memberShape, type Shape, type SharedObject } from './record-columns.ts';

/** The most characters of shared objects cached per table, about 5 MB: enough for ten thousand members. */
const sharedCacheLimit = 5_000_000;

type OddWriter = ReturnType<typeof createOddWriter>;

/** `search` holds the search text of each row of the list, by position. */
type WriteList = (
  parent: number,
  rows: readonly PreparedRow[] | readonly PreparedLink[],
  isNew: boolean,
  search: readonly string[],
) => void;

/** Statements and values that are made once for a connection. */
interface Writer {
  readonly database: Database;
  readonly shapeIdOf: (markers: string) => number;
  readonly shared: Map<Shape, (text: string) => number>;
  /** Search texts that are still to be written. */
  readonly texts: (() => void)[];
}

const binds = (count: number): string => Array.from({ length: count }, () => '?').join(', ');

const writeShared = (writer: Writer, shape: Shape, text: string): number =>
  memo(writer.shared, shape, () => createSharedWriter(writer, shape))(text);

/** The bound values of a row, in the order of storedColumnsOf(shape). */
const bind = (writer: Writer, shape: Shape, row: PreparedRow): SqlValue[] => [
  ...row.values,
  ...row.shared.map((text, index) =>
    text === null ? null : writeShared(writer, (shape.shared[index] as SharedObject).shape(), text),
  ),
  row.extra ?? null,
  writer.shapeIdOf(row.markers),
];

function createLinkWriter(writer: Writer, list: ListShape & { kind: 'link' }): WriteList {
  const { database } = writer;
  const clear = database.prepare(`DELETE FROM ${list.table} WHERE parent=?`);
  const namesMember = list.table === 'claim_members';
  const columns = ['parent', 'position', 'ref', ...(namesMember ? ['member_id'] : [])];
  const insert = database.prepare(
    `INSERT INTO ${list.table} (${columns.join(', ')}) VALUES (${binds(columns.length)})`,
  );
  const shape = list.shape();
  return (parent, links, isNew) => {
    if (!isNew) clear.run(parent);
    (links as readonly PreparedLink[]).forEach(({ text, id }, position) => {
      const ref = writeShared(writer, shape, text);
      if (namesMember) insert.run(parent, position, ref, id);
      else insert.run(parent, position, ref);
    });
  };
}

function createListWriter(writer: Writer, list: ListShape): WriteList {
  if (list.kind === 'map') throw new Error('maps belong to shared rows only');
  if (list.kind === 'link') return createLinkWriter(writer, list);
  const { database } = writer;
  const shape = list.shape();
  const columns = storedColumnsOf(shape);
  const insertSql = `INSERT INTO ${list.table} (parent, position, ${columns.join(', ')}) VALUES (${binds(columns.length + 2)})`;
  const insert = database.prepare(insertSql);
  const upsert = database
    .prepare(
      `${insertSql} ON CONFLICT (parent, position)
       DO UPDATE SET ${columns.map((name) => `${name}=excluded.${name}`).join(', ')} RETURNING ref`,
    )
    .pluck();
  const trim = database
    .prepare(`DELETE FROM ${list.table} WHERE parent=? AND position>=? RETURNING ref`)
    .pluck();
  const text = list.table === 'dependents' ? createTextWriter(writer, list.table) : null;
  return (parent, rows, isNew, search) => {
    (rows as readonly PreparedRow[]).forEach((row, position) => {
      const values = [parent, position, ...bind(writer, shape, row)];
      const ref = isNew ? (insert.run(values).lastInsertRowid as number) : (upsert.get(values) as number);
      text?.write(ref, search[position] ?? '', isNew);
    });
    if (!isNew) for (const ref of trim.all(parent, rows.length) as number[]) text?.remove(ref);
  };
}

/** Makes the writers of the lists of a prepared row, in their order. */
const createListWriters = (writer: Writer, shape: Shape): WriteList[] =>
  shape.lists.filter((list) => list.kind !== 'map').map((list) => createListWriter(writer, list));

function createTextWriter({ database, texts }: Writer, table: string) {
  const clear = database.prepare(`DELETE FROM ${table}_text WHERE rowid=?`);
  const insert = database.prepare(`INSERT INTO ${table}_text (rowid, body) VALUES (?, ?)`);
  const remove = (ref: number): void => void texts.push(() => clear.run(ref));
  return {
    remove,
    write(ref: number, body: string, isNew: boolean): void {
      if (!isNew) remove(ref);
      if (body !== '') texts.push(() => insert.run(ref, body));
    },
  };
}

function createSharedWriter(writer: Writer, shape: Shape): (text: string) => number {
  const { database } = writer;
  const columns = storedColumnsOf(shape);
  const select = database.prepare(`SELECT ref FROM ${shape.table} WHERE digest=?`).pluck();
  const insert = database
    .prepare(
      `INSERT INTO ${shape.table} (digest, ${columns.join(', ')}) VALUES (${binds(columns.length + 1)}) RETURNING ref`,
    )
    .pluck();
  const insertKey = shape.lists
    .filter((list) => list.kind === 'map')
    .map((list) => database.prepare(`INSERT INTO ${list.table} (parent, code, key) VALUES (?, ?, ?)`))[0];
  let writeLists: WriteList[] | null = null;
  const write = (digest: Uint8Array, text: string): number => {
    const row = prepareRow(shape, parseJson(text) as JsonObject);
    const ref = insert.get(digest, ...bind(writer, shape, row)) as number;
    writeLists ??= createListWriters(writer, shape);
    for (const [index, writeList] of writeLists.entries()) writeList(ref, row.lists[index] ?? [], true, []);
    for (const [code, key] of row.maps ?? []) insertKey?.run(ref, code, key);
    return ref;
  };
  const refByText = new Map<string, number>();
  let knownLength = 0;
  return (text) => {
    const cached = refByText.get(text);
    if (cached !== undefined) return cached;
    const digest = hash('sha256', text, 'buffer').subarray(0, 16);
    const ref = (select.get(digest) as number | undefined) ?? write(digest, text);
    knownLength += text.length;
    if (knownLength > sharedCacheLimit) {
      refByText.clear();
      knownLength = text.length;
    }
    refByText.set(text, ref);
    return ref;
  };
}

function createRootWriter(writer: Writer, shape: Shape, odd: OddWriter) {
  const { database } = writer;
  const columns = [...storedColumnsOf(shape), ...(shape === claimShape ? claimNameColumns : [])];
  const insert = database.prepare(
    `INSERT INTO ${shape.table} (digest, bytes_hash, ${columns.join(', ')}) VALUES (${binds(columns.length + 2)})`,
  );
  const update = database.prepare(
    `UPDATE ${shape.table} SET digest=?, bytes_hash=?, gone_since=NULL, ${columns.map((name) => `${name}=?`).join(', ')} WHERE id=?`,
  );
  const writeLists = createListWriters(writer, shape);
  const text = createTextWriter(writer, shape.table);
  return (record: PreparedRecord, isNew: boolean): void => {
    const { id, row, derived, digest, bytesHash, search, listSearch } = record;
    const values = [digest, bytesHash, ...bind(writer, shape, row), ...derived];
    if (isNew) insert.run(values);
    else update.run([...values, id]);
    for (const [index, write] of writeLists.entries()) write(id, row.lists[index] ?? [], isNew, listSearch);
    if (shape === claimShape) odd.write(id, row, isNew);
    text.write(id, search, isNew);
  };
}

/**
 * Writes records of one file: the row, its lists and the shared objects it refers to, each with a statement that is
 * prepared once. Search texts wait until `writeTexts`, which the caller calls before its transaction ends. FTS5 writes
 * what it has collected at each statement that runs a trigger or returns rows; when texts and rows were written in
 * turns, that was half the time of a page.
 */
export function createRecordWriter(database: Database) {
  const insertShape = database.prepare('INSERT OR IGNORE INTO record_shapes (markers) VALUES (?)');
  const selectShape = database.prepare('SELECT id FROM record_shapes WHERE markers=?').pluck();
  const shapeIds = new Map<string, number>();
  const shapeIdOf = (markers: string): number =>
    memo(shapeIds, markers, () => {
      insertShape.run(markers);
      return selectShape.get(markers) as number;
    });
  const odd = createOddWriter(database);
  const writer: Writer = { database, shapeIdOf, shared: new Map(), texts: [] };
  return {
    members: createRootWriter(writer, memberShape, odd),
    claims: createRootWriter(writer, claimShape, odd),
    writeTexts(): void {
      for (const write of writer.texts.splice(0)) write();
    },
    /** Called after a rollback: cached IDs of rows that were rolled back are invalid. */
    forget(): void {
      shapeIds.clear();
      odd.forget();
      writer.texts.length = 0;
      writer.shared.clear();
    },
  };
}
