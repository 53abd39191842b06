import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DeskBridge } from '../../../src/contract/bridge.ts';
import { formatCode } from '../../../src/contract/code-labels.ts';
import { exportColumnsOf } from '../../../src/contract/export-columns.ts';
import { exportList, type ListExport } from '../../../src/main/shells/cli/commands/export.ts';
import { readPrinted } from '../../../src/renderer/features/export/read-printed.ts';
import type { PaymentKind } from '../../../src/rules/money/reimbursement.ts';
import type { ListQuery } from '../../../src/rules/query.ts';
import { parseCsv } from '../../support/csv.ts';
import { toFile } from '../../support/incoming-file.ts';
import { openSynced } from '../../support/synced-session.ts';

let files = 0;

const { bench, session, workspaceId, profileDir } = await openSynced(
  '--members',
  '20',
  '--claims',
  '120',
  '--seed',
  '5',
);

/** Removes the guard that a CSV has and a typed cell does not need. */
const bare = (text = ''): string => text.replace(/^'(?=[=+\-@])/, '');

type Wanted = Pick<ListExport, 'source'> & Partial<ListExport>;

async function run(wanted: Wanted): Promise<string> {
  files += 1;
  const outPath = join(profileDir, `export-${files}.${wanted.format === 'xlsx' ? 'xlsx' : 'csv'}`);
  await exportList(session, {
    workspaceId,
    format: 'csv',
    reason: 'A test',
    outPath,
    isSsnShown: false,
    onProgress: () => undefined,
    ...wanted,
  });
  return outPath;
}

async function cells(wanted: Wanted): Promise<Record<string, string>[]> {
  const [header = [], ...rows] = parseCsv(await readFile(await run(wanted), 'utf8'));
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

const tenThousandths = (text: string): number => Math.round(Number(text) * 10_000);

test('a misspelled search finds similar names in a window, which says so, but not in a file or by a command', async () => {
  const first = await session.call('records:readFirst', {
    workspaceId,
    query: { entity: 'members' },
    limit: 1,
  });
  const name = String(first.rows[0]?.first_name);
  const search = `${name.slice(0, 2)}x${name.slice(2)}`;
  const asked = { entity: 'members' as const, search, includesArchived: true };
  const begin = (query: ListQuery) => session.call('records:begin', { workspaceId, query, limit: 5 });
  const similar = await begin({ ...asked, findsSimilar: true });
  expect(similar.isSimilar).toBe(true);
  expect(similar.rows.length).toBeGreaterThan(0);
  expect(await begin({ ...asked, search: name, findsSimilar: true })).toMatchObject({ isSimilar: false });
  expect(await begin(asked)).toMatchObject({ rows: [], isSimilar: false });
  const inFile = { ...asked, findsSimilar: true };
  expect(await cells({ source: { kind: 'list', query: inFile }, columns: ['id'] })).toEqual([]);
  const grouped = await cells({ source: { kind: 'groups', query: inFile, by: 'employer.id' } });
  expect(grouped).toEqual([]);
});

test('only the selected rows of an open list are exported, in its order', async () => {
  const query = { entity: 'claims' as const, sort: [{ field: 'amount_billed', direction: 'desc' as const }] };
  const { snapshotId } = await session.call('records:open', { workspaceId, query });
  const { rows } = await session.call('records:getWindow', { workspaceId, snapshotId, offset: 0, limit: 10 });
  const places: [number, number][] = [
    [1, 2],
    [7, 7],
  ];
  const found = await cells({
    source: { kind: 'list', query },
    columns: ['id'],
    selected: { snapshotId, places },
  });
  expect(found.map(({ id }) => Number(id))).toEqual([rows[1]?.id, rows[2]?.id, rows[7]?.id]);
  const failed = run({
    source: { kind: 'list', query },
    columns: ['id'],
    selected: { snapshotId: 'none', places },
  });
  await expect(failed).rejects.toMatchObject({ code: 'snapshot.expired' });
});

test('groups have the counts and exact sums of the list’s own groups', async () => {
  const query = { entity: 'claims' as const };
  const { groups } = await session.call('records:group', {
    workspaceId,
    query,
    by: 'status',
    order: 'count',
    direction: 'desc',
  });
  const found = await cells({ source: { kind: 'groups', query, by: 'status' } });
  expect(
    found.map(({ value, count, billed }) => [
      value || null,
      Number(count),
      billed ? tenThousandths(billed) : null,
    ]),
  ).toEqual(groups.map(({ value, totals }) => [value, totals.count, totals.billed]));
});

test('claims with their lines: every line once, the amounts of a claim once, both adding up', async () => {
  const query = { entity: 'claims' as const };
  const found = await cells({ source: { kind: 'claimLines', query } });
  const { totals } = await session.call('records:open', { workspaceId, query });
  const lines = await session.call('records:open', { workspaceId, query: { entity: 'lines' } });
  const sum = (name: string): number =>
    found.reduce((all, row) => all + (row[name] ? tenThousandths(row[name]) : 0), 0);
  expect(sum('claim.amount_billed')).toBe(totals?.billed);
  expect(sum('line.amount_billed')).toBe(lines.totals?.billed);
  expect(found.filter((row) => row['line.id'] !== '')).toHaveLength(lines.total);
  expect(new Set(found.map((row) => row['claim.id'])).size).toBe(totals?.count);
});

test('payments have one row each, without undone ones, and add up to what was reimbursed', async () => {
  const query = { entity: 'claims' as const, sort: [{ field: 'id', direction: 'asc' as const }] };
  const source = { kind: 'payments' as const, query };
  expect(await cells({ source })).toEqual([]);
  const { snapshotId } = await session.call('records:open', { workspaceId, query });
  const { rows } = await session.call('records:getWindow', { workspaceId, snapshotId, offset: 0, limit: 5 });
  const [one, two, three] = rows.map(({ id }) => Number(id)) as [number, number, number];
  const pay = async (claimIds: number[], payment: PaymentKind, amount: number, day: string) => {
    const act = { kind: 'payment', payment, amount, day, account: '=HRA' } as const;
    const { eventId } = await session.call('reviews:act', { workspaceId, target: { claimIds }, act });
    return eventId as string;
  };
  await pay([two, one], 'reimbursed', 1_250_000, '2026-03-02');
  await pay([one], 'repaid', 200_100, '2026-03-04');
  const eventId = await pay([two, three], 'matchedToCard', 10_000, '2026-03-05');
  await session.call('reviews:undo', { workspaceId, eventId });
  const { selectionId } = await session.call('reviews:readPayments', {
    workspaceId,
    file: toFile(`claim,amount,date\n${three},7.5,2026-03-06\n${three},0.25,2026-03-07`),
    payment: 'reimbursed',
  });
  await session.call('reviews:recordPayments', { workspaceId, selectionId });

  const found = await cells({ source });
  expect(found.map(({ claim_id, kind, amount, day }) => [Number(claim_id), kind, amount, day])).toEqual([
    [one, 'reimbursed', '125', '2026-03-02'],
    [one, 'repaid', '-20.01', '2026-03-04'],
    [two, 'reimbursed', '125', '2026-03-02'],
    [three, 'reimbursed', '7.5', '2026-03-06'],
    [three, 'reimbursed', '0.25', '2026-03-07'],
  ]);
  const { payments, reimbursed } = await session.call('reviews:get', { workspaceId, claimId: one });
  const ofOne = found.filter(({ claim_id }) => claim_id === String(one));
  expect(ofOne.reduce((sum, { amount }) => sum + tenThousandths(amount ?? ''), 0)).toBe(reimbursed);
  expect(ofOne[0]).toMatchObject({
    account: "'=HRA",
    author: payments[0]?.author,
    recorded_at: payments[0]?.at,
    claim_number: rows[0]?.vendor_system_id,
    patient_name: rows[0]?.patient_name,
  });
  const places: [number, number][] = [[1, 1]];
  const selected = await cells({ source, columns: ['claim_id'], selected: { snapshotId, places } });
  expect(selected).toEqual([{ claim_id: String(two) }]);
  const conditions = [{ field: 'id', operator: 'is' as const, values: [three] }];
  const filtered = await cells({ source: { kind: 'payments', query: { ...query, conditions } } });
  expect(filtered.map(({ amount }) => amount)).toEqual(['7.5', '0.25']);
});

test('the changes of a sync have one row per field, as shown', async () => {
  await bench.sandbox.control('POST', '/edits', {
    edits: [
      { op: 'insert', list: 'claims', count: 2, at: 'start' },
      { op: 'change', list: 'claims', position: 10, set: { status: '=Adjusted', amount_billed: -12.5 } },
    ],
  });
  await bench.sync(session);
  const shown = await session.call('sync:listChanges', { workspaceId, offset: 0, limit: 1000 });
  expect(shown.total).toBeGreaterThan(0);
  const found = await cells({ source: { kind: 'changes', syncId: shown.syncId ?? '' } });
  const expected = shown.changes.flatMap(({ id, change, fields }) =>
    fields.length === 0
      ? [[String(id), change, '', '']]
      : fields.map(({ path, after }) => [String(id), change, path, after ?? '']),
  );
  expect(found.map(({ id, change, field, after }) => [id, change, field, bare(after)])).toEqual(expected);
  const refused = exportList(session, {
    workspaceId,
    source: { kind: 'changes', syncId: shown.syncId ?? '' },
    format: 'csv',
    outPath: join(profileDir, 'x.csv'),
    isSsnShown: false,
    onProgress: () => undefined,
  });
  await expect(refused).rejects.toMatchObject({ code: 'export.reasonMissing' });
});

test('an independent reader finds the same typed cells in a workbook, and a sheet of notes', async () => {
  const source = { kind: 'list' as const, query: { entity: 'claims' as const, search: 'a' } };
  const columns = [
    'id',
    'status',
    'amount_billed',
    'date_of_service.first_day',
    'check_number',
    'createddate',
  ];
  const rows = await cells({ source, columns });
  const book = await run({ source, columns, format: 'xlsx', reason: 'Month <end> & "close"' });
  const program = join(import.meta.dirname, 'read_xlsx.py');
  const read = JSON.parse(execFileSync('python3', [program, book], { encoding: 'utf8' })) as {
    sheets: string[];
    types: Record<string, string[]>;
    rows: string[][];
    notes: Record<string, string>;
    frozen: string;
    filter: string;
    formulas: Record<string, string>;
    orientation: string;
    titles: string;
  };
  expect(read.sheets).toEqual(['Claims', 'Notes']);
  expect(read.rows[0]).toEqual(['Claim', 'Status', 'Billed', 'Service start', 'Check number', 'Created']);
  expect(read.rows.slice(1, -1).map((row) => row.slice(0, 5))).toEqual(
    // A workbook has the labels of codes, a CSV what the service sent.
    rows.map((row) => columns.slice(0, 5).map((name) => formatCode(name, bare(row[name])))),
  );
  expect(read.types).toMatchObject({
    A: ['inlineStr', 'n'],
    B: ['inlineStr'],
    C: ['n'],
    D: ['n'],
    E: ['inlineStr'],
    F: ['n'],
  });
  expect([read.frozen, read.filter]).toEqual(['A2', `A1:F${rows.length + 1}`]);
  const billed = rows.reduce(
    (all, row) => all + (row.amount_billed ? tenThousandths(row.amount_billed) : 0),
    0,
  );
  expect(tenThousandths(read.notes['Sum of Billed'] ?? '')).toBe(billed);
  const total = read.rows.at(-1) ?? [];
  expect([total[0], tenThousandths(total[2] ?? ''), total[3]]).toEqual(['Total', billed, '']);
  expect(read.formulas).toEqual({ C: `SUBTOTAL(109,C2:C${rows.length + 1})` });
  expect([read.orientation, read.titles]).toEqual(['landscape', "'Claims'!$1:$1"]);
  expect(read.notes).toMatchObject({
    // The person who asked for it, not the user of the computer.
    'Exported by': (await session.findWorkspace()).email,
    Search: 'Not named in this file',
    'Row count': String(rows.length),
    Reason: 'Month <end> & "close"',
  });
  expect(read.notes.Records).toMatch(/^Verified complete, sync of \d\d\/\d\d\/20/);
});

test('claims with their lines are printed completely: each claim once, every line, those of the file', async () => {
  const call = new Proxy({} as DeskBridge['call'], {
    get: (_none, name) => async (input: never) => ({
      ok: true,
      value: await session.call(name as 'records:open', input),
    }),
  });
  const { groups } = await session.call('records:group', {
    workspaceId,
    query: { entity: 'claims' },
    by: 'members.id',
    order: 'count',
    direction: 'desc',
  });
  const { conditions = [] } = groups.find(({ value }) => value !== null) ?? {};
  const source = {
    kind: 'claimLines' as const,
    query: { entity: 'claims' as const, conditions },
  };
  const paths = ['claim.id', 'claim.patient_name', 'line.id', 'line.procedure_code'];
  const columns = exportColumnsOf(source).filter(({ path }) => paths.includes(path));
  const wanted = { source, columns, isSelection: false, reason: 'Appeal', title: 'Claims with lines' };
  const request = {
    workspaceId,
    source: { kind: 'list' as const, query: { ...source.query, search: 'a' } },
    filters: [{ field: 'members.id', text: 'Member is Ada' }],
    total: 1,
    shownColumns: [],
  };
  const printed = await readPrinted({ call } as DeskBridge, request, wanted);
  expect(printed.filters).toBe('Search “a” · Member is Ada');
  const file = await cells({ source, columns: paths });
  let claimId: unknown;
  const rows = printed.rows.map((row) => {
    claimId = row['claim.id'] ?? claimId;
    return [claimId, row['line.id'], row['line.procedure_code']].map((cell) => String(cell ?? ''));
  });
  expect(rows).toEqual(
    file.map((row) => ['claim.id', 'line.id', 'line.procedure_code'].map((name) => bare(row[name]))),
  );
  expect(rows.length).toBeGreaterThan(new Set(rows.map(([id]) => id)).size);
  expect(new Set(printed.rows.map(({ $key }) => $key)).size).toBe(rows.length);
  const { entries } = await session.call('audit:list', { offset: 0, limit: 5 });
  expect(entries.find(({ action }) => action === 'list.printed')?.details).toMatchObject({
    list: 'claimLines',
    reason: 'Appeal',
  });
  const bySsn = { entity: 'members' as const, search: '900-11-2233' };
  const ofPeople = { ...request, source: { kind: 'list' as const, query: bySsn }, filters: [] };
  const people = { source: ofPeople.source, columns: exportColumnsOf(ofPeople.source).slice(0, 2) };
  expect((await readPrinted({ call } as DeskBridge, ofPeople, { ...wanted, ...people })).filters).toBe(
    'Search “***-**-2233”',
  );
  const unsaid = readPrinted({ call } as DeskBridge, request, { ...wanted, reason: undefined });
  await expect(unsaid).rejects.toMatchObject({ code: 'export.reasonMissing' });
});

test('printing is in the audit log before it is done, and needs a reason where people are named', async () => {
  const print = { workspaceId, list: 'claims' as const, rows: 120, columns: ['id', 'patient_name'] };
  await expect(session.call('export:auditPrinted', print)).rejects.toMatchObject({
    code: 'export.reasonMissing',
  });
  await session.call('export:auditPrinted', { ...print, reason: 'Audit' });
  const { entries } = await session.call('audit:list', { offset: 0, limit: 1 });
  expect(entries[0]).toMatchObject({
    action: 'list.printed',
    details: { list: 'claims', rows: 120, columns: 'id patient_name', reason: 'Audit' },
  });
});
