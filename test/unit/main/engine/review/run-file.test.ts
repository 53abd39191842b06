import { describe, expect, it } from 'vitest';
import { createCsv, systemStyle } from '../../../../../src/main/engine/export/csv.ts';
import {
  previewRows,
  rowsOfFile,
  writeLayoutAmount,
} from '../../../../../src/main/engine/review/run-file.ts';
import type { RunRow } from '../../../../../src/main/engine/store/worklists/read-runs.ts';
import { fileColumnsOf, guardedTexts, type RunLayout } from '../../../../../src/rules/review/run-layout.ts';

describe('an amount of a layout', () => {
  it.each([
    [12_345_000, '1234.50', '1234.50'],
    [12_345_000, '1,234.50', '1,234.50'],
    [1_234_567_890_000, '$1,234.50', '$123,456,789.00'],
    [50_000, '123450', '500'],
    [-5_000, '1234.50', '-0.50'],
    [-12_345_000, '$1,234.50', '($1,234.50)'],
    [-12_345_000, '123450', '-123450'],
  ] as const)('%i in the form %s', (amount, form, text) => {
    expect(writeLayoutAmount(amount, form)).toBe(text);
  });
});

const row = (claimId: number, amount: number): RunRow => ({
  ...{
    claimId,
    amount,
    state: 'sent',
    reason: null,
    billed: null,
    allowed: null,
    isHere: true,
    isMissing: false,
    memberId: 7,
    memberKey: '=1+1',
  },
  ...{ claimNumber: null, patient: null, provider: null, serviceStart: '2026-01-05', serviceEnd: null },
  ...{ memberLast: 'Cole', memberFirst: null, employerId: null, employer: null },
});

it('a CSV has the chosen names, plain numbers even below zero, and no text that a spreadsheet would run', () => {
  const layout: RunLayout = {
    ...{ rows: 'claim', format: 'csv', delimiter: ',', dates: 'MMDDYYYY', amounts: '1234.50' },
    columns: [
      { field: 'memberKey', header: 'Employee' },
      { field: 'amount', header: '$ Amount' },
      { field: 'serviceStart', header: 'From' },
      { field: 'fixed', header: 'Plan', text: 'HRA' },
    ],
  };
  const rows = rowsOfFile([row(1, 1_000_000), row(2, -250_000)], layout, {
    ...{ id: 'r', name: 'March', account: '', today: '2026-03-01' },
  });
  const csv = createCsv(fileColumnsOf(layout), systemStyle);
  expect(csv.header + csv.write(rows)).toBe(
    "Employee,$ Amount,From,Plan\r\n'=1+1,100.00,01052026,HRA\r\n'=1+1,-25.00,01052026,HRA\r\n",
  );
  const ofMember = rowsOfFile(
    [row(1, 1_000_000), row(2, -250_000)],
    { ...layout, rows: 'member' },
    {
      ...{ id: 'r', name: 'March', account: '', today: '2026-03-01' },
    },
  );
  expect(ofMember).toEqual([['=1+1', '75.00', 'HRA']]);
  // Each employer pays by itself.
  const ofEmployers = rowsOfFile(
    [row(1, 1_000_000), { ...row(2, 250_000), employerId: 3 }],
    { ...layout, rows: 'member' },
    { ...{ id: 'r', name: 'March', account: '', today: '2026-03-01' } },
  );
  expect(ofEmployers.map(([, amount]) => amount)).toEqual(['100.00', '25.00']);
});

it('reports which fixed texts a file guards, and shows them so', () => {
  const layout: RunLayout = {
    ...{ rows: 'claim', format: 'csv', delimiter: ',', dates: 'MMDDYYYY', amounts: '1234.50' },
    columns: [
      { field: 'amount', header: 'Amount' },
      { field: 'fixed', header: 'Plan', text: '=HRA' },
      { field: 'fixed', header: 'Code', text: 'A-1' },
    ],
  };
  const rows = rowsOfFile([row(1, -250_000)], layout, {
    id: 'r',
    name: 'March',
    account: '',
    today: '2026-03-01',
  });
  expect(guardedTexts(layout)).toEqual(['=HRA']);
  expect(previewRows(rows, layout)).toEqual([['-25.00', "'=HRA", 'A-1']]);
  // A workbook has texts that are no formulas.
  expect(guardedTexts({ ...layout, format: 'xlsx' })).toEqual([]);
});
