import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type JsonObject,
  type JsonValue,
  parseJson,
  writeComparable,
} from '../../../../../../src/main/engine/store/record/json.ts';
import { findSuspects } from '../../../../../../src/main/engine/store/record/scan-json.ts';
import { hasWords, searchableText } from '../../../../../../src/main/engine/store/record/text-index.ts';
import { diffRecords } from '../../../../../../src/main/engine/store/sync/diff-records.ts';
import { anyJson } from '../../../../../support/engine-records.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

// Linear code takes milliseconds for these texts; quadratic code takes an hour, which the time limit ends.
const length = 1_000_000;
const fill = (part: string, count = Math.floor(length / part.length)): string => part.repeat(count);

test.each<[string, string]>([
  ['line breaks in one remark', `{"remarks":"${fill('\\n')}"}`],
  ['line breaks, then a key', `{"remarks":"${fill('\\n')}","id":1}`],
  ['escaped quotes', `{"a":"${fill('\\"')}"}`],
  ['escaped backslashes', `{"a":"${fill('\\\\')}"}`],
  ['a key of escapes', `{"${fill('\\u0041')}":1}`],
  ['a key of escapes with blanks before its colon', `{"${fill('\\t', 100)}"${fill(' ')}:1}`],
  ['many keys with an escape', `{${fill('"\\n":1,')}"z":1}`],
  ['many texts with an escape', `[${fill('"\\n",')}1]`],
  ['texts with an escape and many blanks after', `[${fill(`"\\n"${' '.repeat(1000)},`)}1]`],
  ['colons in a text', `{"a":"${fill(':')}"}`],
  ['separators with blanks', `[${fill(`${' \n\t\r'.repeat(1000)}0,`)}1]`],
  ['one number of zeros with a one at either end', `[1${fill('0')}1]`],
  ['a fraction of zeros', `[0.${fill('0')}1]`],
  ['zeros after the point', `[1.${fill('0')}]`],
  ['a long exponent', `[1e${fill('9')}]`],
  ['a long negative exponent', `[1E-${fill('1')}]`],
  ['many suspect numbers', `[${fill('12345678901234567890,')}1]`],
  ['many exponents', `[${fill('1e5,')}1]`],
  ['many numbers that fit', `[${fill('0.30000000000000004,')}1]`],
  ['suspect numbers in a text', `{"a":"${fill(':12345678901234567890,')}"}`],
  ['one long plain text', `{"a":"${fill('abc ')}"}`],
  ['many small objects', `[${fill('{"a":1},')}1]`],
  ['nothing but blanks around a number', `${fill(' ')}1${fill('\n')}`],
])('reads %s in time that is linear in their length', (_name, text) => {
  const parsed = parseJson(text);
  expect(writeComparable(parsed)).toBe(writeComparable(parseJson(JSON.stringify(parsed))));
});

test.each<[string, string]>([
  ['backslashes outside of a text', fill('\\')],
  ['backslashes and quotes', fill('\\"')],
  ['quotes and backslashes', fill('"\\')],
  ['quotes', `${fill('"')}"`],
  ['a text that does not end', `"${fill('\\n')}`],
  ['an escape that does not end', `{"a":"${fill('a')}\\`],
  ['keys without values', `{${fill('"\\n":')}`],
  ['numbers as keys', `{${fill('12345678901234567890:')}`],
  ['signs of numbers', fill('+-.eE')],
  ['points', `[${fill('1.')}]`],
  ['exponents of exponents', `[${fill('1e')}]`],
  ['open lists', fill('[')],
])('refuses %s in time that is linear in their length', (_name, text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});

const blank = fc.stringMatching(/^[ \n\r\t]{0,3}$/);

test('finds the same in a text with any spacing', () => {
  fc.assert(
    fc.property(anyJson, blank, (value, gap) => {
      const spaced = JSON.stringify(value, null, '\t').replaceAll(/\n\t*/g, (whole) => `${whole}${gap}`);
      fc.pre(JSON.stringify(JSON.parse(spaced)) === JSON.stringify(JSON.parse(JSON.stringify(value))));
      expect(JSON.stringify(parseJson(spaced))).toBe(JSON.stringify(value));
    }),
    { numRuns: fuzzRuns(500) },
  );
});

test('accepts exactly the texts that JSON.parse accepts', () => {
  const signs = fc.constantFrom(
    ...'{}[]:,"\\ \n-+.eE0123456789ntu'.split(''),
    '12345678901234567890',
    '1e400',
  );
  const damaged = fc
    .tuple(
      anyJson.map((value) => JSON.stringify(value)),
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), signs), { maxLength: 3 }),
    )
    .map(([text, changes]) =>
      changes.reduce((before, [at, drop, sign]) => {
        const from = at % (before.length + 1);
        return before.slice(0, from) + sign + before.slice(from + drop);
      }, text),
    );
  const isTaken = (parse: (text: string) => unknown, text: string): boolean => {
    try {
      parse(text);
      return true;
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(SyntaxError);
      return false;
    }
  };
  fc.assert(
    fc.property(damaged, (text) => {
      expect(isTaken(parseJson, text), text).toBe(isTaken(JSON.parse, text));
    }),
    { numRuns: fuzzRuns(3000) },
  );
});

test('suspects are keys with an escape and long numbers, outside of texts', () => {
  const found = (text: string): string[] => {
    const at = findSuspects(text);
    return at.flatMap((start, index) => (index % 2 === 0 ? [text.slice(start, at[index + 1])] : []));
  };
  expect(found('{"a":1,"b\\n" : "c\\n","d":[1e5,-1.5E-3, 123456789012345 ,1234567890123456]}')).toEqual([
    '"b\\n"',
    '1e5',
    '-1.5E-3',
    '1234567890123456',
  ]);
  expect(found('{"\\\\":"\\\\\\"","e":":12345678901234567890,"}')).toEqual(['"\\\\"']);
  expect(found(' 12345678901234567890 ')).toEqual(['12345678901234567890']);
  expect(found('')).toEqual([]);
});

test('the words of a text full of combining marks are found in time that is linear in its length', () => {
  const text = `zo${'\u0315\u0316'.repeat(length / 4)}e`;
  expect(hasWords('zoe', [text])).toBe(true);
  expect(hasWords('zob', [text])).toBe(false);
  expect(searchableText('claims', { id: 1, service_provider: text })).toBe('zoe 1');
});

test('two deep records are compared in time that is linear in their size', () => {
  const nest = (inner: JsonValue): JsonObject => {
    let value = inner;
    for (let level = 0; level < 1_000; level += 1) value = level % 2 === 0 ? { a: value } : [value];
    return { a: value };
  };
  const long = fill('x');
  const { fields } = diffRecords(nest([long, 1]), nest([long, 2]), 'claims');
  expect(fields).toMatchObject([{ before: '1', after: '2' }]);
});
