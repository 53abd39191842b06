import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TableSource } from '../../../src/contract/export.ts';
import { makeNotes } from '../../../src/main/engine/export/notes.ts';
import { chooseColumns, runExport } from '../../../src/main/engine/export/run-export.ts';
import { setOddItemsAside } from '../../../src/main/engine/store/record/odd-items.ts';
import { writeDollars } from '../../../src/rules/money/format-amount.ts';
import { readCsv } from '../../support/csv.ts';
import { openTestStore } from '../../support/engine-store.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';
import { updateStore, usualRules } from '../../support/update-store.ts';

const line = { procedure_code: 'G0439', amount_billed: '60.50', copayment: 1 };
const claimOf = (id: number, more: object) => ({
  id,
  status: 'Processed',
  is_incomplete: false,
  patient_name: `Pat${String.fromCharCode(64 + id)} Edwards`,
  service_provider: 'Lakeside Clinic',
  members: [{ id: 7, first_name: 'Ann', last_name: 'Lee', employer: { id: 3, name: 'Acme' } }],
  date_of_service: { bounds: '[)', start: '2026-03-02', end: '2026-03-03' },
  createddate: '2026-03-05T10:00:00Z',
  claim_medical_lines: [line],
  patient_responsibility: 20,
  copayment: 20,
  ...more,
});
const claims = [
  claimOf(1, { amount_billed: '200.50', claim_medical_lines: [null, line, 5], network_tier: 'Gold' }),
  claimOf(2, { amount_billed: 0.000001, members: [null, { id: '00000000000000000009' }, { id: 7 }] }),
  claimOf(3, { amount_billed: 'see contract', copayment: 'see contract', subscriber_ssn: '123456789' }),
  claimOf(4, { amount_billed: '', members: 'nobody', claim_medical_lines: { ...line, 'odd.key': [1] } }),
  claimOf(5, { patient_responsibility: '20 dollars' }),
];

function givenStore(ingested: object[] = claims) {
  const store = openTestStore();
  store.ingest('claims', ingested);
  store.write.writeReviewPeriod({ from: '2026-01-01', on: null });
  updateStore(store, '2026-11-20');
  return store;
}

async function exportRows(source: TableSource, columns: string[], ingested?: object[]) {
  const store = givenStore(ingested);
  const folder = makeTempFolder();
  const outPath = join(folder, 'out.csv');
  const result = await runExport({
    ...{ exportId: 'e', filePath: store.filePath, key: store.key, source, format: 'csv', outPath },
    columns: chooseColumns({ source, columns, reason: 'Audit' }),
    isSsnShown: false,
    sign: null,
    workspaceId: 'w',
    by: null,
    reason: 'Audit',
    clock: { now: () => 0 },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  return { result, outPath };
}
const readRows = (path: string): string[][] =>
  readCsv(readFileSync(path, 'utf8'))
    .slice(1)
    .map((row) => row.map(({ value }) => value));
const list: TableSource = {
  kind: 'list',
  query: { entity: 'claims', sort: [{ field: 'id', direction: 'asc' }] },
};

describe('odd claims', () => {
  test('are in lists and filters with what is next to the odd element, and in worklists with what is not counted', () => {
    const store = givenStore();
    const has = (field: string, value: string | number, entity: 'claims' | 'lines' = 'claims') =>
      store.list({ entity, conditions: [{ field, operator: 'is', values: [value] }] });
    expect(has('members.id', 7)).toEqual([1, 2, 3, 5]);
    expect(has('members.employer.id', 3)).toEqual([1, 3, 5]);
    expect(has('procedure_code', 'G0439', 'lines')).toHaveLength(5);
    expect(has('amount_billed', '200.50')).toEqual([1]);
    const { worklists } = store.read.readWorklistCounts({});
    // Claims whose values can't be known are in no list of claims to decide.
    expect(worklists.find(({ id }) => id === 'toDecide')).toMatchObject({ claims: 0 });
    const odd = { claims: 5, amount: 800_000, notCounted: 1, notKnown: 0 };
    expect(worklists.find(({ id }) => id === 'exceptions')).toMatchObject(odd);
    const [one] = store.read.readEligibleClaims({ claimIds: [3], rules: usualRules });
    expect(one?.source).toMatchObject({ copay: null, isUnread: true });
    const [row] = store.read.readRows({ entity: 'claims', keys: [3], fields: ['facts.eligible_by_rules'] });
    expect(row).toMatchObject({ 'facts.eligible_by_rules': null });
  });

  test('are selected with exact sums, which say what they leave out', () => {
    const { sums } = givenStore().read.freezeClaims({ claimIds: Float64Array.of(1, 2, 3, 4, 5) });
    expect(sums[0]?.[0]).toEqual({ cells: 2_005_000n, notCounted: 1 });
  });

  test('have IDs and unknown fields as columns of a file, without an SSN', async () => {
    const { result, outPath } = await exportRows(list, [
      ...['id', 'amount_billed', 'members.id', 'members.employer.id'],
      ...['unknown.network_tier', 'unknown.subscriber_ssn'],
    ]);
    expect(result).toMatchObject({ rows: 5, notCounted: { amount_billed: 1 } });
    expect(readRows(outPath)).toEqual([
      ['1', '200.5', '7', '3', 'Gold', ''],
      ['2', '0.000001', '00000000000000000009; 7', '', '', ''],
      ['3', 'see contract', '7', '3', '', '***-**-6789'],
      ['4', '', '', '', '', ''],
      ['5', '', '7', '3', '', ''],
    ]);
  });

  test('have amounts that no column can hold as the text that was sent, in no sum, and are not known', async () => {
    const huge = [claimOf(1, { amount_billed: 1e21, copayment: 1e21 }), claimOf(2, { amount_billed: 12 })];
    const { result, outPath } = await exportRows(list, ['id', 'amount_billed'], huge);
    expect(result).toMatchObject({ rows: 2, notCounted: { amount_billed: 1 } });
    expect(readRows(outPath)).toEqual([
      ['1', '1e+21'],
      ['2', '12'],
    ]);
    expect(writeDollars(1e21)).toBe('1e+21');
    const [one] = givenStore(huge).read.readEligibleClaims({ claimIds: [1], rules: usualRules });
    expect(one?.source).toMatchObject({ copay: null, isUnread: true });
  });

  test('are exported with their lines, unknown fields of both', async () => {
    const source: TableSource = { kind: 'claimLines', query: { entity: 'claims' } };
    const { outPath } = await exportRows(source, [
      ...['claim.id', 'claim.members.id', 'claim.unknown.network_tier'],
      ...['line.amount_billed', 'line.unknown.odd.key'],
    ]);
    expect(readRows(outPath)).toEqual([
      ['1', '7', 'Gold', '60.5', ''],
      ['2', '00000000000000000009; 7', '', '60.5', ''],
      ['3', '7', '', '60.5', ''],
      ['4', '', '', '60.5', '[1]'],
      ['5', '7', '', '60.5', ''],
    ]);
  });

  test('are listed in the notes of a workbook if its sums leave them out', () => {
    const notes = makeNotes({
      ...{ title: 'Claims', source: list, columns: [], nameOf: () => undefined, rows: 4, part: null },
      ...{ at: '2026-03-09T14:05:00Z', by: null, reason: null, isSsnShown: false },
      maskKnown: (value) => value,
      sums: [['Billed', '200.500001']],
      notCounted: [
        ['Billed', 1],
        ['Copay', 2],
      ],
      data: { last: null, lastComplete: null },
    });
    expect(notes.filter(([name]) => /Billed|Copay/.test(name))).toEqual([
      ['Sum of Billed', '200.500001', 'number'],
      ['Not counted in Billed', '1 amount, which is not a number'],
      ['Not counted in Copay', '2 amounts, which are not numbers'],
    ]);
  });

  test('reach a page as lists of records, with other elements next to them', () => {
    const [first, , , last] = claims.map((claim) => setOddItemsAside('claims', claim));
    expect(first?.record.claim_medical_lines).toEqual([line]);
    expect(first?.setAside).toEqual([
      { list: 'claim_medical_lines', value: null },
      { list: 'claim_medical_lines', value: 5 },
    ]);
    expect(last?.record).toMatchObject({ members: [], claim_medical_lines: [{ ...line, 'odd.key': [1] }] });
    expect(last?.setAside).toEqual([{ list: 'members', value: 'nobody' }]);
  });
});
