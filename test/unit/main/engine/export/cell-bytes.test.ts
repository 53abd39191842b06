import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCsv, excelStyle, systemStyle } from '../../../../../src/main/engine/export/csv.ts';
import type { FieldKind } from '../../../../../src/rules/list-fields.ts';
import { writeDecimals } from '../../../../../src/rules/money/amounts.ts';
import type { Cell } from '../../../../../src/rules/query.ts';
import { fuzzRuns } from '../../../../support/seeds.ts';

const writeLines = (rows: readonly Cell[][], kind: FieldKind, style = systemStyle): string[] => {
  const columns = (rows[0] ?? []).map((_cell, index) => ({ path: `c${index}`, label: 'C', kind }));
  return createCsv(columns, style).write(rows).toString().split('\r\n').slice(0, -1);
};
const writeCells = (cells: readonly Cell[], kind: FieldKind, style = systemStyle): string[] =>
  writeLines(
    cells.map((cell) => [cell]),
    kind,
    style,
  );

const wholes = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.constantFrom(0, -0, 9, 10, 9_999, 10_000, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1),
);

test('amounts and whole numbers are written as their decimals', () => {
  fc.assert(
    fc.property(fc.array(wholes, { minLength: 1 }), (numbers) => {
      expect(writeCells(numbers, 'money')).toEqual(numbers.map(writeDecimals));
      expect(writeCells(numbers, 'integer')).toEqual(numbers.map(String));
      expect(writeCells(numbers, 'money', excelStyle('de-DE'))).toEqual(
        numbers.map((number) => writeDecimals(number).replace('.', ',')),
      );
    }),
    { numRuns: fuzzRuns(500) },
  );
});

test('texts are quoted if they contain a separator or a quote, guarded if a formula begins, and otherwise unchanged', () => {
  const signs = fc.constantFrom(...`",;|=+-@ '.09azAZ~!é名\u007f`);
  const text = fc.array(signs, { minLength: 1, maxLength: 300 }).map((parts) => parts.join(''));
  const expected = (sent: string): string => {
    const kept = sent.replaceAll('\u007f', '\ufffd');
    const guarded = (/^[=+\-@]/.test(kept) ? `'${kept}` : kept).replace(/(?<=[;|])(?=[=+\-@])/g, "'");
    return /[",;|]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
  };
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
      expect(writeCells(texts, 'text')).toEqual(texts.map(expected));
    }),
    { numRuns: fuzzRuns(500) },
  );
});

test('Excel converts no text that it would read as a month or a word for yes and no', () => {
  const here = excelStyle('en-US');
  const kept = ['Mart', 'dentist', 'Octavia', 'january,1', 'Zoe', 'a,b', 'trueish', 'Fa', 'n=1'];
  const written = ['"=""Mart"""', 'dentist', '"=""Octavia"""', '"=""january,1"""', 'Zoe', '"a,b"', 'trueish'];
  expect(writeCells(kept, 'text', here)).toEqual([...written, 'Fa', 'n=1']);
});

test('lines of any length are written completely, one after another', () => {
  const rows = [700, 0, 40_000, 3].map((length, index) => [`${'é'.repeat(length)}x`, index, 'y'.repeat(249)]);
  const lines = rows.map((row) => row.join(','));
  expect(writeLines(rows, 'text')).toEqual(lines);
  const many = Array.from({ length: 500 }, () => rows[0] as Cell[]);
  expect(writeLines(many, 'text')).toEqual(many.map(() => lines[0]));
});
