import { hash, randomBytes } from 'node:crypto';
import { memo } from './memo.ts';
import { findSuspects } from './scan-json.ts';

const plainInteger = /^-?\d+$/;
/** The most digits of an exponent to which a double can add exactly. */
const maxPlainDigits = 15;
/** A longer exponent is compared as text, because adding to it would take longer than reading it. */
const maxExponentDigits = 1_000;

/**
 * Whether a double holds the number that a JSON text spells. Integers beyond 2^53 do not count, although doubles hold
 * some of them, because they don't hold their neighbors.
 */
function isHeldByDouble(source: string, value: number): boolean {
  if (plainInteger.test(source)) return Number.isSafeInteger(value) && !Object.is(value, -0);
  return Number.isFinite(value) && normalizeDecimal(source) === normalizeDecimal(String(value));
}

/**
 * Returns sign, digits without zeros at the ends, and exponent (`-0.123e4`): the same text exactly for numbers that are
 * equal, however they are spelled. It takes linear time for any text.
 */
function normalizeDecimal(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const first = skipZeros(digits, 0, 1);
  if (first === digits.length) return '0';
  const last = skipZeros(digits, digits.length - 1, -1);
  const sign = source.startsWith('-') ? '-' : '';
  return `${sign}0.${digits.slice(first, last + 1)}e${addToExponent(exponent, whole.length - first)}`;
}

/** The index of the first character that is not a zero, counted from `from` in steps of `step`. */
function skipZeros(digits: string, from: number, step: 1 | -1): number {
  let at = from;
  while (digits[at] === '0') at += step;
  return at;
}

function addToExponent(exponent: string, shift: number): string {
  if (exponent.length <= maxPlainDigits) return String(Number(exponent) + shift);
  if (exponent.length <= maxExponentDigits) return String(BigInt(exponent) + BigInt(shift));
  return `${exponent}+${shift}`;
}

/** JSON values as the store handles them; a raw number is one that a double cannot hold. */
export type JsonValue = string | number | boolean | null | RawNumber | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}
/** A number kept as its digits, for example an integer beyond 2^53. */
interface RawNumber {
  readonly rawJSON: string;
}

interface CarefulJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}
const careful = JSON as unknown as CarefulJson;

export const isRawNumber = (value: unknown): value is RawNumber => careful.isRawJSON(value);

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

/** The value at a path of keys; undefined where there is none. */
export function readPath(from: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = from;
  for (const key of path) {
    if (!isJsonObject(value)) return undefined;
    value = value[key];
  }
  return value;
}

/** Prefixes of marks that are removed after parsing; they are random, so that no service can send them by chance. */
const nonce = randomBytes(12).toString('hex');
const rawMark = `\u0001raw-${nonce}:`;
const keyMark = `\u0001key-${nonce}-`;
const writtenKeyMark = JSON.stringify(keyMark).slice(1, -1);

/**
 * Marks the parts of a JSON text that plain parsing would read wrongly. A number that a double cannot hold becomes a
 * marked string. A key with an escape gets a prefix: V8 compares the raw text of a key with the key that it expects
 * there, and `{"\"":2}` read after `{"\\":1}` gives `{"\\":2}` (V8 11 to 13). Null where there is nothing to mark.
 */
function markSuspects(text: string): { text: string; hasKeys: boolean } | null {
  const suspects = findSuspects(text);
  const parts: string[] = [];
  let written = 0;
  let hasKeys = false;
  for (let index = 0; index < suspects.length; index += 2) {
    const start = suspects[index] as number;
    const end = suspects[index + 1] as number;
    if (text.startsWith('"', start)) {
      parts.push(text.slice(written, start + 1), writtenKeyMark, `${index}:`);
      written = start + 1;
      hasKeys = true;
      continue;
    }
    const digits = text.slice(start, end);
    if (isHeldByDouble(digits, Number(digits))) continue;
    parts.push(text.slice(written, start), JSON.stringify(rawMark + digits));
    written = end;
  }
  if (parts.length === 0) return null;
  parts.push(text.slice(written));
  return { text: parts.join(''), hasKeys };
}

const unmarkKey = (key: string): string =>
  key.startsWith(keyMark) ? key.slice(key.indexOf(':', keyMark.length) + 1) : key;

/**
 * Parses JSON so that no number loses digits and no key is mistaken for another: numbers that a double cannot hold
 * become raw numbers. A reviver with access to the source takes about eight times as long as a plain parse, so the
 * parts that may be read wrongly are marked in the text, which is parsed plainly and then converted back.
 * @throws SyntaxError when the text is not JSON
 */
export function parseJson(text: string): JsonValue {
  const marked = markSuspects(text);
  if (marked === null) return JSON.parse(text) as JsonValue;
  return unmark(JSON.parse(marked.text) as JsonValue, marked.hasKeys);
}

function unmark(value: JsonValue, hasKeys: boolean): JsonValue {
  if (typeof value === 'string')
    return value.startsWith(rawMark) ? careful.rawJSON(value.slice(rawMark.length)) : value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      value[index] = unmark(value[index] as JsonValue, hasKeys);
  } else if (isJsonObject(value)) {
    const keys = Object.keys(value);
    if (hasKeys && keys.some((key) => key.startsWith(keyMark))) {
      return Object.fromEntries(
        keys.map((key) => [unmarkKey(key), unmark(value[key] as JsonValue, hasKeys)]),
      );
    }
    for (const key of keys) {
      const inner = value[key] as JsonValue;
      if (typeof inner === 'string' ? inner.startsWith(rawMark) : typeof inner === 'object')
        value[key] = unmark(inner, hasKeys);
    }
  }
  return value;
}

/** Matches a string, or a word that Python writes for a number that JSON can't represent. */
const nonFinite = /"[^"\\]*(?:\\.[^"\\]*)*"|\bNaN\b|-?\bInfinity\b/gs;

/** The text with `NaN`, `Infinity` and `-Infinity` as strings, so that the rest of it can be read. */
export const quoteNonFinite = (text: string): string =>
  text.replaceAll(nonFinite, (match) => (match.startsWith('"') ? match : `"${match}"`));

const wholeText = /^\d{1,15}$/;

/** Reads a whole number, also one sent as text; null for anything else. */
export function readWhole(value: JsonValue | undefined): number | null {
  if (typeof value === 'string' && wholeText.test(value)) return Number(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** Converts a value to plain JSON for a window: a number that a double can't hold becomes the text of its digits. */
export function toPlainJson(value: JsonValue): unknown {
  if (isRawNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toPlainJson(inner)]));
}

/** The keys of an object in order of their names, each with its JSON text; objects with the same keys share a plan. */
interface KeyPlan {
  readonly keys: readonly string[];
  /** The positions of the keys in order of their names. */
  readonly order: readonly number[];
  readonly prefixes: readonly string[];
  /** The sorted keys, shortened to 132 bits of their hash. */
  readonly mark: string;
}
/** Caches the last plan of an object with this first key and this number of keys. */
const plans = new Map<string | undefined, Map<number, KeyPlan>>();
let planCount = 0;

function planKeys(value: JsonObject): KeyPlan {
  const keys = Object.keys(value);
  const cachedPlan = plans.get(keys[0])?.get(keys.length);
  if (cachedPlan !== undefined && isSameList(keys, cachedPlan.keys)) return cachedPlan;
  const order = keys
    .map((_, index) => index)
    .sort((a, b) => ((keys[a] as string) < (keys[b] as string) ? -1 : 1));
  const sorted = order.map((index) => keys[index] as string);
  const plan = {
    keys,
    order,
    prefixes: sorted.map((key, index) => `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`),
    mark: hash('sha256', JSON.stringify(sorted), 'base64').slice(0, 22),
  };
  planCount += 1;
  if (planCount % 1000 === 0) plans.clear();
  memo(plans, keys[0], () => new Map<number, KeyPlan>()).set(keys.length, plan);
  return plan;
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return a.length === b.length;
}

/** Writes JSON text with sorted keys, equal for values that are equal as JSON and whose numbers are spelled alike. */
export function writeCanonicalJson(value: JsonValue): string {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return JSON.stringify(value);
  if (Array.isArray(value)) {
    let text = '[';
    for (let index = 0; index < value.length; index += 1) {
      if (index > 0) text += ',';
      text += writeCanonicalJson(value[index] as JsonValue);
    }
    return `${text}]`;
  }
  const { order, prefixes } = planKeys(value);
  const values = Object.values(value);
  let text = '{';
  for (let index = 0; index < order.length; index += 1) {
    const inner = values[order[index] as number] as JsonValue;
    text += prefixes[index];
    text += inner === null ? 'null' : typeof inner === 'number' ? String(inner) : writeCanonicalJson(inner);
  }
  return `${text}}`;
}

/**
 * Returns a text that is the same exactly for values that are equal as JSON: the order of keys and the spelling of
 * numbers do not matter. It is for comparison only. It is JSON of lists, because one JSON.stringify over lists is
 * faster than concatenating a text: an object is a hash of its sorted keys followed by its values, a list is 0 followed
 * by its items.
 */
export const writeComparable = (value: JsonValue): string => JSON.stringify(toComparable(value));

type Comparable = string | number | boolean | null | Comparable[];

function toComparable(value: JsonValue): Comparable {
  if (typeof value === 'number')
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : toLarge(String(value));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list: Comparable[] = [0];
    for (const item of value) list.push(toComparable(item));
    return list;
  }
  if (isRawNumber(value)) return toLarge(value.rawJSON);
  const { order, mark } = planKeys(value);
  const values = Object.values(value);
  const list: Comparable[] = [mark];
  for (let index = 0; index < order.length; index += 1) {
    const inner = values[order[index] as number] as JsonValue;
    list.push(typeof inner === 'string' || inner === null ? inner : toComparable(inner));
  }
  return list;
}

/** Represents a number that a double can't hold exactly by its value, because it can be written in several ways. */
const toLarge = (source: string): Comparable => [1, normalizeDecimal(source)];
