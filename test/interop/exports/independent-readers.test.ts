import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { ExportColumn } from '../../../src/contract/export-columns.ts';
import { createCsv, systemStyle } from '../../../src/main/engine/export/csv.ts';
import { createXlsx } from '../../../src/main/engine/export/xlsx.ts';
import { writeDecimals } from '../../../src/rules/money/amounts.ts';
import type { Cell } from '../../../src/rules/query.ts';
import { oddTexts } from '../../support/engine-records.ts';
import { fuzzRuns, seedFrom } from '../../support/seeds.ts';

const folder = mkdtempSync(join(tmpdir(), 'claimdesk-readers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const columns: readonly ExportColumn[] = [
  { path: 'id', label: 'Claim', kind: 'id' },
  { path: 'status', label: 'Status', kind: 'text' },
  { path: 'amount_billed', label: 'Billed', kind: 'money' },
  { path: 'processed_on', label: 'Processed', kind: 'date' },
];
const text = fc.oneof(
  fc.constantFrom(...oddTexts, '=1+1', '-5', '00123', 'a,b', 'a"b', ' a ', '_x0041_', '<&>', '\r', 'a\tb'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const row = fc.tuple(
  fc.integer({ min: 1, max: 999_999_999 }),
  fc.option(text, { nil: null }),
  fc.option(fc.maxSafeInteger(), { nil: null }),
  fc.option(
    fc
      .integer({ min: -20_000, max: 30_000 })
      .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10)),
    { nil: null },
  ),
);
/** All rows are read by one start of each program. */
const rows = fc.sample(row, { numRuns: fuzzRuns(2_000), seed: seedFrom(11) }) as Cell[][];

/**
 * Returns a cell as an outside program reads it, with half characters and control characters replaced; SQLite
 * ends texts at a zero, so there they have none.
 */
const plain = (cell: Cell | undefined): string =>
  typeof cell === 'string' ? cell.toWellFormed().replace(/(?![\t\n\r])\p{Cc}/gu, '\ufffd') : '';
const bare = (cell: string): string => cell.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, '');
const amount = (cell: Cell | undefined): string => (typeof cell === 'number' ? writeDecimals(cell) : '');
const expected = rows.map(([id, status, billed, day]) => [
  String(id),
  plain(status),
  amount(billed),
  String(day ?? ''),
]);

function writeCsv(name: string, some: Cell[][]): string {
  const csv = createCsv(columns, systemStyle);
  const path = join(folder, name);
  writeFileSync(path, csv.header + csv.write(some));
  return path;
}

test('Python’s csv reads the cells of a CSV for systems', () => {
  const path = writeCsv('systems.csv', rows);
  const program = `
import csv, json, sys
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    print(json.dumps(list(csv.reader(file, strict=True))))`;
  const read = JSON.parse(
    execFileSync('python3', ['-c', program, path], { encoding: 'utf8', maxBuffer: 1 << 28 }),
  ) as string[][];
  expect(read[0]).toEqual(['id', 'status', 'amount_billed', 'processed_on']);
  expect(read.slice(1).map((cells) => cells.map(bare))).toEqual(expected.map((cells) => cells.map(bare)));
});

test('sqlite3 .import reads the same cells', () => {
  const some = rows.filter(([, status]) => !String(status).includes('\0'));
  const path = writeCsv('sqlite.csv', some);
  const read = execFileSync(
    'sqlite3',
    [
      '-json',
      join(folder, 'read.db'),
      '-cmd',
      '.mode csv',
      '-cmd',
      `.import ${path} claims`,
      '-cmd',
      '.mode json',
      'SELECT * FROM claims',
    ],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const cells = (JSON.parse(read) as Record<string, string>[]).map((one) => Object.values(one).map(bare));
  const wanted = expected.map((one) => one.map(bare));
  expect(cells).toEqual(wanted.filter((_cells, index) => !String(rows[index]?.[1]).includes('\0')));
});

test('Python’s zip and XML readers read the cells of a workbook, none of them guarded', async () => {
  const parts: Uint8Array[] = [];
  const write = async (bytes: Uint8Array): Promise<void> => void parts.push(bytes);
  const book = createXlsx({ columns, title: 'Claims', at: new Date(0), write });
  await book.begin();
  for (let from = 0; from < rows.length; from += 250) await book.write(rows.slice(from, from + 250));
  await book.end([['Export', 'Claims']], new Map());
  const path = join(folder, 'book.xlsx');
  writeFileSync(path, Buffer.concat(parts));
  const program = join(import.meta.dirname, '..', '..', 'integration', 'engine', 'read_xlsx.py');
  const read = JSON.parse(
    execFileSync('python3', [program, path], { encoding: 'utf8', maxBuffer: 1 << 28 }),
  ) as { rows: string[][]; types: Record<string, string[]> };
  expect(read.rows.slice(1)).toEqual(expected);
  expect(read.types.C).toEqual(['n']);
});
