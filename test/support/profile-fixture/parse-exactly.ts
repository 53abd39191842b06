type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const json = JSON as unknown as {
  parse(text: string, reviver: Reviver): unknown;
  rawJSON(text: string): object;
};

/** A record, or another object with an ID. */
export type JsonRecord = { readonly id: number; readonly [field: string]: unknown };

/**
 * Parses JSON whose integers may be beyond 2^53. These keep their digits, so that two are equal only if all digits are,
 * and `JSON.stringify` writes them unchanged.
 */
export function parseExactly<T = JsonRecord>(text: string): T {
  if (!/\d{16}/.test(text)) return JSON.parse(text) as T;
  return json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? '')
      ? json.rawJSON(source ?? '')
      : value,
  ) as T;
}
