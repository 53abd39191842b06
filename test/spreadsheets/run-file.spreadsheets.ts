import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createXlsx } from '../../src/main/engine/export/xlsx.ts';
import { rowsOfFile } from '../../src/main/engine/review/run-file.ts';
import type { RunRow } from '../../src/main/engine/store/worklists/read-runs.ts';
import { fileColumnsOf, type RunLayout } from '../../src/rules/review/run-layout.ts';
import { openInLibreOffice } from './open-in-libreoffice.ts';

// The workbook of a run, opened by LibreOffice: IDs keep their zeros, amounts are numbers to the cent, also below zero, and
// no text runs. (A CSV for a payroll system has no such types; spreadsheets take its IDs for numbers.)
const row = (claimId: number, amount: number, memberKey: string, memberLast: string): RunRow => ({
  ...{
    claimId,
    ...{ reason: null, billed: null, allowed: null },
    amount,
    state: 'sent',
    isHere: true,
    isMissing: false,
    memberId: claimId,
    memberKey,
    memberLast,
  },
  ...{ claimNumber: null, patient: null, provider: null, serviceStart: '2026-01-05', serviceEnd: null },
  ...{ memberFirst: null, employerId: null, employer: null },
});
const all = [
  row(1, 1_000_000, '000123', 'Cole'),
  row(2, -250_000, '9-1', 'Ñandú, “J”'),
  row(3, 12_345_678_90000, '1E5', '=1+1'),
];
const expected = [
  ['=1+1', '1E5', '123456789', '2026-01-05', 'HRA'],
  ['Cole', '000123', '100', '2026-01-05', 'HRA'],
  ['Ñandú, “J”', '9-1', '-25', '2026-01-05', 'HRA'],
];

const folder = mkdtempSync(join(tmpdir(), 'claimdesk-run-file-'));
let failures = 0;
try {
  const layout: RunLayout = {
    ...{ rows: 'claim', format: 'xlsx', delimiter: ',', dates: 'YYYY-MM-DD', amounts: '1234.50' },
    columns: [
      { field: 'memberLast', header: 'Last name' },
      { field: 'memberKey', header: 'Employee' },
      { field: 'amount', header: 'Amount' },
      { field: 'serviceStart', header: 'From' },
      { field: 'fixed', header: 'Plan', text: 'HRA' },
    ],
  };
  const parts: Uint8Array[] = [];
  const write = async (bytes: Uint8Array) => void parts.push(bytes);
  const book = createXlsx({
    columns: fileColumnsOf(layout),
    title: 'Reimbursements',
    at: new Date(0),
    write,
  });
  await book.begin();
  await book.write(rowsOfFile(all, layout, { id: 'r', name: 'March', account: '', today: '2026-03-01' }));
  await book.end([], new Map());
  writeFileSync(join(folder, 'run.xlsx'), Buffer.concat(parts));
  const sheet = openInLibreOffice(folder, 'run.xlsx');
  for (const [index, wanted] of expected.entries()) {
    const cells = (sheet[index + 1] ?? []).slice(0, wanted.length);
    const read = cells.map(({ value, formula }) => (formula === '' ? value : `runs: ${formula}`));
    if (JSON.stringify(read) === JSON.stringify(wanted)) continue;
    failures += 1;
    process.stderr.write(`row ${index}: ${JSON.stringify(read)} for ${JSON.stringify(wanted)}\n`);
  }
  process.stdout.write(`${JSON.stringify({ runRows: expected.length, failures })}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);
