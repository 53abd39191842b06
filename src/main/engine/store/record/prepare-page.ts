import { isAscii } from 'node:buffer';
import { hash } from 'node:crypto';
import { DeskError } from '../../../lib/errors.ts';
import { namesOfClaim } from './claim-names.ts';
import { cutPage } from './cut-page.ts';
import { decompose, recordsIn, type SqlValue } from './decompose.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  quoteNonFinite,
  readWhole,
  writeCanonicalJson,
} from './json.ts';
import type { ListKind } from './list-kind.ts';
import { type Shape, shapesOf } from './record-columns.ts';
import { digestRecord } from './record-digest.ts';
import { searchableText } from './text-index.ts';

/** A record as rows to write: plain values, which can be passed between threads. What most rows lack is undefined. */
export interface PreparedRow {
  /** The values in the order of flatColumnsOf(shape). */
  readonly values: readonly SqlValue[];
  /** Shared objects in the order of the shape, as canonical JSON. */
  readonly shared: readonly (string | null)[];
  /** The values that no column holds, as canonical JSON. */
  readonly extra: string | undefined;
  /** Keys that were absent, as JSON. */
  readonly markers: string;
  /** Lists in the order of the shape, without maps: rows of their own, or links. */
  readonly lists: readonly (readonly PreparedRow[] | readonly PreparedLink[])[];
  /** Maps of a shared object: code and key. */
  readonly maps: readonly (readonly [string, string])[] | undefined;
  readonly unreadAmounts: readonly string[] | undefined;
  /** Keys at the top level that the shape does not have. */
  readonly unknown: readonly string[] | undefined;
}

/** A shared object as canonical JSON, with its ID where that is a whole number. */
export interface PreparedLink {
  readonly text: string;
  readonly id: number | null;
}

/** A member or a claim, ready to be written. */
export interface PreparedRecord {
  readonly id: number;
  /** 16 bytes: equal exactly for records that are equal as JSON. */
  readonly digest: Uint8Array;
  /** 16 bytes: equal for records with the same bytes. Null: the bytes are unknown. */
  readonly bytesHash: Uint8Array | null;
  readonly row: PreparedRow;
  /** Columns that are not part of the record: for a claim, the values of `claimNameColumns`. */
  readonly derived: readonly SqlValue[];
  readonly search: string;
  /** The search text of each item of the list that has one: a member's dependents. */
  readonly listSearch: readonly string[];
}

/** The paging facts of a page; null where the reply does not say. */
export interface PageFacts {
  readonly records: number;
  readonly page: number | null;
  readonly perPage: number | null;
  readonly pages: number | null;
  readonly total: number | null;
  readonly hasNext: boolean | null;
}

/** A page whose records are ready to be written, prepared one by one so that only one is in memory at a time. */
export interface PreparedPage {
  /** SHA-256 of the body. */
  readonly hash: Uint8Array;
  readonly facts: PageFacts;
  /** The next entry of the page; null for an entry that is not a record. */
  next(): PreparedRecord | null;
}

/** The limit of the cache of shared objects, in characters. */
const knownTextLimit = 5_000_000;
const knownTexts = new Map<string, string>();
let knownLength = 0;

/** The canonical JSON of a shared object, cached by its plain JSON: the same few occur thousands of times. */
function canonicalText(object: JsonObject): string {
  const text = JSON.stringify(object);
  let canonical = knownTexts.get(text);
  if (canonical === undefined) {
    canonical = writeCanonicalJson(object);
    knownLength += 2 * text.length;
    if (knownLength > knownTextLimit) {
      knownTexts.clear();
      knownLength = 2 * text.length;
    }
    knownTexts.set(text, canonical);
  }
  return canonical;
}

const orNone = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

/** Converts a record to rows without loss; the rows are equal for records that are equal as JSON. */
export function prepareRow(shape: Shape, record: JsonObject): PreparedRow {
  const parts = decompose(shape, record);
  return {
    values: parts.values,
    shared: parts.shared.map(({ object }) => (object === null ? null : canonicalText(object))),
    extra: parts.extra === null ? undefined : writeCanonicalJson(parts.extra),
    markers: parts.markers.length === 0 ? '[]' : JSON.stringify(parts.markers),
    lists: parts.lists.map(({ list, items }) =>
      list.kind === 'own'
        ? items.map((item) => prepareRow(list.shape(), item))
        : items.map((item) => ({ text: canonicalText(item), id: readWhole(item.id) })),
    ),
    maps: orNone(parts.maps.flatMap(({ entries }) => entries).sort(([a], [b]) => (a < b ? -1 : 1))),
    unreadAmounts: orNone(parts.unreadAmounts),
    unknown: orNone(parts.unknown),
  };
}

/** Prepares the row of a member or a claim, with its digest and search text; `id` is its own ID. */
export function prepareRecord(
  kind: ListKind,
  id: number,
  record: JsonObject,
  bytesHash: Uint8Array | null = null,
): PreparedRecord {
  const dependents = kind === 'members' ? recordsIn(record.dependents) : [];
  return {
    id,
    digest: digestRecord(record),
    bytesHash,
    row: prepareRow(shapesOf[kind], record),
    derived: kind === 'claims' ? namesOfClaim(record) : [],
    search: searchableText(kind, record),
    listSearch: dependents.map((dependent) => searchableText('dependents', dependent)),
  };
}

const wholeOrNull = (value: JsonValue | undefined): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : null;

/** A page whose items have not been parsed yet. */
export interface OpenPage {
  /** SHA-256 of the body. */
  readonly hash: Uint8Array;
  readonly facts: PageFacts;
  /** The ID that an item seems to have, only for looking up a record; null where none was found. */
  idAt(index: number): number | null;
  /** 16 bytes of SHA-256 of an item's bytes; null where the form of the page does not let items be separated. */
  readonly bytesHashAt: ((index: number) => Uint8Array) | null;
  /**
   * Reads an item; one that is nested too deeply to be processed is returned as its text, which is not a record.
   * @throws DeskError `service.badReply` where it is not JSON
   */
  readAt(index: number): JsonValue;
}

/** Deeper values would exhaust the stack; records of the service have five levels. */
const maxDepth = 1_000;

/** Opens a page: its items are separated by their bytes, and parsed one by one when needed. */
export function openPage(body: Uint8Array, requestId: string | null): OpenPage {
  const refuse = (cause?: unknown): DeskError =>
    new DeskError('service.badReply', { requestId: requestId ?? undefined, cause });
  const parse = (text: string, isSuspect: boolean): JsonValue => {
    const read = (json: string): JsonValue => (isSuspect ? parseJson(json) : (JSON.parse(json) as JsonValue));
    try {
      return read(text);
    } catch {
      try {
        return read(quoteNonFinite(text));
      } catch (cause) {
        throw refuse(cause);
      }
    }
  };
  const open = (text: string): JsonObject => {
    const parsed = parse(text, true);
    if (isJsonObject(parsed) && Object.hasOwn(parsed, 'data')) return parsed;
    throw refuse();
  };
  const pageHash = hash('sha256', body, 'buffer');
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const cut = cutPage(body);
  if (cut === null) {
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    } catch (cause) {
      throw refuse(cause);
    }
    const envelope = open(text);
    const data = envelope.data as JsonValue;
    // The service may send one object instead of a list: docs/service.md, "Lists and values".
    const items = Array.isArray(data) ? data : data === null ? [] : [data];
    return {
      hash: pageHash,
      facts: factsOf(envelope, items.length),
      idAt: () => null,
      bytesHashAt: null,
      readAt: (index) => withPlainZero(items[index] as JsonValue),
    };
  }
  const { list, spans, ids, suspects, depths } = cut;
  const encoding = isAscii(body) ? 'latin1' : 'utf8';
  const envelope = open(
    `${bytes.toString('utf8', 0, list[0])}[]${bytes.toString('utf8', list[1], bytes.length)}`,
  );
  return {
    hash: pageHash,
    facts: factsOf(envelope, ids.length),
    idAt: (index) => wholeOrNull(ids[index]),
    bytesHashAt: (index) =>
      hash('sha256', bytes.subarray(spans[2 * index], spans[2 * index + 1]), 'buffer').subarray(0, 16),
    readAt(index) {
      const text = bytes.toString(encoding, spans[2 * index], spans[2 * index + 1]);
      if ((depths[index] as number) > maxDepth) return text;
      return withPlainZero(parse(text, suspects[index] === true));
    },
  };
}

/** Replaces -0 with 0, which is equal as JSON; -0 would not find its row. */
function withPlainZero(item: JsonValue): JsonValue {
  if (isJsonObject(item) && Object.is(item.id, -0)) item.id = 0;
  return item;
}

const factsOf = (envelope: JsonObject, records: number): PageFacts => ({
  records,
  page: wholeOrNull(envelope.page),
  perPage: wholeOrNull(envelope.per_page),
  pages: wholeOrNull(envelope.pages),
  total: wholeOrNull(envelope.total),
  hasNext: typeof envelope.has_next === 'boolean' ? envelope.has_next : null,
});

/** Prepares an item of a page to be written; null where it is not a record. */
export function prepareItem(page: OpenPage, kind: ListKind, index: number): PreparedRecord | null {
  const item = page.readAt(index);
  const id = isJsonObject(item) ? readWhole(item.id) : null;
  return id === null ? null : prepareRecord(kind, id, item as JsonObject, page.bytesHashAt?.(index));
}

/** The bytes of a page prepared in another thread, and its body. */
export type PackedPage = ReturnType<typeof packPage>;

/** The length in bytes of a digest, and of the hash of a record's bytes. */
const digestBytes = 16;
const lineBreak = 0x0a;
const usualScratchBytes = 4_000_000;
/** A UTF-16 unit takes at most three bytes of UTF-8. */
const bytesPerUnit = 3;
let scratch = Buffer.allocUnsafe(usualScratchBytes);

/** Writes a line after the others, and returns where the next one begins. */
function writeLine(text: string, at: number): number {
  const needed = at + text.length * bytesPerUnit + 1;
  if (needed > scratch.length) {
    const larger = Buffer.allocUnsafe(2 * needed);
    scratch.copy(larger, 0, 0, at);
    scratch = larger;
  }
  const end = at + scratch.write(text, at);
  scratch[end] = lineBreak;
  return end + 1;
}

/**
 * Does all work on a page that needs no database: parses and splits records, computes digests, collects the search
 * text. The result is bytes, which the thread in between passes on without parsing them: a line of JSON for each
 * record, then the digest and hash of each. It does not use v8's serializer, which holds every object until it is
 * itself collected: 260 MB of garbage were measured.
 * @throws DeskError `service.badReply` where it is not a page
 */
export function packPage(input: { kind: ListKind; body: Uint8Array; requestId: string | null }) {
  const page = openPage(input.body, input.requestId);
  const { facts } = page;
  const digests = Buffer.alloc(facts.records * 2 * digestBytes);
  const hash = Buffer.from(page.hash).toString('hex');
  let at = writeLine(JSON.stringify({ hash, facts, hasBytesHash: page.bytesHashAt !== null }), 0);
  for (let index = 0; index < facts.records; index += 1) {
    const { digest, bytesHash, ...rest } = prepareItem(page, input.kind, index) ?? {};
    if (digest !== undefined) digests.set(digest, 2 * digestBytes * index);
    if (bytesHash != null) digests.set(bytesHash, 2 * digestBytes * index + digestBytes);
    at = writeLine(digest === undefined ? 'null' : JSON.stringify(rest), at);
  }
  // The buffer is separate so that it can be transferred.
  const packed = new Uint8Array(at + digests.length);
  packed.set(scratch.subarray(0, at));
  packed.set(digests, at);
  if (scratch.length > 8 * usualScratchBytes) scratch = Buffer.allocUnsafe(usualScratchBytes);
  return { body: input.body, packed };
}

/** Opens a packed page, whose records are unpacked one by one. */
export function unpackPage(packed: Uint8Array): PreparedPage {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  let lineAt = 0;
  const readLine = (): unknown => {
    const end = bytes.indexOf(lineBreak, lineAt);
    const text = bytes.toString('utf8', lineAt, end);
    lineAt = end + 1;
    return JSON.parse(text);
  };
  const { hash, facts, hasBytesHash } = readLine() as {
    hash: string;
    facts: PageFacts;
    hasBytesHash: boolean;
  };
  let digestAt = bytes.length - facts.records * 2 * digestBytes;
  return {
    hash: Buffer.from(hash, 'hex'),
    facts,
    next() {
      const rest = readLine() as Omit<PreparedRecord, 'digest' | 'bytesHash'> | null;
      const between = digestAt + digestBytes;
      const digest = bytes.subarray(digestAt, between);
      const bytesHash = hasBytesHash ? bytes.subarray(between, between + digestBytes) : null;
      digestAt = between + digestBytes;
      return rest === null ? null : { ...rest, digest, bytesHash };
    },
  };
}
