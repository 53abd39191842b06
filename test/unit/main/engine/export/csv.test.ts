import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FieldKind } from '../../../../../src/contract/fields.ts';
import type { Cell } from '../../../../../src/contract/query.ts';
import { headerOf, writeCell, writeRecord } from '../../../../../src/main/engine/export/csv.ts';
import { oddTexts } from '../../../../support/engine-records.ts';
import { fuzzRuns } from '../../../../support/seeds.ts';

/** RFC 4180 read strictly: the fields, and whether each was in quotes. */
function parseCsv(text: string): { value: string; isQuoted: boolean }[][] {
  const records: { value: string; isQuoted: boolean }[][] = [];
  let record: { value: string; isQuoted: boolean }[] = [];
  let at = 0;
  while (at < text.length) {
    let value = '';
    const isQuoted = text[at] === '"';
    if (isQuoted) {
      at += 1;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote < 0) throw new Error('a quote is open');
        value += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        value += '"';
        at += 1;
      }
    } else {
      const end = text.slice(at).search(/[,\r\n"]/);
      if (end < 0) throw new Error('a record has no end');
      value = text.slice(at, at + end);
      at += end;
    }
    record.push({ value, isQuoted });
    if (text[at] === ',') {
      at += 1;
      if (text.startsWith('\r\n', at)) record.push({ value: '', isQuoted: false });
      else continue;
    }
    if (!text.startsWith('\r\n', at)) throw new Error(`no CRLF at ${at}`);
    at += 2;
    records.push(record);
    record = [];
  }
  return records;
}

const kinds: readonly FieldKind[] = [
  'id',
  'integer',
  'number',
  'money',
  'text',
  'boolean',
  'date',
  'dateTime',
];
const cell: fc.Arbitrary<Cell> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(...oddTexts, '=cmd|calc', '+1', '-1', '@x', '\tx', '＝1', 'a,b', 'a;b', 'a"b', "'quoted"),
  fc.string({ unit: 'grapheme' }),
);

test('whatever is written is read back by a strict reader, with one guard at the most', () => {
  const row = fc.array(fc.tuple(cell, fc.constantFrom(...kinds)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) => {
      const text = rows
        .map((cells) =>
          writeRecord(
            cells.map(([value]) => value),
            cells.map(([, kind]) => kind),
          ),
        )
        .join('');
      const back = parseCsv(text);
      expect(back).toHaveLength(rows.length);
      for (const [index, cells] of rows.entries()) {
        expect(back[index]).toHaveLength(cells.length);
        for (const [column, [value, kind]] of cells.entries()) {
          const found = back[index]?.[column];
          if (value === null) expect(found).toEqual({ value: '', isQuoted: false });
          else if (typeof value === 'number') expect(Number(found?.value)).toBe(value + 0);
          else if (typeof value === 'boolean') expect(found?.value).toBe(String(value));
          else {
            expect([value, `'${value}`]).toContain(found?.value);
            if (value === '') expect(found?.isQuoted).toBe(true);
            const isPlain = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) || kind.startsWith('date');
            if (/^[=+\-@\t\r\n]/.test(value) && !isPlain) expect(found?.value).toBe(`'${value}`);
          }
        }
      }
    }),
    { numRuns: fuzzRuns(1000) },
  );
});

test.each<[Cell, FieldKind, string]>([
  [null, 'text', ''],
  ['', 'text', '""'],
  [' ', 'text', ' '],
  ['plain', 'text', 'plain'],
  ['a,b', 'text', '"a,b"'],
  ['a;b', 'text', '"a;b"'],
  ['a\tb', 'text', '"a\tb"'],
  ['a\r\nb', 'text', '"a\r\nb"'],
  ['say "hi"', 'text', '"say ""hi"""'],
  ['=1+1', 'text', "'=1+1"],
  ['=1+1,2', 'text', `"'=1+1,2"`],
  ['+15551234', 'text', "'+15551234"],
  ['-5', 'text', "'-5"],
  ['@me', 'text', "'@me"],
  ['\tx', 'text', `"'\tx"`],
  ['＝1', 'text', "'＝1"],
  ["'x", 'text', "'x"],
  ['a=b', 'text', 'a=b'],
  [-12.5, 'money', '-12.5'],
  [0.1, 'money', '0.1'],
  [1234567890.1234, 'money', '1234567890.1234'],
  [-0, 'money', '0'],
  [5e-7, 'money', '5e-7'],
  ['-12345678901234567890.55', 'money', '-12345678901234567890.55'],
  ['-9007199254740993', 'integer', '-9007199254740993'],
  ['-1e400', 'number', '-1e400'],
  ['-twelve', 'money', "'-twelve"],
  ['-1+1', 'money', "'-1+1"],
  ['=1', 'money', "'=1"],
  [true, 'boolean', 'true'],
  ['2025-09-15', 'date', '2025-09-15'],
  ['2025-09-15T10:00:00.123+00:00', 'dateTime', '2025-09-15T10:00:00.123+00:00'],
  ['=2025-09-15', 'date', "'=2025-09-15"],
  ['-2025-09-15', 'date', "'-2025-09-15"],
])('%j as %s is written %j', (value, kind, expected) => {
  expect(writeCell(value, kind)).toBe(expected);
});

test('a header has the name of the service', () => {
  expect(headerOf('policy_holder.id')).toBe('policy_holder.id');
  expect(headerOf('$claim_id')).toBe('claim_id');
});
