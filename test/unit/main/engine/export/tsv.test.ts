import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeTsv } from '../../../../../src/main/engine/export/tsv.ts';
import { fieldsOf } from '../../../../../src/rules/list-fields.ts';

const specsOf = (...paths: string[]) => fieldsOf.claims.filter(({ path }) => paths.includes(path));

test('rows have the names of their columns, amounts as numbers, and blanks for missing values', () => {
  const specs = specsOf('id', 'status', 'amount_billed');
  expect(
    writeTsv(
      [
        { id: 1, status: 'Rejected', amount_billed: -125_000 },
        { id: 2, status: null, amount_billed: 0 },
      ],
      specs,
    ),
  ).toBe('Claim\tStatus\tBilled\r\n1\tRejected\t-12.5\r\n2\t\t0');
});

test('one cell is copied alone', () => {
  expect(writeTsv([{ status: 'Rejected' }], specsOf('status'))).toBe('Rejected');
});

test.each([
  ['2025-08-13/2025-08-19', '2025-08-13 – 2025-08-19'],
  ['2025-08-13/2025-08-13', '2025-08-13'],
  ['2025-08-13/..', 'from 2025-08-13'],
  ['../2025-08-19', 'through 2025-08-19'],
  [null, ''],
])('the days of service %s alone are %s', (cell, text) => {
  expect(writeTsv([{ date_of_service: cell }], specsOf('date_of_service'))).toBe(text);
});

test('a text that a spreadsheet would run is guarded, a negative amount is not', () => {
  const text = writeTsv(
    [{ patient_name: '=1+1', amount_billed: '-9007199254740993.5' }],
    specsOf('patient_name', 'amount_billed'),
  );
  expect(text.split('\r\n')[1]).toBe("'=1+1\t-9007199254740993.5");
});

test('whatever a text contains, a row has as many cells as columns and runs nowhere', () => {
  const specs = specsOf('patient_name', 'remarks');
  fc.assert(
    fc.property(fc.string(), fc.string(), (patient_name, remarks) => {
      const lines = writeTsv([{ patient_name, remarks }], specs).split('\r\n');
      expect(lines).toHaveLength(2);
      const cells = lines[1]?.split('\t') ?? [];
      expect(cells).toHaveLength(2);
      for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@＝＋－＠]/);
    }),
  );
});

test('several names are in one cell', () => {
  expect(writeTsv([{ 'members.name': 'Margaret Edwards\nAaron Young' }], specsOf('members.name'))).toBe(
    'Margaret Edwards; Aaron Young',
  );
});
