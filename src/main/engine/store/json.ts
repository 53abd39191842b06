import { randomBytes } from 'node:crypto';

/** JSON values as the store handles them; a raw number is one that a double cannot hold. */
export type JsonValue = string | number | boolean | null | RawNumber | JsonValue[] | JsonObject;
export interface JsonObject {
  [key: string]: JsonValue;
}
/** A number kept as the digits that came: an integer beyond 2^53, say. */
export interface RawNumber {
  readonly rawJSON: string;
}

interface CarefulJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}
const careful = JSON as unknown as CarefulJson;

export const isRawNumber = (value: unknown): value is RawNumber => careful.isRawJSON(value);

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

/** A number after a separator with sixteen signs or an exponent: what a double may not hold. */
const suspectNumbers = /([:[,]\s*)(-?(?:[\d.]{16,}|[\d.]+[eE])[\d.eE+-]*)/g;

const plainInteger = /^-?\d+$/;
const loneNumber = /^\s*[-\d]/;

function keepsItsValue(source: string, value: number): boolean {
  if (plainInteger.test(source)) return Number.isSafeInteger(value) && !Object.is(value, -0);
  return Number.isFinite(value) && normalizeDecimal(source) === normalizeDecimal(String(value));
}

/** Sign, digits without zeros at the ends, and exponent: equal for equal numbers, however they are written. */
function normalizeDecimal(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/0+$/, '');
  const power = Number(exponent) + whole.length - (whole + fraction).search(/[1-9]|$/);
  const significant = digits.replace(/^0+/, '');
  return significant === '' ? '0' : `${source.startsWith('-') ? '-' : ''}0.${significant}e${power}`;
}

/** Marks what is turned back after its text is parsed; no service sends these prefixes by chance. */
const nonce = randomBytes(12).toString('hex');
const rawMark = `\u0001raw-${nonce}:`;
const keyMark = `\u0001key-${nonce}-`;

/** A key with an escape in it. Outside of strings JSON has no backslash, so the first quote is an opening one. */
const escapedKeys = /"([^"\\]*\\.(?:[^"\\]|\\.)*)"(?=\s*:)/g;
const mayHoldEscapedKeys = /\\.(?:[^"\\]|\\.)*"\s*:/;

/**
 * Gives each key with an escape a prefix of its own. V8 compares the raw text of a key with the key that it
 * expects there: `{"\"":2}` read after `{"\\":1}` comes out as `{"\\":2}` (V8 11 to 13).
 */
function markEscapedKeys(text: string): string {
  let marked = 0;
  return text.replace(escapedKeys, (_whole, key: string) => {
    marked += 1;
    return `"${JSON.stringify(keyMark).slice(1, -1)}${marked}:${key}"`;
  });
}

const unmarkKey = (key: string): string =>
  key.startsWith(keyMark) ? key.slice(key.indexOf(':', keyMark.length) + 1) : key;

/**
 * Parses JSON so that no number loses digits: numbers that a double cannot hold become raw numbers.
 * A reviver that sees the source costs about eight times the plain parse; so the few suspect numbers are
 * put in quotes, parsed plainly and turned back. A suspect inside a string makes that text no JSON, and
 * then the reviver does it.
 *
 * @throws SyntaxError when the text is no JSON
 */
export function parseJson(text: string): JsonValue {
  const hasEscapedKeys = mayHoldEscapedKeys.test(text);
  const source = hasEscapedKeys ? markEscapedKeys(text) : text;
  if (loneNumber.test(source)) return parseWithSource(source);
  let marked = 0;
  const quoted = source.replace(suspectNumbers, (whole, separator: string, digits: string) => {
    if (keepsItsValue(digits, Number(digits))) return whole;
    marked += 1;
    return `${separator}${JSON.stringify(rawMark + digits)}`;
  });
  if (marked === 0) {
    const parsed = JSON.parse(source) as JsonValue;
    return hasEscapedKeys ? unmark(parsed) : parsed;
  }
  try {
    return unmark(JSON.parse(quoted) as JsonValue);
  } catch {
    const parsed = parseWithSource(source);
    return hasEscapedKeys ? unmark(parsed) : parsed;
  }
}

function unmark(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    return value.startsWith(rawMark) ? careful.rawJSON(value.slice(rawMark.length)) : value;
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = unmark(value[index] as JsonValue);
  } else if (isJsonObject(value)) {
    const keys = Object.keys(value);
    if (keys.some((key) => key.startsWith(keyMark))) {
      return Object.fromEntries(keys.map((key) => [unmarkKey(key), unmark(value[key] as JsonValue)]));
    }
    for (const key of keys) {
      const inner = value[key] as JsonValue;
      if (typeof inner === 'string' ? inner.startsWith(rawMark) : typeof inner === 'object') {
        value[key] = unmark(inner);
      }
    }
  }
  return value;
}

function parseWithSource(text: string): JsonValue {
  return careful.parse(text, (_key, value, context) => {
    if (typeof value !== 'number' || context.source === undefined) return value;
    return keepsItsValue(context.source, value) ? value : careful.rawJSON(context.source);
  }) as JsonValue;
}

/** Plain JSON for a window: a number that a double cannot hold becomes the text of its digits. */
export function toPlainJson(value: JsonValue): unknown {
  if (isRawNumber(value)) return value.rawJSON;
  if (Array.isArray(value)) return value.map(toPlainJson);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toPlainJson(inner)]));
}

/** Keys of an object in order of their names, each with its JSON text; objects of one kind share a plan. */
interface KeyPlan {
  readonly keys: readonly string[];
  readonly sorted: readonly string[];
  readonly prefixes: readonly string[];
}
const plans = new Map<string, KeyPlan>();

function planKeys(value: JsonObject): KeyPlan {
  const keys = Object.keys(value);
  const slot = `${keys.length}${keys[0] ?? ''}`;
  const known = plans.get(slot);
  if (known !== undefined && keys.every((key, index) => key === known.keys[index])) return known;
  const sorted = [...keys].sort();
  const plan = {
    keys,
    sorted,
    prefixes: sorted.map((key, index) => `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`),
  };
  plans.set(slot, plan);
  if (plans.size > 1000) plans.clear();
  return plan;
}

/** JSON text with sorted keys: equal for values that are equal as JSON. */
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
  const { sorted, prefixes } = planKeys(value);
  let text = '{';
  for (let index = 0; index < sorted.length; index += 1) {
    const inner = value[sorted[index] as string] as JsonValue;
    text += prefixes[index];
    text +=
      inner === null ? 'null' : typeof inner === 'number' ? writeNumber(inner) : writeCanonicalJson(inner);
  }
  return `${text}}`;
}

/** As JSON.stringify writes it. */
const writeNumber = (value: number): string => (Number.isFinite(value) ? String(value) : 'null');
