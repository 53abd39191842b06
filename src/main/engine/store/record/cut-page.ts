import { isUtf8 } from 'node:buffer';
import {
  type Codes,
  closeList,
  colon,
  comma,
  endOfString,
  isKey,
  openList,
  openObject,
  quote,
  scanValue,
  seeNothing,
  skipBlanks,
} from './scan-json.ts';

/** The positions of a page's items in its bytes; no item is parsed. */
interface CutPage {
  /** Start and end of the list, with its brackets. */
  readonly list: readonly [start: number, end: number];
  /** Start and end of each item, one after the other. */
  readonly spans: readonly number[];
  /** The ID that each item seems to have, NaN if none, to look up a record; it must be verified. */
  readonly ids: readonly number[];
  /** Whether an item contains a key or number that JSON.parse may read wrongly. */
  readonly suspects: readonly boolean[];
  /** How deep each item is nested. */
  readonly depths: readonly number[];
}

/**
 * Finds the items of a page's `data` in one pass over its bytes, without parsing them. If the bytes are a valid page,
 * the spans are exactly its items. To verify that, each item and the text around the list must still be parsed. Null
 * where the page has a different form: two `data` keys or no list, escaped keys at the top, bytes that are not UTF-8.
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
    } else at = scanValue(body, at, seeNothing());
    at = skipBlanks(body, at);
  } while (body[at] === comma);
  return cut;
}

function cutList(text: Codes, start: number): CutPage | null {
  const spans: number[] = [];
  const ids: number[] = [];
  const suspects: boolean[] = [];
  const depths: number[] = [];
  const seen = seeNothing();
  let at = skipBlanks(text, start + 1);
  if (text[at] === closeList) return { list: [start, at + 1], spans, ids, suspects, depths };
  for (;;) {
    seen.id = Number.NaN;
    seen.suspects.length = 0;
    seen.depth = 0;
    const end = scanValue(text, at, seen);
    spans.push(at, end);
    ids.push(seen.id);
    suspects.push(seen.suspects.length > 0);
    depths.push(seen.depth);
    at = skipBlanks(text, end);
    if (text[at] === closeList) return { list: [start, at + 1], spans, ids, suspects, depths };
    if (text[at] !== comma) return null;
    at = skipBlanks(text, at + 1);
  }
}
