export const quote = 0x22;
export const comma = 0x2c;
const minus = 0x2d;
const digit0 = 0x30;
const digit9 = 0x39;
export const colon = 0x3a;
export const openList = 0x5b;
const backslash = 0x5c;
export const closeList = 0x5d;
export const openObject = 0x7b;
const closeObject = 0x7d;

/** A number with this many characters may not fit a double, which can hold every number of fifteen digits. */
const longNumber = 16;
/** The number of digits up to which an ID is read exactly. */
const maxIdDigits = 15;

/**
 * The characters of a JSON text as numbers: the bytes of a page, or the UTF-16 units of a text. JSON's own characters
 * are ASCII, and no part of another character is. Scanning numbers takes half the time of scanning a string.
 */
export type Codes = Uint8Array | Uint16Array;

/** The parts of a value that `scanValue` found. */
interface Seen {
  /**
   * Start and end positions of parts that JSON.parse may read wrongly: keys with an escape (V8 mistakes one for
   * another; the quotes are included), and numbers of sixteen or more characters or with an exponent (a double may not
   * hold them).
   */
  readonly suspects: number[];
  /** The `id` that the value seems to have, NaN if none, to look up a record; it must be verified. */
  id: number;
  /** The deepest nesting of brackets in the value, including its own. */
  depth: number;
}

/** A value without anything seen yet. */
export const seeNothing = (): Seen => ({ id: Number.NaN, suspects: [], depth: 0 });

/**
 * Finds the end of the JSON value that begins at `from`. It takes linear time for any text. For text that is not JSON,
 * the result is undefined.
 */
export function scanValue(text: Codes, from: number, seen: Seen): number {
  const { length } = text;
  let depth = 0;
  for (let at = from; at < length; ) {
    const code = text[at] as number;
    if (code === quote) {
      const start = at;
      const end = endOfString(text, at);
      at = Math.abs(end);
      if (end < 0) {
        if (text[skipBlanks(text, at)] === colon) seen.suspects.push(start, at);
      } else if (depth === 1 && isKey(text, start, 'id')) seen.id = readId(text, at) ?? seen.id;
      if (depth === 0) return at;
    } else if (code <= digit9 && (code >= digit0 || code === minus)) {
      const start = at;
      let hasExponent = false;
      for (at += 1; at < length && isNumberSign(text[at] as number); at += 1)
        hasExponent ||= ((text[at] as number) | 0x20) === 0x65;
      // A number in place of a key is not marked, so that JSON.parse refuses it.
      if ((hasExponent || at - start >= longNumber) && text[skipBlanks(text, at)] !== colon)
        seen.suspects.push(start, at);
      if (depth === 0) return at;
    } else if (code === openObject || code === openList) {
      depth += 1;
      if (depth > seen.depth) seen.depth = depth;
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

/** The positions in a JSON text that JSON.parse may read wrongly (`Seen`). */
export function findSuspects(text: string): readonly number[] {
  const seen = seeNothing();
  const codes = new Uint16Array(text.length);
  Buffer.from(codes.buffer).write(text, 'utf16le');
  scanValue(codes, skipBlanks(codes, 0), seen);
  return seen.suspects;
}

/** The index after the closing quote of a string; negative if the string contains an escape. */
export function endOfString(text: Codes, start: number): number {
  const { length } = text;
  let hasEscape = false;
  for (let at = start + 1; at < length; at += 1) {
    const code = text[at];
    if (code === quote) return hasEscape ? -at - 1 : at + 1;
    if (code === backslash) {
      hasEscape = true;
      at += 1;
    }
  }
  return hasEscape ? -length : length;
}

/** Whether the string that begins here is this key. */
export function isKey(text: Codes, start: number, key: 'id' | 'data'): boolean {
  for (let index = 0; index < key.length; index += 1)
    if (text[start + 1 + index] !== key.charCodeAt(index)) return false;
  return text[start + 1 + key.length] === quote;
}

/**
 * Reads the number after the key `id`, also one sent as text; NaN where the value is not a number, undefined where this
 * is not the key.
 */
function readId(text: Codes, from: number): number | undefined {
  let at = skipBlanks(text, from);
  if (text[at] !== colon) return undefined;
  at = skipBlanks(text, at + 1);
  const isText = text[at] === quote;
  if (isText) at += 1;
  let id = 0;
  const start = at;
  for (; at - start <= maxIdDigits; at += 1) {
    const digit = (text[at] as number) - digit0;
    if (!(digit >= 0 && digit <= 9)) break;
    id = id * 10 + digit;
  }
  const isWhole = at > start && at - start <= maxIdDigits && (!isText || text[at] === quote);
  return isWhole ? id : Number.NaN;
}

export function skipBlanks(text: Codes, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text[at] as number)) at += 1;
  return at;
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** Whether a character can be part of a number; JSON.parse refuses sequences that are not a number. */
const isNumberSign = (code: number): boolean =>
  (code <= digit9 && (code >= digit0 || code === minus || code === 0x2e || code === 0x2b)) ||
  (code | 0x20) === 0x65;
