import { createHash } from 'node:crypto';
import { DeskError } from '../../lib/errors.ts';
import type { ChangeLog, ChangeSource } from './change-log.ts';
import type { Connection } from './connection.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson, writeCanonicalJson } from './json.ts';
import type { PassPages } from './pass-pages.ts';
import { createRecordReader } from './record-reader.ts';
import { createRecordWriter, digestOf } from './record-writer.ts';
import { createVersionCounter } from './records-version.ts';
import { hasRules, isLeftOut, readRetentionRules } from './retention.ts';
import type { SeenEntry } from './seen-entries.ts';
import { claimShape, memberShape } from './shapes.ts';
import { writeRunPosition } from './sync-state.ts';

/** The two lists of the service that a sync reads. */
export type ListKind = 'members' | 'claims';

export interface PageInput {
  readonly kind: ListKind;
  /** The reply as it came, UTF-8. */
  readonly body: Uint8Array;
  readonly pass: number;
  readonly page: number;
  /** ISO date-time, for what is set aside. */
  readonly seenAt: string;
  readonly requestId: string | null;
  /** False for narrow fetches, which leave the position of the sync alone. */
  readonly isPartOfPass: boolean;
  /** Left out: what changes is not recorded. */
  readonly changes?: ChangeSource;
}

/** What a page brought; counts are records. Paging facts are null where the reply did not say. */
export interface PageOutcome {
  readonly records: number;
  /** Not seen before in this pass. */
  readonly fresh: number;
  readonly added: number;
  readonly changed: number;
  readonly setAside: number;
  /** The page’s place as the service says. */
  readonly page: number | null;
  readonly perPage: number | null;
  readonly pages: number | null;
  readonly total: number | null;
  readonly hasNext: boolean | null;
}

function parsePage(input: PageInput): { items: JsonValue[]; envelope: JsonObject } {
  let parsed: JsonValue;
  try {
    parsed = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(input.body));
  } catch (cause) {
    throw new DeskError('service.badReply', { requestId: input.requestId ?? undefined, cause });
  }
  if (!isJsonObject(parsed) || !Object.hasOwn(parsed, 'data')) {
    throw new DeskError('service.badReply', { requestId: input.requestId ?? undefined });
  }
  const data = parsed.data as JsonValue;
  // One object in place of a list: field-notes §2.
  const items = Array.isArray(data) ? data : data === null ? [] : [data];
  return { items, envelope: parsed };
}

const wholeOrNull = (value: JsonValue | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null;

/**
 * Writes one page of a list in one transaction together with the position of the sync: parse, compare by
 * digest, write only what differs, keep aside what is no record. Never fails a page for one odd record.
 */
export function createIngest(connection: Connection, pages: PassPages, changes: ChangeLog) {
  const writer = createRecordWriter(connection);
  const countChange = createVersionCounter(connection);
  let reader = createRecordReader(connection);
  const kinds = {
    members: createKind('members', writer.createRootWriter(memberShape)),
    claims: createKind('claims', writer.createRootWriter(claimShape)),
  };
  const setAside = connection.prepare(
    `INSERT INTO set_aside (digest, kind, reason, record_id, body, seen_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (digest) DO UPDATE SET seen_at=excluded.seen_at`,
  );

  function createKind(kind: ListKind, write: ReturnType<typeof writer.createRootWriter>) {
    return {
      write,
      findDigest: connection.prepare(`SELECT digest, gone_since FROM ${kind} WHERE id=?`),
      unmarkGone: connection.prepare(`UPDATE ${kind} SET gone_since=NULL WHERE id=?`),
    };
  }

  /** Equal as JSON, whatever the order of the keys. */
  const isAsStored = (kind: ListKind, id: number, item: JsonObject): boolean => {
    const stored = reader[kind](id);
    return stored !== null && writeCanonicalJson(stored.record) === writeCanonicalJson(item);
  };

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

  const ingest = connection.transaction((input: PageInput): PageOutcome => {
    if (input.isPartOfPass) {
      const repeated = pages.repeat(input);
      if (repeated !== null) {
        writeRunPosition(connection, input.page + 1, repeated.total);
        return repeated;
      }
    }
    const { items, envelope } = parsePage(input);
    const kind = kinds[input.kind];
    const seen: SeenEntry[] = [];
    let [added, changed] = [0, 0];
    const { kind: list, seenAt: at, changes: source } = input;
    const rules = readRetentionRules(connection);
    for (const item of items) {
      // Equal as JSON, and the only whole number that would not find its own row.
      if (isJsonObject(item) && Object.is(item.id, -0)) item.id = 0;
      const id = isJsonObject(item) ? item.id : undefined;
      if (!isJsonObject(item) || typeof id !== 'number' || !Number.isSafeInteger(id)) {
        seen.push(keepAside(input, item));
        continue;
      }
      const stored = kind.findDigest.get(id) as { digest: Buffer; gone_since: string | null } | undefined;
      let digest = digestOf(item);
      if (hasRules(rules) && isLeftOut(rules, list, item)) {
        seen.push({ isRecord: true, key: id, digest });
        continue;
      }
      if (stored === undefined) {
        if (source !== undefined) changes.note(source, { kind: list, id, change: 'new', at });
        kind.write(id, item, digest, true);
        added += 1;
      } else if (!stored.digest.equals(digest) && !isAsStored(list, id, item)) {
        const change = stored.gone_since === null ? 'changed' : 'returned';
        if (source !== undefined) changes.note(source, { kind: list, id, change, at, record: item });
        kind.write(id, item, digest, false);
        changed += 1;
      } else {
        digest = stored.digest;
        if (stored.gone_since !== null) {
          if (source !== undefined) changes.note(source, { kind: list, id, change: 'returned', at });
          kind.unmarkGone.run(id);
          changed += 1;
        }
      }
      seen.push({ isRecord: true, key: id, digest });
    }
    const facts = {
      records: items.length,
      setAside: seen.filter((entry) => !entry.isRecord).length,
      page: wholeOrNull(envelope.page),
      perPage: wholeOrNull(envelope.per_page),
      pages: wholeOrNull(envelope.pages),
      total: wholeOrNull(envelope.total),
      hasNext: typeof envelope.has_next === 'boolean' ? envelope.has_next : null,
    };
    if (added + changed > 0) countChange(input.kind);
    if (input.isPartOfPass) writeRunPosition(connection, input.page + 1, facts.total);
    else if (added + changed > 0) pages.distrust();
    return {
      ...facts,
      added,
      changed,
      fresh: input.isPartOfPass ? pages.add(input, facts, seen) : items.length,
    };
  });

  return (input: PageInput): PageOutcome => {
    try {
      return ingest.immediate(input);
    } catch (thrown) {
      writer.forget();
      reader = createRecordReader(connection);
      pages.forget();
      changes.forget();
      throw thrown;
    }
  };
}
