import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutPage } from '../../../../../../src/main/engine/store/record/cut-page.ts';
import { parseJson, writeComparable } from '../../../../../../src/main/engine/store/record/json.ts';
import { openPage } from '../../../../../../src/main/engine/store/record/prepare-page.ts';
import { anyJson } from '../../../../../support/engine-records.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The items of a text by the parser of the whole text; null where it is no page. */
function parseWhole(text: string): string[] | null {
  try {
    const parsed = parseJson(text);
    if (typeof parsed !== 'object' || parsed === null || !Object.hasOwn(parsed, 'data')) return null;
    const { data } = parsed as { data?: unknown };
    const items = Array.isArray(data) ? data : data === null ? [] : [data];
    return items.map(writeComparable);
  } catch {
    return null;
  }
}

/** The same item by item, as a page is read. */
function parseItems(text: string): string[] | null {
  try {
    const page = openPage(bytesOf(text), null);
    return Array.from({ length: page.facts.records }, (_none, index) => writeComparable(page.readAt(index)));
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'service.badReply' });
    return null;
  }
}

/** Texts around which a cutter can go wrong: quotes, brackets and separators in strings, odd keys, long numbers. */
const hostile = fc.constantFrom(
  '"',
  '\\',
  '\\"',
  '],[',
  '},{',
  '{"id":1}',
  '"data":[',
  'id',
  'data',
  '__proto__',
  'é\u{1f600}',
  '\ud800',
  '\n',
);
const hostileJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    hostile,
    anyJson,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(hostile, tie('value'), { maxKeys: 5 }),
  ),
})).value;
const blank = fc.stringMatching(/^[ \n\r\t]{0,2}$/);
const number = fc.constantFrom(
  '-0',
  '12345678901234567890',
  '1e400',
  '0.10',
  '1E5',
  '-12.50',
  '9007199254740993',
);
const item = fc.oneof(
  hostileJson.map((value) => JSON.stringify(value)),
  number,
  fc
    .tuple(number, hostileJson)
    .map(([id, value]) => `{"id":${id},"\\u0069d":3,"x":${JSON.stringify(value)}}`),
  fc.tuple(hostileJson, fc.nat()).map(([value, id]) => `{"x":${JSON.stringify(value)}, "id" : ${id} }`),
);
const pageText = fc
  .record({ items: fc.array(item, { maxLength: 5 }), before: hostileJson, after: hostileJson, gap: blank })
  .map(
    ({ items, before, after, gap }) =>
      `${gap}{${gap}"before"${gap}:${JSON.stringify(before)},"data":${gap}[${gap}${items.join(`${gap},${gap}`)}${gap}]${gap},"after":${JSON.stringify(after)}}${gap}`,
  );

test('a page read item by item has the items of the whole text', () => {
  fc.assert(
    fc.property(pageText, (text) => {
      expect(cutPage(bytesOf(text))).not.toBeNull();
      expect(parseItems(text)).toEqual(parseWhole(text));
    }),
    { numRuns: fuzzRuns(500) },
  );
});

test('a text that is not a page, or nearly one, is refused or accepted like the whole text', () => {
  const odd = fc.constantFrom(
    '',
    '"',
    ',',
    '[',
    ']',
    '{',
    '}',
    '\\',
    ':',
    '"data":[{}],',
    '"d\\u0061ta":[1],',
    '\ufeff',
  );
  fc.assert(
    fc.property(pageText, fc.nat(), fc.nat(3), odd, (text, place, length, insert) => {
      const at = place % (text.length + 1);
      const bent = (text.slice(0, at) + insert + text.slice(at + length)).toWellFormed();
      expect(parseItems(bent)).toEqual(parseWhole(bent.replace(/^\ufeff/, '')));
    }),
    { numRuns: fuzzRuns(2000) },
  );
});

test.each<[string, string, number[]]>([
  ['first, last, or with blanks', '{"id":1,"a":2},{"a":{"id":5},"id" : 2}', [1, 2]],
  [
    'not one of an inner object or a text',
    '{"a":{"id":5}},{"a":"id"},"id"',
    [Number.NaN, Number.NaN, Number.NaN],
  ],
  ['not one of more digits than can be added up', '{"id":12345678901234567890}', [Number.NaN]],
  ['also as text', '{"id":"7"},{"id":""}', [7, Number.NaN]],
  ['not one that is no whole number', '{"id":"7a"},{"id":null}', [Number.NaN, Number.NaN]],
])('the id of an item: %s', (_name, items, ids) => {
  expect(cutPage(bytesOf(`{"data":[${items}]}`))?.ids).toEqual(ids);
});

test('a page in another form is left to the parser of the whole text', () => {
  for (const text of [
    '{"data":[1],"data":[2]}',
    '{"data":{"id":1}}',
    '{"d\\u0061ta":[1]}',
    '[1]',
    '{"data":null}',
  ]) {
    expect(cutPage(bytesOf(text)), text).toBeNull();
    expect(parseItems(text)).toEqual(parseWhole(text));
  }
  expect(cutPage(Uint8Array.of(...bytesOf('{"data":["'), 0xff, ...bytesOf('"]}')))).toBeNull();
});
