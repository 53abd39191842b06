import type { Database } from '../file/database.ts';
import type { ListKind } from './list-kind.ts';
import { prepareRecord } from './prepare-page.ts';
import { createRecordReader } from './record-reader.ts';
import { createRecordWriter } from './record-writer.ts';
import { createVersionCounter } from './records-version.ts';
import { claimShape, memberShape } from './shapes.ts';

/** Records per step; a step blocks the writer for some tens of milliseconds. */
const perStep = 200;

interface Marked {
  readonly kind: ListKind;
  readonly id: number;
}

/** The writers of one run; made only where a record is to be written. */
function createWriters(database: Database) {
  const writer = createRecordWriter(database);
  return {
    reader: createRecordReader(database),
    writer,
    write: {
      members: writer.createRootWriter(memberShape),
      claims: writer.createRootWriter(claimShape),
    },
  };
}

/**
 * Makes the operation that writes records again which an older Claimdesk kept in another way (`records_to_write`): each
 * call the next few, true while there are more. A record that cannot be
 * read, or does not match its digest, stays as it is: the full check reports it.
 */
export function createRewrite(database: Database): () => boolean {
  const next = database.prepare(`SELECT kind, id FROM records_to_write LIMIT ${perStep}`);
  const done = database.prepare('DELETE FROM records_to_write WHERE kind=? AND id=?');
  const note = database.prepare('INSERT INTO changed_claims (id) VALUES (?)');
  const countChange = createVersionCounter(database);
  const beside = {
    members: database.prepare('SELECT digest, bytes_hash, gone_since FROM members WHERE id=?').raw(),
    claims: database.prepare('SELECT digest, bytes_hash, gone_since FROM claims WHERE id=?').raw(),
  };
  const markMissing = {
    members: database.prepare('UPDATE members SET gone_since=? WHERE id=?'),
    claims: database.prepare('UPDATE claims SET gone_since=? WHERE id=?'),
  };
  let writers: ReturnType<typeof createWriters> | null = null;

  const rewrite = database.transaction((): boolean => {
    const marked = next.all() as Marked[];
    if (marked.length > 0) writers ??= createWriters(database);
    for (const { kind, id } of marked) {
      done.run(kind, id);
      const found = beside[kind].get(id) as [Buffer, Uint8Array | null, string | null] | undefined;
      const record = found === undefined ? null : readWhole(kind, id);
      if (found === undefined || record === null || writers === null) continue;
      const [digest, bytesHash, missingSince] = found;
      const prepared = prepareRecord(kind, id, record, bytesHash);
      if (!digest.equals(prepared.digest)) continue;
      writers.write[kind](prepared, false);
      if (missingSince !== null) markMissing[kind].run(missingSince, id);
      if (kind === 'claims') note.run(id);
      countChange(kind);
    }
    writers?.writer.writeTexts();
    return marked.length === perStep;
  });

  const readWhole = (kind: ListKind, id: number) => {
    try {
      return writers?.reader[kind](id)?.record ?? null;
    } catch {
      // The reader's cache may contain parts of shared rows.
      if (writers !== null) writers = { ...writers, reader: createRecordReader(database) };
      return null;
    }
  };

  return () => {
    try {
      const hasMore = rewrite.immediate();
      // Their caches are of no use any more.
      if (!hasMore) writers = null;
      return hasMore;
    } catch (thrown) {
      writers = null;
      throw thrown;
    }
  };
}
