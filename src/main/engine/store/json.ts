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

/** Long digit runs and exponents after a separator: what a double may not hold. May hit inside strings; harmless. */
const suspectNumber = /[:[,]\s*-?(?:\d*\.?\d{16,}|[\d.]+[eE])/;

const plainInteger = /^-?\d+$/;

function keepsItsValue(source: string, value: number): boolean {
  if (plainInteger.test(source)) return Number.isSafeInteger(value) && !Object.is(value, -0);
  if (!Number.isFinite(value)) return false;
  const digits = source
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '');
  return digits.length <= 15 || String(value) === source;
}

/**
 * Parses JSON so that no number loses digits: numbers that a double cannot hold become raw numbers.
 * A reviver that sees the source costs about eight times the plain parse, so it runs only on texts
 * that a scan suspects.
 *
 * @throws SyntaxError when the text is no JSON
 */
export function parseJson(text: string): JsonValue {
  if (!suspectNumber.test(text)) return JSON.parse(text) as JsonValue;
  return careful.parse(text, (_key, value, context) => {
    if (typeof value !== 'number' || context.source === undefined) return value;
    return keepsItsValue(context.source, value) ? value : careful.rawJSON(context.source);
  }) as JsonValue;
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
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    if (text.length > 1) text += ',';
    text += `${JSON.stringify(key)}:${writeCanonicalJson(value[key] as JsonValue)}`;
  }
  return `${text}}`;
}
