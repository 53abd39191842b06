import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isRawNumber,
  type JsonObject,
  type JsonValue,
  parseJson,
  writeCanonicalJson,
} from '../../../../../../src/main/engine/store/record/json.ts';
import { anyJson, isSameJson, normalizeDecimal } from '../../../../../support/engine-records.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const digitsOf = (value: JsonValue): string => (isRawNumber(value) ? value.rawJSON : String(value));

/** A number as JSON allows it, of any length. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,24}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,24}$/)),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      { weight: 1, arbitrary: fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/) },
    ),
  )
  .map((parts) => parts.join(''));

test('keeps every digit of every number, wherever it is', () => {
  fc.assert(
    fc.property(numberText, fc.constantFrom('', ' ', '\n\t'), (source, blank) => {
      const text = `{"a":${blank}${source},"b":[${blank}${source}${blank},${source}],"c":{"d":${source}}}`;
      const parsed = parseJson(text) as { a: JsonValue; b: JsonValue[]; c: { d: JsonValue } };
      for (const value of [parsed.a, ...parsed.b, parsed.c.d]) {
        expect(normalizeDecimal(digitsOf(value)), source).toBe(normalizeDecimal(source));
      }
    }),
    { numRuns: fuzzRuns(2000) },
  );
});

test('a key with an escape is not mistaken for the key of an earlier object in its place', () => {
  const keys = ['\\', '"', '\n', '\u0000', 'a\\', 'a"', '__proto__', 'n'];
  for (const first of keys) {
    for (const second of keys) {
      parseJson(JSON.stringify({ [first]: 1 }));
      const text = `{${JSON.stringify(second)} : {${JSON.stringify(second)}:12345678901234567890}, "z":"a\\"b:c","y":["\\\\","\\\\\\""]}`;
      expect(JSON.stringify(parseJson(text))).toBe(text.replaceAll(' ', ''));
    }
  }
});

test.each([
  ['123456789.123456789', 'digits on both sides of the point'],
  ['1234567890.1234567890', 'ten on either side'],
  ['9007199254740993', 'the first integer that a double skips'],
  ['-9007199254740993', 'the same, negative'],
  ['1e400', 'beyond the largest double'],
  ['-1E+999', 'far beyond'],
  ['1e-400', 'under the smallest double'],
  ['4.123456789012345e-320', 'where doubles grow coarse'],
  ['0.1000000000000000055', 'more digits than a double prints'],
  ['123456789012345.678', 'eighteen digits'],
])('%s is kept as received (%s)', (source) => {
  const { a } = parseJson(`{"a":${source}}`) as { a: JsonValue };
  expect(isRawNumber(a) ? a.rawJSON : a).toBe(source);
  expect(JSON.stringify(parseJson(`{"a":${source}}`))).toBe(`{"a":${source}}`);
});

test.each(['0', '1', '-1', '12.5', '0.1', '1e2', '1.5E-3', '9007199254740991', '123456789012345', '1.10'])(
  '%s stays a plain number',
  (source) => {
    const { a } = parseJson(`{"a":${source}}`) as { a: JsonValue };
    expect(a).toBe(Number(source));
  },
);

test('a number alone keeps its digits too', () => {
  expect(digitsOf(parseJson('12345678901234567890'))).toBe('12345678901234567890');
  expect(digitsOf(parseJson(' -1e400 '))).toBe('-1e400');
});

test('a text that reads like a long number after a separator stays a text', () => {
  const record = {
    note: 'ref: 12345678901234567890, again [99999999999999999999 and ,1e400',
    ':12345678901234567890': ['a,12345678901234567890', '\\:12345678901234567890'],
    number: 1,
  };
  expect(parseJson(JSON.stringify(record))).toEqual(record);
  const mixed = parseJson(`{"t":"x:12345678901234567890","n":12345678901234567890}`) as JsonObject;
  expect(mixed.t).toBe('x:12345678901234567890');
  expect(digitsOf(mixed.n as JsonValue)).toBe('12345678901234567890');
});

test('parses whatever JSON.stringify writes, and writes it the same', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = JSON.stringify(value);
      // Not compared with JSON.parse, which takes one escaped key for another now and then.
      expect(JSON.stringify(parseJson(text))).toBe(text);
    }),
    { numRuns: fuzzRuns(1000) },
  );
});

test.each([
  '',
  '{',
  '{"a":01234567890123456789}',
  '{"a":1.2.3456789012345678901}',
  '{"a":1e5.5}',
  '{"a":12345678901234567890e}',
  '[12345678901234567890-]',
  "{'a':1}",
  '{"a":NaN}',
  '{"a":12345678901234567890,}',
  '<html>',
])('%s is not JSON', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

test('a key named __proto__ is a key like any other', () => {
  const text = '{"__proto__":{"big":12345678901234567890},"constructor":{"prototype":1},"a":1}';
  const parsed = parseJson(text) as JsonObject;
  expect(Object.keys(parsed)).toEqual(['__proto__', 'constructor', 'a']);
  expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  expect(JSON.stringify(parsed)).toBe(text);
  expect(writeCanonicalJson(parsed)).toBe(
    '{"__proto__":{"big":12345678901234567890},"a":1,"constructor":{"prototype":1}}',
  );
});

const shuffled = (value: JsonValue, pick: (count: number) => number): JsonValue => {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, pick));
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  const keys = Object.keys(value);
  const entries: [string, JsonValue][] = [];
  while (keys.length > 0) {
    const [key] = keys.splice(pick(keys.length), 1) as [string];
    entries.push([key, shuffled(value[key] as JsonValue, pick)]);
  }
  return Object.fromEntries(entries);
};

test('the canonical text does not depend on the order of keys', () => {
  fc.assert(
    fc.property(anyJson, fc.infiniteStream(fc.nat()), (value, numbers) => {
      const pick = (count: number): number => (numbers.next().value as number) % count;
      expect(writeCanonicalJson(shuffled(value, pick))).toBe(writeCanonicalJson(value));
    }),
    { numRuns: fuzzRuns(1000) },
  );
});

test('two values have the same canonical text exactly if they are equal as JSON', () => {
  fc.assert(
    fc.property(anyJson, anyJson, (a, b) => {
      expect(writeCanonicalJson(a) === writeCanonicalJson(b)).toBe(isSameJson(a, b));
      expect(isSameJson(parseJson(writeCanonicalJson(a)), a)).toBe(true);
    }),
    { numRuns: fuzzRuns(1000) },
  );
});

test.each<[JsonValue, JsonValue]>([
  [null, {}],
  [[], {}],
  ['1', 1],
  ['', null],
  [{ a: null }, {}],
  [
    { a: 1, b: 2 },
    { a: 2, b: 1 },
  ],
  [{ ab: 1 }, { a: 1 }],
  [['ab'], ['a', 'b']],
  [[[1], 2], [[1, 2]]],
  [{ 'a":1,"b': 1 }, { a: 1, b: 1 }],
  ['\ud800', '\ufffd'],
  ['e\u0301', '\u00e9'],
])('%j and %j differ', (a, b) => {
  expect(writeCanonicalJson(a)).not.toBe(writeCanonicalJson(b));
});

test('minus zero equals zero, and a lone surrogate survives', () => {
  expect(writeCanonicalJson([-0])).toBe('[0]');
  expect(writeCanonicalJson({ a: -0 })).toBe('{"a":0}');
  expect(JSON.parse(writeCanonicalJson(['\ud800x']))).toEqual(['\ud800x']);
});
