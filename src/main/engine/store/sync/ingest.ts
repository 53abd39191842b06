import { createHash } from 'node:crypto';
import type { Database } from '../file/database.ts';
import { isJsonObject, type JsonObject, type JsonValue, writeCanonicalJson } from '../record/json.ts';
import type { ListKind } from '../record/list-kind.ts';
import { type OpenPage, openPage, prepareItem, unpackPage } from '../record/prepare-page.ts';
import { createRecordWriter } from '../record/record-writer.ts';
import { createVersionCounter } from '../record/records-version.ts';
import { claimShape, memberShape } from '../record/shapes.ts';
import type { ChangeLog } from './change-log.ts';
import type { PageInput, PageOutcome } from './page-types.ts';
import type { PassPages } from './pass-pages.ts';
import { hasRules, isLeftOut, readRetentionRules } from './retention.ts';
import type { SeenEntry } from './seen-entries.ts';
import { writeRunPosition } from './sync-state.ts';

interface StoredRecord {
  readonly digest: Buffer;
  readonly bytes_hash: Buffer | null;
  readonly missing_since: string | null;
}

const isSameBytes = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === b || (a !== null && b !== null && Buffer.compare(a, b) === 0);

/**
 * Writes one page of a list in one transaction together with the position of the sync: parse what came by other bytes than
 * last time, compare by digest, write only what differs, set aside what is no record. One unexpected record never fails
 * a page.
 */
export function createIngest(database: Database, pages: PassPages, changes: ChangeLog) {
  const writer = createRecordWriter(database);
  const countChange = createVersionCounter(database);
  const kinds = {
    members: createKind('members', writer.createRootWriter(memberShape)),
    claims: createKind('claims', writer.createRootWriter(claimShape)),
  };
  const noteRead = database.prepare('INSERT OR REPLACE INTO claim_reads (claim_id, at) VALUES (?, ?)');
  const setAside = database.prepare(
    `INSERT INTO set_aside (digest, kind, reason, record_id, body, seen_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (digest) DO UPDATE SET seen_at=excluded.seen_at`,
  );

  function createKind(kind: ListKind, write: ReturnType<typeof writer.createRootWriter>) {
    return {
      write,
      find: database.prepare(
        `SELECT digest, bytes_hash, gone_since AS missing_since FROM ${kind} WHERE id=?`,
      ),
      writeBytesHash: database.prepare(`UPDATE ${kind} SET bytes_hash=? WHERE id=?`),
      unmarkMissing: database.prepare(`UPDATE ${kind} SET gone_since=NULL WHERE id=?`),
    };
  }

  const keepAside = (input: PageInput, item: JsonValue): SeenEntry => {
    const body = writeCanonicalJson(item);
    const digest = createHash('sha256').update(body).digest().subarray(0, 16);
    const id = isJsonObject(item) ? item.id : undefined;
    const reason = isJsonObject(item) ? 'The id is missing or is not a whole number.' : 'It is not a record.';
    setAside.run(
      digest,
      input.kind,
      reason,
      id === undefined ? null : JSON.stringify(id),
      body,
      input.seenAt,
    );
    return { isRecord: false, key: digest.readUIntBE(0, 6), digest };
  };

  const ingest = database.transaction((input: PageInput): PageOutcome => {
    if (input.isPartOfPass) {
      const repeated = pages.repeat(input);
      if (repeated !== null) {
        writeRunPosition(database, input.page + 1, repeated.total);
        return repeated;
      }
    }
    const prepared = input.packed === undefined ? null : unpackPage(input.packed);
    let opened: OpenPage | null = null;
    /** Few prepared pages need the records themselves again. */
    const open = (): OpenPage => {
      opened ??= openPage(input.body, input.requestId);
      return opened;
    };
    const page = prepared ?? open();
    const kind = kinds[input.kind];
    const seen: SeenEntry[] = [];
    let [added, changed] = [0, 0];
    const { kind: list, seenAt: at, changes: source } = input;
    const rules = readRetentionRules(database);
    const isLimited = hasRules(rules);
    /** Of a whole list its end tells when all of them were read. */
    const noteReading = (id: number, isChanged: boolean): void => {
      if (list === 'claims' && input.readAt !== undefined && (isChanged || !input.isPartOfPass))
        noteRead.run(id, input.readAt);
    };
    const keepFound = (id: number, stored: StoredRecord): void => {
      noteReading(id, stored.missing_since !== null);
      if (stored.missing_since === null) return;
      if (source !== undefined) changes.logChange(source, { kind: list, id, change: 'returned', at });
      kind.unmarkMissing.run(id);
      changed += 1;
    };
    /** Whether a record came by the bytes of last time: then it is as it is stored, and is not parsed. */
    const keepSame = (index: number): boolean => {
      if (prepared !== null || isLimited) return false;
      const id = open().idAt(index);
      const stored = id === null ? undefined : (kind.find.get(id) as StoredRecord | undefined);
      if (id === null || stored === undefined || stored.bytes_hash === null) return false;
      if (!isSameBytes(stored.bytes_hash, open().bytesHashAt?.(index) ?? null)) return false;
      seen.push({ isRecord: true, key: id, digest: stored.digest });
      keepFound(id, stored);
      return true;
    };
    for (let index = 0; index < page.facts.records; index += 1) {
      if (keepSame(index)) continue;
      const record = prepared === null ? prepareItem(open(), list, index) : prepared.next();
      if (record === null) {
        seen.push(keepAside(input, open().readAt(index)));
        continue;
      }
      const { id, digest } = record;
      seen.push({ isRecord: true, key: id, digest });
      if (isLimited && isLeftOut(rules, list, open().readAt(index))) continue;
      const stored = kind.find.get(id) as StoredRecord | undefined;
      if (stored === undefined) {
        if (source?.keepsNew === true) changes.logChange(source, { kind: list, id, change: 'new', at });
        kind.write(record, true);
        noteReading(id, false);
        added += 1;
      } else if (!isSameBytes(stored.digest, digest)) {
        const change = stored.missing_since === null ? 'changed' : 'returned';
        const item = open().readAt(index) as JsonObject;
        if (source !== undefined) changes.logChange(source, { kind: list, id, change, at, record: item });
        kind.write(record, false);
        noteReading(id, true);
        changed += 1;
      } else {
        if (!isSameBytes(stored.bytes_hash, record.bytesHash)) kind.writeBytesHash.run(record.bytesHash, id);
        keepFound(id, stored);
      }
    }
    const facts = { ...page.facts, setAside: seen.filter((entry) => !entry.isRecord).length };
    if (source?.keepsNew === false && added > 0) changes.countNew(source, at, added);
    if (added + changed > 0) countChange(input.kind);
    if (input.isPartOfPass) writeRunPosition(database, input.page + 1, facts.total);
    else if (added + changed > 0) pages.distrust();
    const fresh = input.isPartOfPass ? pages.add(input, page.hash, facts, seen) : page.facts.records;
    writer.writeTexts();
    return { ...facts, added, changed, fresh };
  });

  return (input: PageInput): PageOutcome => {
    try {
      return ingest.immediate(input);
    } catch (thrown) {
      writer.forget();
      pages.forget();
      changes.forget();
      throw thrown;
    }
  };
}
