import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportColumnsOf } from '../../../src/contract/export-columns.ts';
import { exportList } from '../../../src/main/shells/cli/commands/export.ts';
import { openSynced } from '../../support/synced-session.ts';

interface Person {
  readonly ssn: string | null;
  readonly dependents?: readonly Person[] | null;
}

const { bench, session, profileDir, workspaceId } = await openSynced(
  ...['--members', '30', '--claims', '60', '--seed', '5'],
);
const members = await bench.sandbox.truth<Person & { id: number }>('members');
const isWhole = (ssn: string | null | undefined): ssn is string => /^\d{3}-\d{2}-\d{4}$/.test(ssn ?? '');
const ofMember = members.find(({ ssn }) => isWhole(ssn))?.ssn as string;
const ofDependent = members
  .flatMap(({ dependents }) => dependents ?? [])
  .find(({ ssn }) => isWhole(ssn) && ssn !== ofMember)?.ssn as string;
const digits = (ssn: string): string => ssn.replaceAll('-', '');
const hidden = [ofMember, ofDependent].flatMap((ssn) => [ssn, digits(ssn)]);
/** A text in the form of an SSN that no record has. */
const nobodys = '900-11-2233';

const { data: claims } = { data: await bench.sandbox.truth<{ id: number }>('claims') };
const claimId = claims[5]?.id as number;
await session.call('reviews:act', {
  workspaceId,
  target: { claimIds: [claimId] },
  act: { kind: 'decision', state: 'done', outcome: 'eligible' },
});
await bench.sandbox.control('POST', '/edits', {
  edits: [
    {
      op: 'change',
      list: 'claims',
      position: 5,
      set: {
        remarks: `Paid for ${ofDependent}, not ${nobodys}`,
        patient_account_number: digits(ofMember),
        patient_payer_number: `W${digits(ofMember)}-01`,
      },
    },
    {
      op: 'change',
      list: 'claims',
      position: 6,
      set: {
        remarks: `Line\u0001${digits(ofMember)}`,
        patient_account_number: ofDependent.replaceAll('-', '\n'),
        patient_payer_number: Number(`8${digits(ofMember).slice(1)}`),
      },
    },
  ],
});
await bench.sync(session);

const query = {
  entity: 'claims' as const,
  conditions: [{ field: 'id', operator: 'is' as const, values: [claimId] }],
};

function expectMasked(answer: unknown, what: string): void {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  for (const ssn of hidden) expect([what, text.includes(ssn)]).toEqual([what, false]);
  expect([what, text.includes('***-**-')]).toEqual([what, true]);
}

test('the SSN of a person here is masked in every text of a record that goes out', async () => {
  const claim = await session.call('records:getClaim', { workspaceId, id: claimId });
  expect(claim.claim).toMatchObject({
    remarks: `Paid for ***-**-${ofDependent.slice(-4)}, not ${nobodys}`,
    patient_account_number: `***-**-${ofMember.slice(-4)}`,
    patient_payer_number: `W***-**-${ofMember.slice(-4)}-01`,
  });
  const { snapshotId } = await session.call('records:open', { workspaceId, query });
  const fields = ['id', 'remarks', 'patient_account_number', 'patient_payer_number'];
  const place = { workspaceId, snapshotId, offset: 0, limit: 5 };
  expectMasked(await session.call('records:begin', { workspaceId, query, limit: 5 }), 'first rows');
  expectMasked(await session.call('records:readFirst', { workspaceId, query, limit: 5 }), 'only first rows');
  expectMasked(await session.call('records:getWindow', { ...place, fields }), 'rows');
  const copied = await session.call('records:copy', { workspaceId, snapshotId, places: [[0, 0]], fields });
  expectMasked(copied, 'copied');
  expectMasked(await session.call('sync:listChanges', { workspaceId, offset: 0, limit: 50 }), 'changes');
  expectMasked(await session.call('reviews:get', { workspaceId, claimId }), 'what changed since the review');
  const values = { workspaceId, entity: 'claims' as const, field: 'patient_account_number' };
  expectMasked(await session.call('records:listValues', { ...values, limit: 1000 }), 'values');
  const engine = await session.getEngine();
  expectMasked(await engine.readRecordTexts({ ...place, isSsnShown: false }), 'whole records');
  const shown = JSON.stringify(await engine.readRecordTexts({ ...place, isSsnShown: true }));
  expect(hidden.filter((ssn) => shown.includes(ssn))).toEqual([digits(ofMember), ofDependent]);
  const { entries } = await session.call('audit:list', { offset: 0, limit: 1 });
  expect(entries[0]).toMatchObject({ action: 'ssn.revealed', details: { list: 'claims', count: 1 } });
});

test('a group of a masked value has the rows that its filter finds', async () => {
  const { groups } = await session.call('records:group', {
    workspaceId,
    query: { entity: 'claims' },
    by: 'patient_account_number',
    limit: 1000,
  });
  expectMasked(groups, 'groups');
  const group = groups.find(({ value }) => value === `***-**-${ofMember.slice(-4)}`);
  const found = await session.call('records:open', {
    workspaceId,
    query: { entity: 'claims', conditions: group?.conditions ?? [] },
  });
  expect([group?.totals.count, found.total]).toEqual([1, 1]);
});

test.each([false, true])('an export masks them, unless they are requested: %s', async (isSsnShown) => {
  const outPath = join(profileDir, `out-${isSsnShown}.csv`);
  const wanted = {
    workspaceId,
    format: 'csv' as const,
    reason: 'A test',
    outPath,
    onProgress: () => undefined,
  };
  const source = { kind: 'list' as const, query };
  const columns = exportColumnsOf(source).map(({ path }) => path);
  await exportList(session, { ...wanted, source, columns, isSsnShown });
  const text = await readFile(outPath, 'utf8');
  if (isSsnShown) expect(hidden.filter((ssn) => text.includes(ssn))).toEqual([digits(ofMember), ofDependent]);
  else expectMasked(text, 'exported');
  expect(text).toContain(nobodys);
});

test.each([false, true])(
  'filters, search and reason in a workbook mask them like its rows: %s',
  async (isSsnShown) => {
    const outPath = join(profileDir, `out-${isSsnShown}.xlsx`);
    const source = {
      kind: 'list' as const,
      query: {
        entity: 'members' as const,
        search: nobodys,
        conditions: [
          { field: 'ssn', operator: 'is' as const, values: [nobodys.replace('2233', '4455')] },
          { field: 'last_name', operator: 'is' as const, values: [digits(ofMember)] },
        ],
      },
    };
    const wanted = { workspaceId, format: 'xlsx' as const, outPath, onProgress: () => undefined };
    const reason = `A call about ${ofDependent}`;
    const columns = ['last_name', 'ssn'];
    await exportList(session, { ...wanted, source, columns, isSsnShown, reason });
    const program = join(import.meta.dirname, 'read_xlsx.py');
    const { notes } = JSON.parse(execFileSync('python3', [program, outPath], { encoding: 'utf8' })) as {
      notes: Record<string, string>;
    };
    const text = JSON.stringify(notes);
    const whole = [nobodys, '900-11-4455', digits(ofMember), ofDependent];
    expect(whole.filter((ssn) => text.includes(ssn))).toEqual(isSsnShown ? whole : []);
    expect(text).toContain('A call about');
  },
);

test('an SSN that JSON writes with escapes is masked in a whole record', async () => {
  const id = claims[6]?.id as number;
  const { snapshotId } = await session.call('records:open', {
    workspaceId,
    query: { entity: 'claims', conditions: [{ field: 'id', operator: 'is', values: [id] }] },
  });
  const engine = await session.getEngine();
  const wanted = { workspaceId, snapshotId, offset: 0, limit: 5, isSsnShown: false };
  const [text = ''] = await engine.readRecordTexts(wanted);
  expect(JSON.parse(text)).toMatchObject({
    remarks: `Line\u0001***-**-${ofMember.slice(-4)}`,
    patient_account_number: `***-**-${ofDependent.slice(-4)}`,
    patient_payer_number: Number(`8${digits(ofMember).slice(1)}`),
  });
});
