import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCsv, excelStyle, headerOf, systemStyle } from '../../../../../src/main/engine/export/csv.ts';
import type { FieldKind } from '../../../../../src/rules/list-fields.ts';
import type { Cell } from '../../../../../src/rules/query.ts';
import { replaceControls } from '../../../../../src/rules/unsafe-characters.ts';
import { readCsv } from '../../../../support/csv.ts';
import { oddTexts } from '../../../../support/engine-records.ts';
import { fuzzRuns } from '../../../../support/seeds.ts';

const columnsOf = (kinds: readonly FieldKind[]) =>
  kinds.map((kind, index) => ({ path: `c${index}`, label: `C ${index}`, kind }));

const writeRow = (cells: readonly Cell[], kinds: readonly FieldKind[], style = systemStyle): string =>
  createCsv(columnsOf(kinds), style).write([cells]).toString();
const writeCell = (cell: Cell, kind: FieldKind, style = systemStyle): string =>
  writeRow([cell], [kind], style).replace(/\r\n$/, '');

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

const withoutGuards = (text: string): string => text.replace(/(?<=[;|\t\r\n])'(?=[=+\-@＝＋－＠])/g, '');

test('whatever is written, a strict reader reads it back, with at most one guard', () => {
  // Amounts come as whole ten-thousandths; amounts.test.ts has them.
  const typed = fc
    .tuple(cell, fc.constantFrom(...kinds))
    .filter(([value, kind]) => kind !== 'money' || typeof value !== 'number');
  const row = fc.array(typed, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) => {
      const text = rows
        .map((cells) =>
          writeRow(
            cells.map(([value]) => value),
            cells.map(([, kind]) => kind),
          ),
        )
        .join('');
      const back = readCsv(text);
      expect(back).toHaveLength(rows.length);
      for (const [index, cells] of rows.entries()) {
        expect(back[index]).toHaveLength(cells.length);
        for (const [column, [value, kind]] of cells.entries()) {
          const found = back[index]?.[column];
          if (value === null) expect(found).toEqual({ value: '', isQuoted: false });
          else if (typeof value === 'number') expect(Number(found?.value)).toBe(value + 0);
          else if (typeof value === 'boolean') expect(found?.value).toBe(String(value));
          else {
            const kept = replaceControls(value).toWellFormed();
            expect([kept, `'${kept}`].map(withoutGuards)).toContain(withoutGuards(found?.value ?? ''));
            expect(found?.value).not.toMatch(/(?![\t\n\r])\p{Cc}/u);
            if (value === '') expect(found?.isQuoted).toBe(true);
            const isPlain = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value) || kind.startsWith('date');
            if (/^[=+\-@\t\r\n]/.test(value) && !isPlain) expect(found?.value).toMatch(/^'/);
          }
        }
      }
    }),
    { numRuns: fuzzRuns(1000) },
  );
});

test('no formula begins a cell wherever a spreadsheet splits a file', () => {
  const part = fc.constantFrom(
    '=1+1',
    '+1',
    '-1',
    '@SUM(1)',
    '＝1',
    'a',
    ' ',
    ';',
    ',',
    '|',
    '\t',
    '\r\n',
    '"',
    "'",
  );
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  const styles = [systemStyle, excelStyle('en-US'), excelStyle('de-DE'), { ...systemStyle, delimiter: '|' }];
  fc.assert(
    fc.property(text, fc.constantFrom(...styles), (value, style) => {
      const line = writeRow(['x', value, 'y'], ['text', 'text', 'text'], style);
      for (const sign of [',', ';', '|', '\t'].filter((one) => one !== style.delimiter)) {
        // A quote that is not the first sign of a cell is a sign like others.
        for (const cell of line.split(new RegExp(`[${sign}\r\n]`)))
          expect(cell).not.toMatch(/^[=+\-@＝＋－＠]/);
      }
    }),
    { numRuns: fuzzRuns(1000) },
  );
});

test('nor does the name of an unknown field', () => {
  const { header } = createCsv([{ path: '=1+1;=2', label: 'x', kind: 'text' }], systemStyle);
  expect(header).toBe('"\'=1+1;\'=2"\r\n');
});

test.each<[Cell, FieldKind, string]>([
  ['a;=1+1', 'text', `"a;'=1+1"`],
  ['a,=1+1', 'text', '"a,=1+1"'],
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
  [-125_000, 'money', '-12.5'],
  [1_000, 'money', '0.1'],
  [1, 'money', '0.0001'],
  [-10_050, 'money', '-1.005'],
  [5_000_000, 'money', '500'],
  [9_007_199_254_740_991, 'money', '900719925474.0991'],
  [-0, 'money', '0'],
  [-0, 'number', '0'],
  [5e-7, 'number', '5e-7'],
  ['-12345678901234567890.55', 'money', '-12345678901234567890.55'],
  ['-9007199254740993', 'integer', '-9007199254740993'],
  ['-1e400', 'number', '-1e400'],
  ['-twelve', 'money', "'-twelve"],
  ['-1+1', 'money', "'-1+1"],
  ['=1', 'money', "'=1"],
  [true, 'boolean', 'true'],
  ['2025-09-15', 'date', '2025-09-15'],
  ['2025-09-15T00:00:00.000000+00:00', 'date', '2025-09-15'],
  ['2025-09-15T10:00:00Z', 'date', '2025-09-15T10:00:00Z'],
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

describe('for Excel', () => {
  const [here, abroad] = [excelStyle('en-US'), excelStyle('de-DE')];

  test('there is a byte-order mark, labels as headers, and the separator and decimals of the locale', () => {
    const columns = [
      { path: 'id', label: 'Claim', kind: 'id' as const },
      { path: 'amount_billed', label: 'Billed', kind: 'money' as const },
      { path: 'createddate', label: 'Created', kind: 'dateTime' as const },
    ];
    expect(createCsv(columns, here).header).toBe('\uFEFFClaim,Billed,Created (UTC)\r\n');
    expect(createCsv(columns, abroad).header).toBe('\uFEFFClaim;Billed;Created (UTC)\r\n');
    const rows: Cell[][] = [[7, -12_345_600, '2025-03-09T10:05:00.123+02:00']];
    expect(createCsv(columns, here).write(rows).toString()).toBe('7,-1234.56,2025-03-09 08:05:00\r\n');
    expect(createCsv(columns, abroad).write(rows).toString()).toBe('7;-1234,56;2025-03-09 08:05:00\r\n');
  });

  test.each<[Cell, FieldKind, string]>([
    ['00123', 'text', '"=""00123"""'],
    ['1E5', 'text', '"=""1E5"""'],
    ['3-4', 'text', '"=""3-4"""'],
    ['MAR1', 'text', '"=""MAR1"""'],
    ['1 Sep 2025', 'text', '"=""1 Sep 2025"""'],
    ['12:30', 'text', '"=""12:30"""'],
    ['5 pm', 'text', '"=""5 pm"""'],
    ['TRUE', 'text', '"=""TRUE"""'],
    ['$12.50', 'text', '"=""$12.50"""'],
    ['123456789012345678', 'id', '"=""123456789012345678"""'],
    [123456789012, 'integer', '"=""123456789012"""'],
    [12345, 'id', '12345'],
    ['Marching band', 'text', 'Marching band'],
    ['True Surgery Center, Inc.', 'text', '"True Surgery Center, Inc."'],
    ['Not false', 'text', 'Not false'],
    ['12 Main St', 'text', '12 Main St'],
    ['C000000001', 'text', 'C000000001'],
    ['-5', 'text', "'-5"],
    ['=1+1', 'text', "'=1+1"],
    ['', 'text', ''],
    [-125_000, 'money', '-12.5'],
    [true, 'boolean', 'Yes'],
    ['2025-09-15', 'date', '2025-09-15'],
  ])('%j as %s is written %j', (value, kind, expected) => {
    expect(writeCell(value, kind, here)).toBe(expected);
  });
});
