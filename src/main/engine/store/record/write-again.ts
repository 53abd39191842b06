import type { Database } from '../file/database.ts';
import type { ListKind } from './list-kind.ts';
import { prepareRecord } from './prepare-page.ts';
import { createRecordReader } from './record-reader.ts';
import { createRecordWriter } from './record-writer.ts';
import { createVersionCounter } from './records-version.ts';

/** Records per step; a step blocks the writer for some tens of milliseconds. */
const perStep = 200;

/** Creates the reader and the writer, only once a record has to be written. */
const createTools = (database: Database) => ({
  reader: createRecordReader(database),
  writer: createRecordWriter(database),
});

/**
 * Makes the operation that rewrites records that an older version stored in a different form (`records_to_write`), some
 * in each call; true while there are more. A record that can't be read, or does not match its digest, is left
 * unchanged: the full check reports it.
 */
export function createRewrite(database: Database): () => boolean {
  const next = database.prepare(`SELECT kind, id FROM records_to_write LIMIT ${perStep}`);
  const done = database.prepare('DELETE FROM records_to_write WHERE kind=? AND id=?');
  const countChange = createVersionCounter(database);
  let tools: ReturnType<typeof createTools> | null = null;

  const readWhole = (from: ReturnType<typeof createTools>, kind: ListKind, id: number) => {
    try {
      return from.reader[kind](id)?.record ?? null;
    } catch {
      // The reader's cache may contain parts of shared rows.
      from.reader = createRecordReader(database);
      return null;
    }
  };
  const writeOne = (kind: ListKind, id: number): void => {
    tools ??= createTools(database);
    const row = database
      .prepare(`SELECT digest, bytes_hash, gone_since FROM ${kind} WHERE id=?`)
      .raw()
      .get(id) as [Buffer, Uint8Array | null, string | null] | undefined;
    const record = row === undefined ? null : readWhole(tools, kind, id);
    if (row === undefined || record === null) return;
    const [digest, bytesHash, missingSince] = row;
    const prepared = prepareRecord(kind, id, record, bytesHash);
    if (!digest.equals(prepared.digest)) return;
    tools.writer[kind](prepared, false);
    if (missingSince !== null)
      database.prepare(`UPDATE ${kind} SET gone_since=? WHERE id=?`).run(missingSince, id);
    if (kind === 'claims') database.prepare('INSERT INTO changed_claims (id) VALUES (?)').run(id);
    countChange(kind);
  };
  const rewrite = database.transaction((): boolean => {
    const marked = next.all() as { kind: ListKind; id: number }[];
    for (const { kind, id } of marked) {
      done.run(kind, id);
      writeOne(kind, id);
    }
    tools?.writer.writeTexts();
    return marked.length === perStep;
  });

  return () => {
    let hasMore = false;
    try {
      hasMore = rewrite.immediate();
      return hasMore;
    } finally {
      // After the last record, or a rollback, their caches are no longer needed.
      if (!hasMore) tools = null;
    }
  };
}
