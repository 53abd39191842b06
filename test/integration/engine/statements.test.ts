import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { exportList, type ListExport } from '../../../src/main/shells/cli/commands/export.ts';
import { formatTenThousandths } from '../../../src/rules/money/format-amount.ts';
import { serviceOf } from '../../../src/rules/money/reimbursement.ts';
import { noLimit, startOf, startPlanYear } from '../../../src/rules/plans/plan-rules.ts';
import type { Cell, Condition } from '../../../src/rules/query.ts';
import { openSynced } from '../../support/synced-session.ts';

const { bench, session, workspaceId, profileDir } = await openSynced(
  ...['--members', '10', '--claims', '40', '--seed', '5'],
);

let files = 0;
const claims = (...conditions: Condition[]) => ({
  kind: 'statements' as const,
  query: { entity: 'claims' as const, conditions, sort: [{ field: 'id', direction: 'desc' as const }] },
});

async function save(wanted: Pick<ListExport, 'source'> & Partial<ListExport>) {
  files += 1;
  const outPath = join(profileDir, `statements-${files}.pdf`);
  const result = await exportList(session, {
    ...{ workspaceId, format: 'pdf', reason: 'Audit of 2026', outPath, isSsnShown: false },
    onProgress: () => undefined,
    ...wanted,
  });
  return { outPath, result };
}

/** The text of each page. */
const readPages = (path: string): string[] =>
  execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }).split('\f').slice(0, -1);

const shownAt = (page: string, label: string): string | undefined =>
  new RegExp(`(?:^|\\s{2,})${label}\\s{2,}(\\S.*?)(?:\\s{2,}|$)`, 'm').exec(page)?.[1];

test('each claim has a statement, in the order of the list, with the amounts of its row and the sync', async () => {
  const source = claims();
  const { snapshotId, total } = await session.call('records:open', { workspaceId, query: source.query });
  const fields = [
    'id',
    'amount_billed',
    'patient_responsibility',
    'facts.eligible_by_rules',
    'facts.missing_items',
  ];
  const { rows } = await session.call('records:getWindow', {
    workspaceId,
    snapshotId,
    offset: 0,
    limit: 100,
    fields,
  });
  const { outPath, result } = await save({ source });
  const pages = readPages(outPath);
  const firsts = pages.filter((page) => page.includes('Page 1 of '));
  expect([result.rows, firsts.length, total]).toEqual([40, 40, 40]);
  const status = await session.call('sync:getStatus', { workspaceId });
  for (const [index, row] of rows.entries()) {
    const page = firsts[index] as string;
    const amounts = page.slice(page.indexOf('Amounts from the carrier'));
    expect(page).toContain(`Claim ${row.id}`);
    const shown = (cell: Cell | undefined): string | undefined =>
      typeof cell === 'number' ? formatTenThousandths(cell) : undefined;
    if (row.amount_billed !== null) expect(shownAt(amounts, 'Billed')).toBe(shown(row.amount_billed));
    if (row.patient_responsibility === null)
      expect(amounts).toMatch(/Patient responsibility( {2,}Missing|, (calculated|sum of the lines) {2,}\$)/);
    else expect(shownAt(amounts, 'Patient responsibility')).toBe(shown(row.patient_responsibility));
    expect(shownAt(page, 'Eligible by the rules')).toBe(shown(row['facts.eligible_by_rules']) ?? 'Not known');
    expect(page.includes('Every required item is here')).toBe(
      !page.includes('Not substantiated by this record'),
    );
    if (row['facts.missing_items'] !== null) expect(page).toContain('Not substantiated by this record');
  }
  const all = pages.join(' ').replace(/\s+/g, ' ');
  expect(all.split('Verified complete, sync of')).toHaveLength(41);
  expect(all.split(`Fingerprint of the sync: ${status.lastReceipt?.digest}`)).toHaveLength(41);
});

test('an account’s layers give the eligible amount of the row, and the statement says how', async () => {
  const layers = [
    { payer: 'member' as const, amount: 1_000_000 },
    { payer: 'account' as const, amount: null },
  ];
  const limit = { ...noLimit, family: 5_000_000 };
  const account = { ...startOf.account, layers: { alone: layers, family: layers }, limit };
  const years = [{ ...startPlanYear('2000-01-01'), account }];
  const service = serviceOf(await session.findWorkspace());
  await session.call('settings:set', { planRules: { [service]: { years } } });
  await session.call('worklists:update', { workspaceId });
  const { query } = claims();
  const { snapshotId } = await session.call('records:open', { workspaceId, query });
  const window = { workspaceId, snapshotId, offset: 0, limit: 100, fields: ['facts.eligible_by_rules'] };
  const { rows } = await session.call('records:getWindow', window);
  const firsts = readPages((await save({ source: claims() })).outPath)
    .join('\n')
    .split('Substantiation statement ')
    .slice(1);
  await session.call('settings:set', { planRules: {} });
  const shown = firsts.map((page) => shownAt(page, 'Eligible by the rules'));
  expect(shown).toEqual(
    rows.map(({ 'facts.eligible_by_rules': cell = null }) =>
      cell === null ? 'Not known' : formatTenThousandths(Number(cell)),
    ),
  );
  expect(
    firsts.filter((page) => /the (member|account) pays \$/.test(page.replace(/\s+/g, ' '))).length,
  ).toBeGreaterThan(5);
});

test('shows who decided, what was paid, and what changed since, without notes, and is audited', async () => {
  const change = (set: object) =>
    bench.sandbox.control<{ data: { ids: number[] }[] }>('POST', '/edits', {
      edits: [{ op: 'change', list: 'claims', position: 3, set }],
    });
  const claimId = (await change({ patient_responsibility: 10.5 })).data[0]?.ids[0] as number;
  await bench.sync(session);
  const target = { claimIds: [claimId] };
  const act = (one: Parameters<typeof session.call<'reviews:act'>>[1]['act']) =>
    session.call('reviews:act', { workspaceId, target, act: one });
  await act({ kind: 'note', text: 'A private note' });
  await act({
    kind: 'decision',
    state: 'done',
    outcome: 'eligible',
    onWhom: null,
    reason: null,
    reminder: null,
  });
  await act({ kind: 'payment', payment: 'reimbursed', amount: 125_500, day: '2026-03-02', account: 'HRA 7' });
  const source = claims({ field: 'id', operator: 'is', values: [claimId] });
  const review = await session.call('reviews:get', { workspaceId, claimId });
  const before = readPages((await save({ source })).outPath).join('\n');
  expect(shownAt(before, 'Decision')).toBe('Eligible');
  expect(shownAt(before, 'Decided by')).toBe(review.reviewedBy);
  expect(shownAt(before, 'On data synced')).toMatch(/^\d\d\/\d\d\/20/);
  expect(shownAt(before, 'Reimbursed')).toBe('$12.55');
  expect(before).toMatch(/03\/02\/2026 +Reimbursed +HRA 7 .*\$12\.55/);
  expect(before).not.toMatch(/private note|Changed since/);

  await change({ patient_responsibility: 20.25 });
  await bench.sync(session);
  const after = readPages((await save({ source })).outPath).join('\n');
  expect(after).toContain('Changed since the decision');
  expect(after.replace(/\s+/g, ' ')).toContain('Patient responsibility: $10.50, now $20.25.');
  expect(shownAt(after, 'Decision')).toBe('To be decided again');
  expect(shownAt(after, 'Decided before as')).toBe('Eligible');
  expect(shownAt(after, 'Decided by')).toBe(review.reviewedBy);
  const { entries } = await session.call('audit:list', { offset: 0, limit: 20 });
  expect(entries.find(({ action }) => action === 'export.begun')?.details).toMatchObject({
    list: 'statements',
    format: 'pdf',
    reason: 'Audit of 2026',
  });
  expect(entries.find(({ action }) => action === 'export.written')?.details).toMatchObject({ rows: 1 });
});

test('needs a reason, refuses another format, can be signed, and leaves nothing if canceled', async () => {
  const source = claims();
  await expect(save({ source, reason: '' })).rejects.toMatchObject({ code: 'export.reasonMissing' });
  await expect(save({ source, format: 'csv' })).rejects.toMatchObject({ code: 'usage.invalid' });
  const none = claims({ field: 'status', operator: 'is', values: ['None'] });
  await expect(save({ source: none })).rejects.toMatchObject({ code: 'export.noClaims' });
  const { outPath } = await save({ source, isSigned: true });
  const check = ['-Y', 'check-novalidate', '-n', 'file', '-s', `${outPath}.sig`];
  expect(String(execFileSync('ssh-keygen', check, { input: readFileSync(outPath) }))).toMatch(/^Good "file"/);
  // The export is canceled as soon as it has begun: its first progress event can be its end.
  const running = save({ source });
  await session.getEngine();
  await new Promise(setImmediate);
  process.emit('SIGINT', 'SIGINT');
  await expect(running).rejects.toMatchObject({ code: 'export.canceled' });
  const name = `statements-${files}.pdf`;
  expect(readdirSync(dirname(outPath)).filter((one) => basename(one).includes(name))).toEqual([]);
});
