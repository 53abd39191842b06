import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonObject, parseJson } from '../../../../../../src/main/engine/store/record/json.ts';
import { digestRecord } from '../../../../../../src/main/engine/store/record/record-digest.ts';
import { anyClaim, anyJson, anyMember, isSameJson } from '../../../../../support/engine-records.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const digestOf = (text: string): string =>
  Buffer.from(digestRecord(parseJson(text) as JsonObject)).toString('hex');

/** A number as JSON allows it. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,22}$/), fc.stringMatching(/^[1-9]0{0,22}$/)),
    fc.constantFrom('', '.0', '.5', '.25000', '.00000000000000000001'),
    fc.constantFrom('', 'e0', 'E1', 'e+2', 'e-2', 'e20', 'e-20', 'e400', 'e99999999999999999999'),
  )
  .map((parts) => parts.join(''));

/** The same number, spelled otherwise. */
const respell = (source: string, way: number): string => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+(?=\d)/, '');
  if (way === 0) return `${sign}${digits}e${BigInt(exponent) - BigInt(fraction.length)}`;
  if (way === 1) return `${sign}${whole}.${fraction}000E${exponent}`;
  return `${sign}${digits}.000e${BigInt(exponent) - BigInt(fraction.length)}`;
};

test('a number is the same however it is spelled', () => {
  fc.assert(
    fc.property(numberText, fc.nat({ max: 2 }), (source, way) => {
      expect(digestOf(`{"a":[${source}]}`), respell(source, way)).toBe(
        digestOf(`{"a":[${respell(source, way)}]}`),
      );
    }),
    { numRuns: fuzzRuns(1000) },
  );
});

test('two numbers have the same digest exactly if they are equal to the last digit', () => {
  fc.assert(
    fc.property(numberText, numberText, (a, b) => {
      const [left, right] = [`{"a":${a}}`, `{"a":${b}}`];
      expect(digestOf(left) === digestOf(right), `${a} ${b}`).toBe(
        isSameJson(parseJson(left), parseJson(right)),
      );
    }),
    { numRuns: fuzzRuns(1000) },
  );
});

test.each([
  ['1', '1.0'],
  ['0', '-0'],
  ['0', '0.000e5'],
  ['9007199254740992', '9.007199254740992e15'],
  ['100000000000000000000', '1e20'],
  ['1e400', '10e399'],
  ['0.10', '1E-1'],
  ['1e99999999999999999999', '10e99999999999999999998'],
])('%s and %s are the same number', (a, b) => {
  expect(digestOf(`{"a":${a}}`)).toBe(digestOf(`{"a":${b}}`));
});

test.each([
  ['9007199254740992', '9007199254740993'],
  ['0.1', '0.1000000000000000055'],
  ['1e400', '1e401'],
  ['1e400', '-1e400'],
  ['1e99999999999999999999', '1e99999999999999999998'],
  ['1', '"1"'],
  ['"12345678901234567890"', '12345678901234567890'],
  ['null', '0'],
  ['""', 'null'],
  ['"e\\u0301"', '"\\u00e9"'],
])('%s and %s differ', (a, b) => {
  expect(digestOf(`{"a":${a}}`)).not.toBe(digestOf(`{"a":${b}}`));
});

test('null and absent differ; the order of keys does not matter, the order of a list does', () => {
  expect(digestOf('{"id":1,"a":null}')).not.toBe(digestOf('{"id":1}'));
  expect(digestOf('{"id":1,"a":{"b":[],"c":2}}')).toBe(digestOf('{"a":{"c":2,"b":[]},"id":1}'));
  expect(digestOf('{"id":1,"a":[1,2]}')).not.toBe(digestOf('{"id":1,"a":[2,1]}'));
  expect(digestOf('{"a":1,"a":2}')).toBe(digestOf('{"a":2}'));
});

test('records have the same digest exactly if they are equal as JSON', () => {
  const any = fc.oneof(
    anyClaim,
    anyMember,
    anyJson.map((value): JsonObject => ({ value })),
  );
  fc.assert(
    fc.property(any, any, (a, b) => {
      const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
      expect(digestOf(left) === digestOf(right)).toBe(isSameJson(parseJson(left), parseJson(right)));
      const turned = JSON.stringify(Object.fromEntries(Object.entries(a).reverse()));
      expect(digestOf(turned)).toBe(digestOf(left));
    }),
    { numRuns: fuzzRuns(300) },
  );
});
