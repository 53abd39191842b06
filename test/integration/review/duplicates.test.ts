import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventName } from '../../../src/contract/events.ts';
import type { Input } from '../../../src/contract/procedures.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

/** Duplicates of a service that sends some on purpose, found behind its syncs. */
let bench: Bench;
let profileDir: string;
let session: Session;
let workspaceId: string;
beforeAll(async () => {
  bench = await openBench('--members', '40', '--claims', '400', '--seed', '16', '--corpus', 'ordinary');
  profileDir = await bench.newProfile();
  session = await bench.open(profileDir);
  workspaceId = (await session.findWorkspace()).id;
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

type Planted = { planted: { kind: string; claim_id: number; original_id?: number }[] };

test('each planted duplicate is found, side by side with what agrees and what differs', async () => {
  const told: EventName[] = [];
  (await session.getEngine()).subscribe(({ name }) => told.push(name));
  await bench.sync(session);
  const { planted } = await bench.sandbox.control<Planted>('GET', '/truth/planted');
  const exact = planted.filter(({ kind }) => kind === 'exact-duplicate');
  expect(exact.length).toBeGreaterThan(2);
  for (const { claim_id: id, original_id } of exact) {
    const { pairs } = await session.call('duplicates:of', { workspaceId, claimId: id });
    const pair = pairs.find(({ left, right }) => [left, right].includes(original_id as number));
    expect(pair).toMatchObject({ kind: 'exact', judged: null });
    const agrees = new Map(pair?.fields.map((field) => [field.field, field.agrees]));
    expect(agrees.get('claim_medical_lines')).toBe(true);
    expect(agrees.get('amount_billed')).toBe(true);
    expect(agrees.get('vendor_system_id')).toBe(false);
  }
  expect(told).toContain('worklists:changed');
});

test('a copy that the service corrects is no duplicate after the next sync', async () => {
  const { planted } = await bench.sandbox.control<Planted>('GET', '/truth/planted');
  const { claim_id: id } = planted.find(
    ({ kind }) => kind === 'exact-duplicate',
  ) as Planted['planted'][number];
  await bench.sandbox.control('POST', '/edits', {
    edits: [{ op: 'change', list: 'claims', id, set: { service_provider_npi_number: 1999999999 } }],
  });
  await bench.sync(session);
  expect((await session.call('duplicates:of', { workspaceId, claimId: id })).pairs).toEqual([]);
});

test('a duplicate judged and done is one act, and one undoing takes it back', async () => {
  const { planted } = await bench.sandbox.control<Planted>('GET', '/truth/planted');
  const { claim_id: claimId, original_id: otherClaimId = 0 } = planted.findLast(
    ({ kind }) => kind === 'exact-duplicate',
  ) as Planted['planted'][number];
  const get = (id: number) => session.call('reviews:get', { workspaceId, claimId: id });
  const [before, otherBefore] = [await get(claimId), await get(otherClaimId)];
  const act = { kind: 'judgeDuplicate', otherClaimId, isDuplicate: true, isDone: true } as const;
  await session.call('reviews:act', { workspaceId, target: { claimIds: [claimId] }, act });
  expect(await get(claimId)).toMatchObject({
    state: 'done',
    outcome: 'duplicate',
    changes: [],
    duplicates: [{ otherClaimId, isDuplicate: true }],
  });
  expect(await get(otherClaimId)).toMatchObject({
    state: otherBefore.state,
    reviewedAt: null,
    duplicates: [{ otherClaimId: claimId, isDuplicate: true }],
  });
  const { event } = await session.call('reviews:getUndo', { workspaceId });
  await session.call('reviews:undo', { workspaceId, eventId: event?.id ?? '' });
  expect(await get(claimId)).toEqual(before);
  expect(await get(otherClaimId)).toEqual(otherBefore);
});

test('a file of reviews with every kind of act, a judged duplicate among them, is read on another computer', async () => {
  const { planted } = await bench.sandbox.control<Planted>('GET', '/truth/planted');
  const { claim_id: id, original_id: otherClaimId = 0 } = planted.findLast(
    ({ kind }) => kind === 'exact-duplicate',
  ) as Planted['planted'][number];
  const act = async (wanted: Input<'reviews:act'>['act']) =>
    (await session.call('reviews:act', { workspaceId, target: { claimIds: [id] }, act: wanted })).eventId ??
    '';
  await act({ kind: 'decision', state: 'done', outcome: 'eligible' });
  const edits = [{ op: 'change', list: 'claims', id, set: { network: 'Another network' } }];
  await bench.sandbox.control('POST', '/edits', { edits });
  await bench.sync(session);
  await act({ kind: 'accept' });
  const noteId = await act({ kind: 'note', text: 'Called' });
  await act({ kind: 'editNote', noteId, text: 'Called twice' });
  await act({ kind: 'deleteNote', noteId });
  await act({ kind: 'tag', add: ['appeal'], remove: [] });
  await act({ kind: 'flag', isFlagged: true });
  await act({ kind: 'owner', owner: 'colleague@example.com' });
  await act({ kind: 'reminder', day: '2030-01-01' });
  await act({ kind: 'payment', payment: 'reimbursed', amount: 10_000, day: '2026-03-02' });
  const csv = `claim,amount,date\n${id},2,2026-03-03\n${id},3,2026-03-04`;
  const plan = await session.call('reviews:readPayments', { workspaceId, csv, payment: 'reimbursed' });
  await session.call('reviews:recordPayments', { workspaceId, selectionId: plan.selectionId });
  const eventId = await act({ kind: 'judgeDuplicate', otherClaimId, isDuplicate: false });
  await session.call('reviews:undo', { workspaceId, eventId });
  await act({ kind: 'judgeDuplicate', otherClaimId, isDuplicate: false });

  const passphrase = 'a long passphrase';
  const path = join(profileDir, 'every.claimdesk-reviews');
  const targetId = await session.addSaveTarget(path, 'reviews');
  const { events } = await session.call('reviews:export', { workspaceId, passphrase, targetId });
  const file = (await readFile(path)).toString('base64');
  const other = await bench.open(await bench.newProfile());
  const to = (await other.findWorkspace()).id;
  const report = await other.call('reviews:import', { workspaceId: to, file, passphrase });
  expect(report).toMatchObject({ events, known: 0, claims: 2 });
  expect(Object.keys(report.byKind)).toHaveLength(13);
  const kept = await session.call('reviews:get', { workspaceId, claimId: id });
  expect(await other.call('reviews:get', { workspaceId: to, claimId: id })).toMatchObject({
    notes: [],
    tags: kept.tags,
    owner: kept.owner,
    reminder: kept.reminder,
    payments: kept.payments,
    duplicates: kept.duplicates,
  });
  await other.close();
});
