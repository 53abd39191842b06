import { isUtf8 } from 'node:buffer';

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const digit0 = 0x30;
const digit9 = 0x39;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** A double holds every number of fifteen digits. */
const longNumber = 16;
/** Digits of an id that can be added up without loss. */
const maxIdDigits = 15;

/** Where the items of a page are in its bytes; nothing of them is parsed. */
export interface CutPage {
  /** Start and end of the list, with its brackets. */
  readonly list: readonly [start: number, end: number];
  /** Start and end of each item, one after the other. */
  readonly spans: readonly number[];
  /** The id that each item seems to have, NaN where none was seen. To look it up by, not to trust. */
  readonly ids: readonly number[];
  /** Whether an item has anything that JSON.parse may read wrongly: as findSuspects() finds it, or more. */
  readonly suspects: readonly boolean[];
}

interface Seen {
  id: number;
  isSuspect: boolean;
}

/**
 * Finds the items of a page's `data` in one pass over its bytes, without parsing them. For bytes that are a page, the
 * spans are exactly its items; for any other, each item and what is around the list must still be parsed. Null where
 * the page has another form: `data` twice or no list, escaped keys beside it, bytes that are not UTF-8.
 */
export function cutPage(body: Uint8Array): CutPage | null {
  if (!isUtf8(body)) return null;
  let cut: CutPage | null = null;
  let at = skipBlanks(body, 0);
  if (body[at] !== openObject) return null;
  do {
    const start = skipBlanks(body, at + 1);
    if (body[start] !== quote) return cut;
    const end = endOfString(body, start);
    if (end < 0) return null;
    at = skipBlanks(body, end);
    if (body[at] !== colon) return null;
    at = skipBlanks(body, at + 1);
    if (isKey(body, start, 'data')) {
      if (cut !== null || body[at] !== openList) return null;
      cut = cutList(body, at);
      if (cut === null) return null;
      at = cut.list[1];
    } else at = endOfItem(body, at, { id: Number.NaN, isSuspect: false });
    at = skipBlanks(body, at);
  } while (body[at] === comma);
  return cut;
}

function cutList(body: Uint8Array, start: number): CutPage | null {
  const spans: number[] = [];
  const ids: number[] = [];
  const suspects: boolean[] = [];
  const seen: Seen = { id: Number.NaN, isSuspect: false };
  let at = skipBlanks(body, start + 1);
  if (body[at] === closeList) return { list: [start, at + 1], spans, ids, suspects };
  for (;;) {
    seen.id = Number.NaN;
    seen.isSuspect = false;
    const end = endOfItem(body, at, seen);
    spans.push(at, end);
    ids.push(seen.id);
    suspects.push(seen.isSuspect);
    at = skipBlanks(body, end);
    if (body[at] === closeList) return { list: [start, at + 1], spans, ids, suspects };
    if (body[at] !== comma) return null;
    at = skipBlanks(body, at + 1);
  }
}

/** The end of the value that begins here, and what was seen in it. */
function endOfItem(body: Uint8Array, from: number, seen: Seen): number {
  const { length } = body;
  let depth = 0;
  for (let at = from; at < length; ) {
    const code = body[at] as number;
    if (code === quote) {
      const start = at;
      const end = endOfString(body, at);
      at = Math.abs(end);
      if (end < 0) seen.isSuspect ||= body[skipBlanks(body, at)] === colon;
      else if (depth === 1 && isKey(body, start, 'id')) readId(body, at, seen);
      if (depth === 0) return at;
    } else if (code <= digit9 && (code >= digit0 || code === minus)) {
      const start = at;
      for (at += 1; isNumberSign(body[at] as number); at += 1) {
        seen.isSuspect ||= ((body[at] as number) | 0x20) === 0x65;
      }
      seen.isSuspect ||= at - start >= longNumber;
      if (depth === 0) return at;
    } else if (code === openObject || code === openList) {
      depth += 1;
      at += 1;
    } else if (code === closeObject || code === closeList) {
      depth -= 1;
      if (depth <= 0) return depth < 0 ? at : at + 1;
      at += 1;
    } else {
      if (depth === 0 && (code === comma || isBlank(code))) return at;
      at += 1;
    }
  }
  return length;
}

/** What is behind the closing quote of a string, negative where an escape is in it. */
function endOfString(body: Uint8Array, start: number): number {
  const { length } = body;
  let hasEscape = false;
  for (let at = start + 1; at < length; at += 1) {
    const code = body[at];
    if (code === quote) return hasEscape ? -at - 1 : at + 1;
    if (code === backslash) {
      hasEscape = true;
      at += 1;
    }
  }
  return hasEscape ? -length : length;
}

function isKey(body: Uint8Array, start: number, key: 'id' | 'data'): boolean {
  for (let index = 0; index < key.length; index += 1) {
    if (body[start + 1 + index] !== key.charCodeAt(index)) return false;
  }
  return body[start + 1 + key.length] === quote;
}

function readId(body: Uint8Array, from: number, seen: Seen): void {
  let at = skipBlanks(body, from);
  if (body[at] !== colon) return;
  at = skipBlanks(body, at + 1);
  let id = 0;
  const start = at;
  for (; at - start <= maxIdDigits; at += 1) {
    const digit = (body[at] as number) - digit0;
    if (!(digit >= 0 && digit <= 9)) break;
    id = id * 10 + digit;
  }
  seen.id = at > start && at - start <= maxIdDigits ? id : Number.NaN;
}

function skipBlanks(body: Uint8Array, from: number): number {
  let at = from;
  while (isBlank(body[at] as number)) at += 1;
  return at;
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** Digits, `.`, `+`, `-`, `e`, `E`: JSON.parse refuses a spelling that is no number. */
const isNumberSign = (code: number): boolean =>
  (code <= digit9 && (code >= digit0 || code === minus || code === 0x2e || code === 0x2b)) ||
  (code | 0x20) === 0x65;
