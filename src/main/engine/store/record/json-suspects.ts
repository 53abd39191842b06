const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
const digit0 = 0x30;
const digit9 = 0x39;
const colon = 0x3a;

/** A double holds every number of fifteen digits; longer numbers are examined. */
const longNumber = 16;

/**
 * Finds what JSON.parse may read wrongly in a JSON text: keys with an escape in them (V8 mistakes one for another)
 * and numbers of sixteen or more characters or with an exponent (a double may not hold them). One pass over the text;
 * every character is read a fixed number of times, whatever the text contains. For a text that is not JSON, any
 * result may be returned.
 *
 * @returns start and end of each, one after the other: `[start, end, start, end, …]`; a key with its quotes
 */
export function findSuspects(text: string): number[] {
  const found: number[] = [];
  const { length } = text;
  // Outside of strings JSON has no backslash, so a string has an escape if the next backslash is before its end.
  let nextEscape = nextOf(text, '\\', 0);
  for (let at = 0; at < length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const start = at;
      if (nextEscape < start) nextEscape = nextOf(text, '\\', start);
      let end = nextOf(text, '"', start + 1);
      if (end < nextEscape) {
        at = end + 1;
        continue;
      }
      end = endOfString(text, nextEscape);
      nextEscape = nextOf(text, '\\', end);
      at = skipBlanks(text, end + 1);
      if (text.charCodeAt(at) === colon) found.push(start, end + 1);
    } else if (code <= digit9 && (code >= digit0 || code === minus)) {
      const start = at;
      let hasExponent = false;
      for (at += 1; isNumberSign(text.charCodeAt(at)); at += 1) {
        hasExponent ||= (text.charCodeAt(at) | 0x20) === 0x65;
      }
      const end = at;
      if (end - start < longNumber && !hasExponent) continue;
      at = skipBlanks(text, end);
      // A number cannot be a key: JSON.parse is left to refuse it.
      if (text.charCodeAt(at) !== colon) found.push(start, end);
    } else at += 1;
  }
  return found;
}

/** The index of the next occurrence of a character; the end of the text where there is none. */
function nextOf(text: string, sign: string, from: number): number {
  const found = text.indexOf(sign, from);
  return found === -1 ? text.length : found;
}

/** The closing quote of a string, from a backslash in it; the end of the text where it is not closed. */
function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    at += code === backslash ? 2 : 1;
  }
  return text.length;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** Digits, `.`, `+`, `-`, `e`, `E`: JSON.parse refuses a spelling that is no number. */
const isNumberSign = (code: number): boolean =>
  (code <= digit9 && (code >= digit0 || code === minus || code === 0x2e || code === 0x2b)) ||
  (code | 0x20) === 0x65;
