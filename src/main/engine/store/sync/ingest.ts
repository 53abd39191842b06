import { createHash } from 'node:crypto';
import type { Database, Statement } from '../file/database.ts';
import { isJsonObject, type JsonObject, type JsonValue, writeCanonicalJson } from '../record/json.ts';
import type { ListKind } from '../record/list-kind.ts';
import {
  type OpenPage,
  openPage,
  type PreparedPage,
  type PreparedRecord,
  prepareItem,
  unpackPage,
} from '../record/prepare-page.ts';
import { createRecordWriter } from '../record/record-writer.ts';
import { createVersionCounter } from '../record/records-version.ts';
import type { ChangeLog } from './change-log.ts';
import type { PageInput, PageOutcome } from './page-types.ts';
import type { PassPages } from './pass-pages.ts';
import { hasRules, isLeftOut, type LeavingRules, readLeavingRules } from './retention.ts';
import type { PassEntry } from './seen-entries.ts';
import { writeSyncPosition } from './sync-state.ts';

interface StoredRecord {
  readonly digest: Buffer;
  readonly bytes_hash: Buffer | null;
  readonly missing_since: string | null;
}

const isSameBytes = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a === b || (a !== null && b !== null && Buffer.compare(a, b) === 0);

const prepareStatements = (database: Database, kind: ListKind) => ({
  find: database.prepare(`SELECT digest, bytes_hash, gone_since AS missing_since FROM ${kind} WHERE id=?`),
  writeBytesHash: database.prepare(`UPDATE ${kind} SET bytes_hash=? WHERE id=?`),
  unmarkMissing: database.prepare(`UPDATE ${kind} SET gone_since=NULL WHERE id=?`),
});

/** The parts that write pages. */
interface Ingest {
  readonly database: Database;
  readonly pages: PassPages;
  readonly changes: ChangeLog;
  readonly writer: ReturnType<typeof createRecordWriter>;
  readonly countChange: ReturnType<typeof createVersionCounter>;
  readonly statements: Readonly<Record<ListKind, ReturnType<typeof prepareStatements>>>;
  readonly keepRead: Statement;
  readonly setAside: Statement;
}

/** A page while it is written. */
interface CurrentPage {
  readonly input: PageInput;
  readonly prepared: PreparedPage | null;
  /** The page as received; rarely needed where it was prepared. */
  readonly open: () => OpenPage;
  readonly rules: LeavingRules;
  readonly seen: PassEntry[];
  added: number;
  changed: number;
}

function setAside({ setAside: put }: Ingest, { kind, seenAt }: PageInput, item: JsonValue): PassEntry {
  const body = writeCanonicalJson(item);
  const digest = createHash('sha256').update(body).digest().subarray(0, 16);
  const id = isJsonObject(item) ? item.id : undefined;
  const reason = isJsonObject(item)
    ? 'The id is missing or is not a whole number.'
    : 'It is not a record, or is nested too deeply.';
  put.run(digest, kind, reason, id === undefined ? null : JSON.stringify(id), body, seenAt);
  return { isRecord: false, key: digest.readUIntBE(0, 6), digest };
}

/** Records when a claim was read. For a whole list, this is recorded once at the end. */
function keepReading({ keepRead }: Ingest, { input }: CurrentPage, id: number, isChanged: boolean): void {
  if (input.kind === 'claims' && input.readAt !== undefined && (isChanged || !input.isPartOfPass))
    keepRead.run(id, input.readAt);
}

/** Handles a received record that equals the stored one. */
function keepStored(ingest: Ingest, page: CurrentPage, id: number, stored: StoredRecord): void {
  const { kind, seenAt: at, changes: source } = page.input;
  keepReading(ingest, page, id, stored.missing_since !== null);
  if (stored.missing_since === null) return;
  if (source !== undefined) ingest.changes.logChange(source, { kind, id, change: 'returned', at });
  ingest.statements[kind].unmarkMissing.run(id);
  page.changed += 1;
}

/** Whether a record has the same bytes as last time: then it is equal to the stored one and is not parsed. */
function keepSameBytes(ingest: Ingest, page: CurrentPage, index: number): boolean {
  if (page.prepared !== null || hasRules(page.rules)) return false;
  const id = page.open().idAt(index);
  const { find } = ingest.statements[page.input.kind];
  const stored = id === null ? undefined : (find.get(id) as StoredRecord | undefined);
  if (id === null || stored === undefined || stored.bytes_hash === null) return false;
  if (!isSameBytes(stored.bytes_hash, page.open().bytesHashAt?.(index) ?? null)) return false;
  page.seen.push({ isRecord: true, key: id, digest: stored.digest });
  keepStored(ingest, page, id, stored);
  return true;
}

function writeRecord(ingest: Ingest, page: CurrentPage, record: PreparedRecord, index: number): void {
  const { kind, seenAt: at, changes: source } = page.input;
  const { find, writeBytesHash } = ingest.statements[kind];
  const { id, digest } = record;
  page.seen.push({ isRecord: true, key: id, digest });
  if (hasRules(page.rules) && isLeftOut(page.rules, kind, page.open().readAt(index))) return;
  const stored = find.get(id) as StoredRecord | undefined;
  if (stored === undefined) {
    if (source?.keepsNew === true) ingest.changes.logChange(source, { kind, id, change: 'new', at });
    ingest.writer[kind](record, true);
    keepReading(ingest, page, id, false);
    page.added += 1;
  } else if (!isSameBytes(stored.digest, digest)) {
    const change = stored.missing_since === null ? 'changed' : 'returned';
    const item = page.open().readAt(index) as JsonObject;
    if (source !== undefined) ingest.changes.logChange(source, { kind, id, change, at, record: item });
    ingest.writer[kind](record, false);
    keepReading(ingest, page, id, true);
    page.changed += 1;
  } else {
    if (!isSameBytes(stored.bytes_hash, record.bytesHash)) writeBytesHash.run(record.bytesHash, id);
    keepStored(ingest, page, id, stored);
  }
}

function writePage(ingest: Ingest, input: PageInput): PageOutcome {
  const { database, pages, changes } = ingest;
  const repeated = input.isPartOfPass ? pages.repeat(input) : null;
  if (repeated !== null) {
    writeSyncPosition(database, input.page + 1, repeated.total);
    return repeated;
  }
  const prepared = input.packed === undefined ? null : unpackPage(input.packed);
  let opened: OpenPage | null = null;
  const open = (): OpenPage => {
    opened ??= openPage(input.body, input.requestId);
    return opened;
  };
  const rules = readLeavingRules(database);
  const page: CurrentPage = { input, prepared, open, rules, seen: [], added: 0, changed: 0 };
  const { hash, facts } = prepared ?? open();
  for (let index = 0; index < facts.records; index += 1) {
    if (keepSameBytes(ingest, page, index)) continue;
    const record = prepared === null ? prepareItem(open(), input.kind, index) : prepared.next();
    if (record === null) page.seen.push(setAside(ingest, input, open().readAt(index)));
    else writeRecord(ingest, page, record, index);
  }
  const { seen, added, changed } = page;
  const counted = { ...facts, setAside: seen.filter((entry) => !entry.isRecord).length };
  if (input.changes?.keepsNew === false && added > 0) changes.countNew(input.changes, input.seenAt, added);
  if (added + changed > 0) ingest.countChange(input.kind);
  if (input.isPartOfPass) writeSyncPosition(database, input.page + 1, counted.total);
  else if (added + changed > 0) pages.distrust();
  const fresh = input.isPartOfPass ? pages.add(input, hash, counted, seen) : facts.records;
  ingest.writer.writeTexts();
  return { ...counted, added, changed, fresh };
}

/**
 * Writes one page of a list in one transaction together with the position of the sync: parses records whose bytes
 * differ from last time, compares their digests, writes only records that differ, and stores entries that are not
 * records separately. An unexpected record never makes a page fail.
 */
export function createIngest(database: Database, pages: PassPages, changes: ChangeLog) {
  const ingest: Ingest = {
    database,
    pages,
    changes,
    writer: createRecordWriter(database),
    countChange: createVersionCounter(database),
    statements: {
      members: prepareStatements(database, 'members'),
      claims: prepareStatements(database, 'claims'),
    },
    keepRead: database.prepare('INSERT OR REPLACE INTO claim_reads (claim_id, at) VALUES (?, ?)'),
    setAside: database.prepare(
      `INSERT INTO set_aside (digest, kind, reason, record_id, body, seen_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (digest) DO UPDATE SET seen_at=excluded.seen_at`,
    ),
  };
  const inOne = database.transaction((input: PageInput) => writePage(ingest, input));
  return (input: PageInput): PageOutcome => {
    try {
      return inOne.immediate(input);
    } catch (thrown) {
      ingest.writer.forget();
      pages.forget();
      changes.forget();
      throw thrown;
    }
  };
}
