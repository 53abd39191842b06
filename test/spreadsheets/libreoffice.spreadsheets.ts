import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ExportColumn } from '../../src/contract/export-columns.ts';
import { createCsv, excelStyle } from '../../src/main/engine/export/csv.ts';
import { guardSplits, guardText } from '../../src/main/engine/export/guard.ts';
import { createXlsx } from '../../src/main/engine/export/xlsx.ts';
import { writeDecimals } from '../../src/rules/money/amounts.ts';
import type { Cell } from '../../src/rules/query.ts';
import { asExcelReads, openInLibreOffice, type Sheet } from './open-in-libreoffice.ts';

// 10,000 hostile cells in both forms for Excel, opened by LibreOffice and read from what it understood: no text may be
// evaluated or changed, every amount must be a number, every date a date.
const rowCount = 2_000;
const columns: readonly ExportColumn[] = [
  { path: 'id', label: 'Claim', kind: 'id' },
  { path: 'text', label: 'Text', kind: 'text' },
  { path: 'number', label: 'Number', kind: 'text' },
  { path: 'amount', label: 'Amount', kind: 'money' },
  { path: 'day', label: 'Day', kind: 'date' },
];
const hostile = [
  '=1+1',
  '=HYPERLINK("http://evil.example","x")',
  "=cmd|' /C calc'!A0",
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '+1+1',
  '-1+1',
  "-2+3+cmd|' /C calc'!A0",
  '\t=1+1',
  '＝1+1',
  '=DDE("cmd";"/C calc";"x")',
  '"=1+1',
  'a"b',
  'a,b;c\td',
  'first\nsecond',
  'José Ñandú',
  'שלום עולם',
  '👩‍⚕️ clinic',
  'Zoe\u0308',
  "'quoted",
  '_x0041_',
  '<b>&amp;</b>',
  ' leading and trailing ',
];
const numeric = [
  '00123',
  '123456789012345678',
  '0.10',
  '1E5',
  '1e400',
  '3-4',
  '1/2',
  'MAR1',
  '1-Sep',
  'SEP 2025',
  '12:30',
  '5 pm',
  'TRUE',
  'false',
  '$12.50',
  '50%',
  '(12)',
  '2025-09-15',
  '9/15/2025',
  '1,234',
  '007445486',
  '4E12',
];

const seed = Number(process.argv[2] ?? 1);
const texts = fc.sample(
  fc.oneof(
    fc.constantFrom(...hostile),
    fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/[\r\0]/g, '').toWellFormed()),
  ),
  { numRuns: rowCount, seed },
);
const numbers = fc.sample(fc.oneof(fc.constantFrom(...numeric), fc.stringMatching(/^0\d{2,17}$/)), {
  numRuns: rowCount,
  seed,
});
const amounts = fc.sample(fc.integer({ min: -99_999_999_9999, max: 99_999_999_9999 }), {
  numRuns: rowCount,
  seed,
});
const days = fc
  .sample(fc.integer({ min: -20_000, max: 25_000 }), { numRuns: rowCount, seed })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
const rows: Cell[][] = texts.map((text, index) => [
  index % 2 === 0 ? 40_000_000 + index : String(10n ** 17n + BigInt(index)),
  text,
  numbers[index] as string,
  amounts[index] as number,
  days[index] as string,
]);

const folder = mkdtempSync(join(tmpdir(), 'claimdesk-spreadsheets-'));
let failures = 0;
const fail = (what: string): void => {
  failures += 1;
  if (failures <= 30) process.stderr.write(`${what}\n`);
};

/** Checks a sheet's rows. A text in a CSV that would run keeps its guards. */
function judge(form: string, sheet: Sheet, isGuarded: boolean): void {
  if (sheet.length !== rowCount + 1) fail(`${form}: ${sheet.length} rows`);
  for (const [index, row] of rows.entries()) {
    const cells = sheet[index + 1] ?? [];
    const [id, text, number, amount, day] = row as [Cell, string, string, number, string];
    const at = (column: number) => cells[column] ?? { type: '', value: '', formula: '' };
    const say = (column: number, wanted: unknown) =>
      fail(
        `${form} row ${index} column ${column}: ${JSON.stringify(wanted)} is ${JSON.stringify(at(column))}`,
      );
    for (const column of [0, 1, 2, 3, 4]) {
      // A text kept by ="…" is a formula that holds it and nothing else.
      const { formula, value } = at(column);
      if (formula !== '' && formula !== `of:="${value.replaceAll('"', '""')}"`) say(column, 'no formula');
    }
    if (at(0).value !== String(id)) say(0, id);
    const expected = [text, ...(isGuarded ? [guardSplits(guardText(text, 'text'), ',')] : [])];
    if (!expected.includes(at(1).value)) say(1, text);
    if (at(2).value !== number || at(2).type !== 'string') say(2, number);
    if (at(3).type !== 'float' || Number(at(3).value) !== Number(writeDecimals(amount)))
      say(3, writeDecimals(amount));
    const isDay = at(4).type === 'date' && at(4).value.startsWith(day);
    if (!isDay) say(4, day);
  }
}

try {
  const parts: Uint8Array[] = [];
  const book = createXlsx({
    columns,
    title: 'Claims',
    at: new Date(0),
    write: async (bytes) => void parts.push(bytes),
  });
  await book.begin();
  await book.write(rows);
  await book.end([['Export', 'Claims']], new Map());
  writeFileSync(join(folder, 'book.xlsx'), Buffer.concat(parts));
  judge('xlsx', openInLibreOffice(folder, 'book.xlsx'), false);
  const csv = createCsv(columns, excelStyle('en-US'));
  writeFileSync(join(folder, 'plain.csv'), csv.header + csv.write(rows));
  judge('excel-csv', openInLibreOffice(folder, 'plain.csv', [asExcelReads]), true);
  const size = readFileSync(join(folder, 'book.xlsx')).length;
  process.stdout.write(
    `${JSON.stringify({ cells: rowCount * columns.length, failures, xlsxBytes: size, seed })}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);
