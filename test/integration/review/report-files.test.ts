import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReportSource } from '../../../src/contract/export.ts';
import { chooseColumns, runExport } from '../../../src/main/engine/export/run-export.ts';
import { migrate } from '../../../src/main/engine/store/file/migrate.ts';
import { openRecords } from '../../../src/main/engine/store/record/open-records.ts';
import { doneTable, openTable, reimbursedTable } from '../../../src/renderer/features/reports/report-rows.ts';
import { testBytes } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

/** Writes the table of a report as CSV for systems and reads it back. */
async function writeReport(source: ReportSource): Promise<string[]> {
  const folder = makeTempFolder();
  const [filePath, key, outPath] = [join(folder, 'records.db'), testBytes(32), join(folder, 'report.csv')];
  const connection = openRecords(filePath, Buffer.from(key));
  migrate(connection);
  connection.close();
  await runExport({
    exportId: 'e',
    filePath,
    key,
    source,
    format: 'csv',
    columns: chooseColumns({ source, reason: 'Monthly report' }),
    isSsnShown: false,
    outPath,
    sign: null,
    workspaceId: 'test',
    by: null,
    reason: null,
    clock: { now: () => 0 },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  return readFileSync(outPath, 'utf8').replace('\uFEFF', '').trimEnd().split(/\r?\n/);
}

test('the figures of each report are written as a table, sums of any size exactly', async () => {
  const byOutcome = {
    eligible: 3,
    partlyEligible: 0,
    notEligible: 0,
    noAction: 1,
    duplicate: 0,
    disputed: 0,
  };
  expect(await writeReport(doneTable([{ day: '2026-11-16', byOutcome, claims: 4, reopened: 1 }]))).toEqual([
    'day,eligible,partly_eligible,not_eligible,no_action,duplicate,disputed,all,reopened',
    '2026-11-16,3,0,0,1,0,0,4,1',
  ]);
  const sum = (amount: number) => ({ claims: 1, amount });
  const row = {
    ...{ employerId: 3, planYear: '2025/26', claims: 2, notKnown: 1 },
    ...{ decided: sum(425_000), undecided: sum(10_000), declined: sum(-75_050), disputed: sum(0) },
    reimbursed: sum(500_050),
  };
  expect(await writeReport(reimbursedTable([row], () => 'Smith, Inc.'))).toEqual([
    'employer,plan_year,claims,eligible_as_decided,not_decided_yet,declined,disputed,reimbursed,not_known',
    '"Smith, Inc.",2025/26,2,42.5,1,-7.505,0,50.005,1',
  ]);
  const totals = {
    count: 2,
    billed: '90071992547409931234',
    allowed: null,
    paid: 0,
    patientResponsibility: 5,
  };
  const open = openTable([{ by: 'Owner', groups: [{ name: '=Dana', totals }] }]);
  const [, written] = await writeReport(open);
  expect(written).toContain('9007199254740993.1234,,0,0.0005');
  expect(written).not.toMatch(/,=Dana/);
});

test('a report of owners and reasons is not exported without a reason', () => {
  expect(() => chooseColumns({ source: openTable([]) })).toThrowError(
    expect.objectContaining({ code: 'export.reasonMissing' }),
  );
  expect(chooseColumns({ source: doneTable([]) })).toHaveLength(9);
});
