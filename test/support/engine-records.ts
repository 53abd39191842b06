import fc from 'fast-check';
import {
  isRawNumber,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../src/main/engine/store/record/json.ts';
import { claimShape, memberShape, type Shape } from '../../src/main/engine/store/record/record-columns.ts';

/** Texts that only hostile or careless people would send. */
export const oddTexts = [
  '',
  ' ',
  "'",
  '"',
  '\\',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  'Zoë Nuñez',
  'Zoe\u0308',
  '名前',
  '👩‍⚕️',
  '__proto__',
  'constructor',
  '12345678901234567890',
  ': 12345678901234567890',
  ',-1.2345678901234567e5]',
  '[1e400',
  "'; DROP TABLE claims; --",
  '=1+1',
  '\r\n',
];

const anyText = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
);

const anyNumber = fc.oneof(
  fc.integer(),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 0.1, 1.005, -12.345, 1e21, 5e-324, 1.7976931348623157e308, 0.30000000000000004),
);

/** Any JSON value, without raw numbers, which are tested as text. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    anyNumber,
    anyText,
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(anyText, tie('value')), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries) as JsonObject),
  ),
})).value;

/** A value of a column's kind, or null, or (rarely) any JSON value; undefined stands for absent. */
function maybe(usual: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue | undefined> {
  return fc.oneof(
    { weight: 8, arbitrary: usual },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: anyJson },
  );
}

const isoText = fc
  .date({ min: new Date('1930-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .chain((date) =>
    fc.constantFrom(
      date.toISOString().slice(0, 10),
      date.toISOString(),
      date.toISOString().replace('Z', '+00:00'),
      date.toISOString().slice(0, 19),
    ),
  );

const usualOf: Record<string, fc.Arbitrary<JsonValue>> = {
  text: fc.oneof(anyText, isoText, fc.constantFrom('Rejected', 'In Process', 'IN', '[)', '123-45-6789')),
  integer: fc.oneof(fc.integer(), fc.maxSafeInteger()),
  real: anyNumber,
  money: fc.oneof(
    anyNumber,
    fc.integer({ min: -9_999_999, max: 9_999_999 }).map((tenThousandths) => tenThousandths / 10_000),
  ),
  boolean: fc.boolean(),
};

function recordOf(shape: Shape, depth: number): fc.Arbitrary<JsonObject> {
  const parts: Record<string, fc.Arbitrary<JsonValue | undefined>> = {};
  for (const column of shape.columns)
    parts[column.key] = maybe(usualOf[column.kind] as fc.Arbitrary<JsonValue>);
  for (const object of shape.inline) {
    const inner: Record<string, fc.Arbitrary<JsonValue | undefined>> = {};
    for (const column of object.columns)
      inner[column.key] = maybe(usualOf[column.kind] as fc.Arbitrary<JsonValue>);
    parts[object.key] = maybe(
      fc.oneof(
        { weight: 4, arbitrary: fc.record(inner).map(dropAbsent) },
        { weight: 1, arbitrary: fc.record({ ...inner, surprise: anyJson }).map(dropAbsent) },
      ),
    );
  }
  for (const shared of shape.shared) parts[shared.key] = maybe(recordOf(shared.shape(), depth - 1));
  for (const list of shape.lists) {
    parts[list.key] = maybe(
      list.kind === 'map'
        ? fc.oneof(
            fc
              .array(fc.tuple(anyText, anyText), { maxLength: 3 })
              .map((entries) => Object.fromEntries(entries) as JsonObject),
            fc.dictionary(fc.string({ maxLength: 5 }), anyJson, { maxKeys: 2 }) as fc.Arbitrary<JsonValue>,
          )
        : fc.array(
            fc.oneof(
              { weight: 20, arbitrary: recordOf(list.shape(), depth - 1) },
              { weight: 1, arbitrary: anyJson as fc.Arbitrary<JsonObject> },
            ),
            { maxLength: depth > 1 ? 3 : 2 },
          ),
    );
  }
  const known = fc.record(parts).map(dropAbsent);
  const unknown = fc.array(fc.tuple(anyText, anyJson), { maxLength: 2 });
  return fc.tuple(known, unknown).map(([record, extras]) => {
    for (const [key, value] of extras) {
      if (Object.hasOwn(parts, key)) continue;
      Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
    }
    return record;
  });
}

function dropAbsent(parts: Record<string, JsonValue | undefined>): JsonObject {
  const record: JsonObject = {};
  for (const [key, value] of Object.entries(parts)) if (value !== undefined) record[key] = value;
  return record;
}

/** A claim or a member with every field of the interface: filled, null, absent, of an odd type, and more. */
export const anyClaim = recordOf(claimShape, 3);
export const anyMember = recordOf(memberShape, 3);

/**
 * Equality as JSON, without the code under test: objects regardless of the order of their keys, numbers by their exact
 * decimal value (a raw number by its digits).
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (isRawNumber(a) || isRawNumber(b) || typeof a === 'number' || typeof b === 'number') {
    const [left, right] = [decimalOf(a), decimalOf(b)];
    return left !== null && left === right;
  }
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => isSameJson(item, b[index]))
    );
  }
  const [left, right] = [Object.keys(a), Object.keys(b)];
  return (
    left.length === right.length &&
    left.every(
      (key) =>
        Object.hasOwn(b, key) &&
        isSameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  );
}

function decimalOf(value: unknown): string | null {
  if (isRawNumber(value)) return normalizeDecimal(value.rawJSON);
  return typeof value === 'number' ? normalizeDecimal(String(value)) : null;
}

/** `-12.30e2` and `-1230` are one number: sign, digits without zeros at the ends, exponent. */
export function normalizeDecimal(source: string): string {
  const match = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(source);
  if (match === null) throw new Error(`no number: ${source}`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  let digits = whole + fraction;
  let power = BigInt(exponent) - BigInt(fraction.length);
  const trimmed = digits.replace(/0+$/, '');
  power += BigInt(digits.length - trimmed.length);
  digits = trimmed.replace(/^0+/, '');
  return digits === '' ? '0' : `${sign}${digits}e${power}`;
}

/** Parses a text for comparison; the digits of every number are kept. */
export const readJson = (text: string): JsonValue => parseJson(text);
