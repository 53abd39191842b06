import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyEvent } from '../../../src/contract/events.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import type { PaymentKind } from '../../../src/rules/money/reimbursement.ts';
import {
  exclusiveIds,
  type WorklistId,
  worklistQuery,
  worklistTable,
} from '../../../src/rules/worklists/worklist-table.ts';
import { readLines, runCommand } from '../../support/cli-run.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { toFile } from '../../support/incoming-file.ts';

/** Worklists through the whole engine: counts behind a sync and behind decisions, reasons, duplicates, the command line. */
let bench: Bench;
let session: Session;
let profile: string;
let workspaceId: string;
beforeAll(async () => {
  bench = await openBench('--members', '30', '--claims', '400', '--seed', '16', '--corpus', 'ordinary');
  profile = await bench.newProfile();
  session = await bench.open(profile);
  workspaceId = (await session.findWorkspace()).id;
  await session.call('settings:set', { reviewsFrom: { [workspaceId]: '2000-01-01' } });
  await bench.sync(session);
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

const countOf = async (id: WorklistId): Promise<number> => {
  await session.call('worklists:update', { workspaceId });
  const { worklists } = await session.call('worklists:counts', { workspaceId });
  return worklists.find((one) => one.id === id)?.claims ?? -1;
};
const listOf = async (id: WorklistId): Promise<number[]> => {
  // A list waits only a moment for the effects of an act.
  await session.call('worklists:update', { workspaceId });
  const query = worklistQuery(id);
  const { rows } = await session.call('records:begin', { workspaceId, query, limit: 1000, fields: ['id'] });
  return rows.map((row) => row.id as number);
};
const nextCounts = async (): Promise<void> => {
  const engine = await session.getEngine();
  return new Promise((resolve) => {
    const end = engine.subscribe(({ name }: AnyEvent) => {
      if (name !== 'worklists:changed') return;
      end();
      resolve();
    });
  });
};

test('after a sync every claim is counted in its list without a request', async () => {
  await session.call('worklists:update', { workspaceId });
  const { worklists, isCurrent } = await session.call('worklists:counts', { workspaceId });
  expect(isCurrent).toBe(true);
  for (const { id, claims } of worklists) expect([id, (await listOf(id)).length]).toEqual([id, claims]);
  const found = worklists.filter(({ claims }) => claims > 0).map(({ id }) => id);
  expect(found).toEqual(
    expect.arrayContaining(['new', 'toDecide', 'denied', 'amountsDisagree', 'otherInsurance', 'duplicates']),
  );
});

test('a decision moves a claim to another worklist, and the counts are updated', async () => {
  const [claimId] = (await listOf('toDecide')) as [number];
  const before = await countOf('waiting');
  const told = nextCounts();
  const act = { kind: 'decision', state: 'waiting', onWhom: 'Carrier', reason: 'EOB' } as const;
  await session.call('reviews:act', { workspaceId, target: { claimIds: [claimId] }, act });
  await told;
  expect(await countOf('waiting')).toBe(before + 1);
  expect(await listOf('toDecide')).not.toContain(claimId);
  const { worklists } = await session.call('worklists:why', { workspaceId, claimId });
  expect(worklists.find(({ id }) => id === 'waiting')?.values).toMatchObject({
    'review.on_whom': 'Carrier',
    'review.reason': 'EOB',
    'review.reminder': null,
  });

  await session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [claimId] },
    act: { kind: 'reminder', day: '2020-01-01' },
  });
  expect(await listOf('back')).toContain(claimId);
});

test('a claim that a sync changes after it was reimbursed is in its worklist', async () => {
  const [, claimId] = (await listOf('toDecide')) as [number, number];
  const target = { claimIds: [claimId] };
  const payment = { kind: 'payment', payment: 'reimbursed', amount: 100, day: '2026-11-01' } as const;
  await session.call('reviews:act', { workspaceId, target, act: payment });
  expect(await listOf('owedBack')).toEqual([]);
  await bench.sandbox.control('POST', '/edits', {
    edits: [
      {
        op: 'change',
        list: 'claims',
        id: claimId,
        set: { copayment: 1234.5, patient_responsibility: 2345.5 },
      },
    ],
  });
  await bench.sync(session);
  await session.call('worklists:update', { workspaceId });
  expect(await listOf('owedBack')).toEqual([claimId]);
});

test('deadlines are saved as a calendar with only the number of claims', async () => {
  const path = join(profile, 'deadlines.ics');
  const targetId = await session.addSaveTarget(path, 'calendar');
  const saved = await session.call('worklists:saveCalendar', { workspaceId, targetId });
  expect(saved.claims).toBeGreaterThan(0);
  // Unfolded, as a calendar reads it.
  const text = (await readFile(path, 'utf8')).replaceAll('\r\n ', '');
  const counts = [...text.matchAll(/^SUMMARY:([\d\\,]+) claims?: last day to (\w+)/gm)];
  const sum = counts.reduce((all, [, count = '']) => all + Number(count.replace(/\D/g, '')), 0);
  expect(sum).toBe(saved.claims);
  const { rows } = await session.call('records:begin', {
    workspaceId,
    query: { entity: 'claims' },
    limit: 400,
    fields: ['patient_name', 'service_provider', 'facts.due_day'],
  });
  for (const row of rows) {
    expect(text).not.toContain(String(row.patient_name));
    if (typeof row.service_provider === 'string') expect(text).not.toContain(row.service_provider);
  }
  const [claimId] = (await listOf('due')) as [number];
  const { deadline } = await session.call('worklists:why', { workspaceId, claimId });
  expect(deadline).toMatchObject({ kind: expect.any(String), days: expect.any(Number) });
  const { entries } = await session.call('audit:list', { offset: 0, limit: 1, filter: {} });
  expect(entries[0]).toMatchObject({ action: 'calendar.exported', details: { claims: saved.claims } });
});

test('the open amount of a list is the sum of its column, and of the dialog for all of its claims', async () => {
  for (const query of [worklistQuery('toDecide'), { entity: 'claims' as const, search: 'imaging' }]) {
    const { sort: _sort, ...unsorted } = query;
    const said = await session.call('worklists:open', { workspaceId, query: unsorted });
    const fields = ['facts.open'];
    const { rows } = await session.call('records:begin', { workspaceId, query, limit: 1000, fields });
    const amounts = rows.map((row) => row['facts.open'] as number | null);
    expect(said.notKnown).toBe(amounts.filter((amount) => amount === null).length);
    expect(said.open).toBe(amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0));
    expect(said.open).toBeGreaterThan(0);
    const { snapshotId } = await session.call('records:open', { workspaceId, query });
    const from = { kind: 'list' as const, snapshotId };
    const { selectionId } = await session.call('reviews:freeze', { workspaceId, from });
    const { open, notKnown } = await session.call('reviews:estimateOpen', { workspaceId, selectionId });
    expect({ open, notKnown }).toEqual(said);
  }
});

test('what was reimbursed above what is eligible now is owed back until it is repaid or written off', async () => {
  const [claimId] = (await listOf('owedBack')) as [number];
  const review = () => session.call('reviews:get', { workspaceId, claimId });
  const pay = async (payment: PaymentKind, amount: number, account = ''): Promise<string> => {
    const act = { kind: 'payment', payment, amount, day: '2026-11-02', account } as const;
    const done = await session.call('reviews:act', { workspaceId, target: { claimIds: [claimId] }, act });
    return done.eventId as string;
  };
  const decide = { kind: 'decision', state: 'done', outcome: 'notEligible' } as const;
  await session.call('reviews:act', { workspaceId, target: { claimIds: [claimId] }, act: decide });
  await pay('reimbursed', 500_000);
  expect(await review()).toMatchObject({ reimbursed: 500_100, owed: 500_100 });
  const {
    members: [first],
    all,
  } = await session.call('worklists:owed', { workspaceId, limit: 10 });
  expect([first?.owed, all.owed]).toEqual([500_100, 500_100]);
  await pay('repaid', 100_100);
  await pay('offset', 100_000);
  await expect(pay('writtenOff', 300_000)).rejects.toMatchObject({ code: 'review.incomplete' });
  for (const kind of ['writtenOff', 'offset'] as const)
    await expect(pay(kind, 300_100, 'Left the plan')).rejects.toMatchObject({ code: 'review.moreThanOwed' });
  const csv = `claim,amount,date\n${claimId},20.00,2026-11-02\n${claimId},10.01,2026-11-02`;
  const read = await session.call('reviews:readPayments', {
    workspaceId,
    file: toFile(csv),
    payment: 'writtenOff',
  });
  expect(read).toMatchObject({ payments: 1, unmatched: [{ line: 3, reason: 'moreThanOwed' }] });
  const off = await pay('writtenOff', 200_000, 'Left the plan');
  const late = { workspaceId, selectionId: read.selectionId };
  expect(await session.call('reviews:recordPayments', late)).toMatchObject({ claims: 0, leftOut: [claimId] });
  expect(await review()).toMatchObject({ reimbursed: 300_000, writtenOff: 200_000, owed: 100_000 });
  const memberId = first?.memberId as number;
  const ledger = await session.call('worklists:ledger', { workspaceId, memberId });
  expect(ledger).toMatchObject({ owed: 100_000, claims: [{ claimId, eligible: 0, owed: 100_000 }] });
  expect(ledger.claims[0]?.payments.map(({ payment, amount }) => [payment, amount])).toEqual([
    ['reimbursed', 100],
    ['reimbursed', 500_000],
    ['repaid', 100_100],
    ['offset', 100_000],
    ['writtenOff', 200_000],
  ]);
  await pay('repaid', 100_000);
  expect(await listOf('owedBack')).not.toContain(claimId);
  expect((await session.call('worklists:ledger', { workspaceId, memberId })).owed).toBe(0);
  await session.call('reviews:undo', { workspaceId, eventId: off });
  expect((await session.call('worklists:ledger', { workspaceId, memberId })).owed).toBe(200_000);
  expect(await listOf('owedBack')).toContain(claimId);
  const lines = readLines(await runCommand(['review', 'owed', '--member', String(memberId)], { profile }));
  expect(lines.at(-1)).toEqual({ member: memberId, owed: 20 });
  expect(readLines(await runCommand(['review', 'owed'], { profile }))).toEqual([
    { member: memberId, claims: 1, owed: 20 },
  ]);
});

test('a claim whose payment came from a file is in that worklist too, without any other review', async () => {
  const claimId = (await listOf('toDecide')).at(-1) as number;
  const csv = `claim,amount,date\n${claimId},0.01,2026-11-01`;
  const { selectionId } = await session.call('reviews:readPayments', {
    workspaceId,
    file: toFile(csv),
    payment: 'reimbursed',
  });
  await session.call('reviews:recordPayments', { workspaceId, selectionId });
  expect(await listOf('owedBack')).not.toContain(claimId);
  const set = { copayment: 4321.5, patient_responsibility: 5432.5 };
  await bench.sandbox.control('POST', '/edits', {
    edits: [{ op: 'change', list: 'claims', id: claimId, set }],
  });
  await bench.sync(session);
  await session.call('worklists:update', { workspaceId });
  expect(await listOf('owedBack')).toContain(claimId);
});

test('a pair that a user ruled out is no longer a duplicate, for both claims', async () => {
  const [claimId] = (await listOf('duplicates')) as [number];
  const { pairs } = await session.call('duplicates:of', { workspaceId, claimId });
  const pair = pairs[0] as (typeof pairs)[number];
  const otherClaimId = pair.left === claimId ? pair.right : pair.left;
  const act = { kind: 'judgeDuplicate', otherClaimId, isDuplicate: false } as const;
  const { eventId } = await session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [claimId] },
    act,
  });
  expect((await session.call('duplicates:of', { workspaceId, claimId: otherClaimId })).pairs).toMatchObject([
    { isOpen: false, judged: { isDuplicate: false } },
  ]);
  const left = await listOf('duplicates');
  expect(left).not.toContain(claimId);
  expect(left).not.toContain(otherClaimId);
  await session.call('reviews:undo', { workspaceId, eventId: eventId as string });
  await session.call('worklists:update', { workspaceId });
  expect(await listOf('duplicates')).toContain(claimId);

  // Judged the other way, the pair is settled as well.
  await session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [claimId] },
    act: { ...act, isDuplicate: true },
  });
  await session.call('worklists:update', { workspaceId });
  const open = await listOf('duplicates');
  expect(open).not.toContain(claimId);
  expect(open).not.toContain(otherClaimId);
});

test('the command line lists the counts, and the claims of a worklist in its order', async () => {
  const expected = await listOf('denied');
  const states = ['todo', 'inReview', 'waiting', 'back', 'escalated'];
  const { rows: undecided } = await session.call('records:begin', {
    workspaceId,
    query: {
      entity: 'claims',
      conditions: [{ field: 'review.state', operator: 'isOneOf', values: states }],
    },
    limit: 1000,
    fields: ['id'],
  });
  const placed = (await Promise.all(exclusiveIds.map(listOf))).flat();
  await session.close();
  const counts = readLines(await runCommand(['review', 'worklist'], { profile }));
  // Each undecided claim is in exactly one of these lists, and the command counts it once.
  expect(new Set(placed).size).toBe(placed.length);
  expect(undecided.filter(({ id }) => !placed.includes(id as number))).toEqual([]);
  const counted = exclusiveIds.map((id) => counts.find(({ worklist }) => worklist === id)?.claims as number);
  expect(counted.reduce((sum, claims) => sum + claims, 0)).toBe(placed.length);
  expect(counts.map(({ worklist }) => worklist)).toEqual([
    ...worklistTable.filter(({ isOfTeam }) => !isOfTeam).map(({ id }) => id),
    'connections',
  ]);
  expect(counts.find(({ worklist }) => worklist === 'denied')).toMatchObject({
    name: 'Denied',
    claims: expected.length,
  });
  const wanted = ['review', 'worklist', 'denied', '--limit', '3', '--reason', 'Denials of the month'];
  const claims = readLines(await runCommand(wanted, { profile }));
  expect(claims.map(({ id }) => id)).toEqual(expected.slice(0, 3));
  expect(Object.keys(claims[0] ?? {})).toContain('facts.denial');
  expect((await runCommand(['review', 'worklist', 'old'], { profile })).code).toBe(2);
  const entries = readLines(await runCommand(['audit', 'list', '--json'], { profile }));
  expect(entries.find(({ action }) => action === 'records.listed')).toMatchObject({
    details: { list: 'claims', rows: 3, reason: 'Denials of the month' },
  });
  session = await bench.open(profile);
});
