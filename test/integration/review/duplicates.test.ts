import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventName } from '../../../src/contract/events.ts';
import type { Input } from '../../../src/contract/procedures.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { worklistQuery } from '../../../src/rules/worklists/worklist-table.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { toFile } from '../../support/incoming-file.ts';

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

type SpecialClaims = { claims: { kind: string; claim_id: number; original_id?: number }[] };

test('each duplicate among the special claims is found, with what agrees and what differs side by side', async () => {
  const told: EventName[] = [];
  (await session.getEngine()).subscribe(({ name }) => told.push(name));
  await bench.sync(session);
  const { claims: special } = await bench.sandbox.control<SpecialClaims>('GET', '/truth/special-claims');
  const exact = special.filter(({ kind }) => kind === 'exact-duplicate');
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

test('a copy that the service corrects is not a duplicate after the next sync', async () => {
  const { claims: special } = await bench.sandbox.control<SpecialClaims>('GET', '/truth/special-claims');
  const { claim_id: id } = special.find(
    ({ kind }) => kind === 'exact-duplicate',
  ) as SpecialClaims['claims'][number];
  await bench.sandbox.control('POST', '/edits', {
    edits: [{ op: 'change', list: 'claims', id, set: { service_provider_npi_number: 1999999999 } }],
  });
  await bench.sync(session);
  expect((await session.call('duplicates:of', { workspaceId, claimId: id })).pairs).toEqual([]);
});

test('judging and completing a duplicate is one act, and one undo reverts it', async () => {
  const { claims: special } = await bench.sandbox.control<SpecialClaims>('GET', '/truth/special-claims');
  const { claim_id: claimId, original_id: otherClaimId = 0 } = special.findLast(
    ({ kind }) => kind === 'exact-duplicate',
  ) as SpecialClaims['claims'][number];
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
  const { event } = await session.call('reviews:getUndo', { workspaceId, claimId: otherClaimId });
  expect(event).toMatchObject({ claims: 2, claimId });
  for (const id of [claimId, otherClaimId]) {
    const { pairs } = await session.call('duplicates:of', { workspaceId, claimId: id });
    expect(pairs).toMatchObject([
      {
        isOpen: false,
        isUndoable: true,
        judged: { isDuplicate: true, eventId: event?.id },
        markedId: claimId,
      },
    ]);
  }
  await session.call('reviews:undo', { workspaceId, eventId: event?.id ?? '' });
  expect(await get(claimId)).toEqual(before);
  expect(await get(otherClaimId)).toEqual(otherBefore);
});

test('another computer can read a file of reviews with every kind of act, including a judged duplicate', async () => {
  const { claims: special } = await bench.sandbox.control<SpecialClaims>('GET', '/truth/special-claims');
  const { claim_id: id, original_id: otherClaimId = 0 } = special.findLast(
    ({ kind }) => kind === 'exact-duplicate',
  ) as SpecialClaims['claims'][number];
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
  const plan = await session.call('reviews:readPayments', {
    workspaceId,
    file: toFile(csv),
    payment: 'reimbursed',
  });
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

test('a pair is found at one of its claims, waits there until it is judged, and then both leave the worklist', async () => {
  await session.call('settings:set', { reviewsFrom: { [workspaceId]: '2000-01-01' } });
  await session.call('worklists:update', { workspaceId });
  const open = () =>
    session.call('records:begin', {
      workspaceId,
      query: worklistQuery('duplicates'),
      limit: 100,
      fields: ['id'],
    });
  const { snapshotId, rows } = await open();
  const keys = rows.map(({ id }) => id as number);
  const find = (at: number, step: 1 | -1, isOpen: boolean) =>
    session.call('duplicates:findStop', { workspaceId, place: { snapshotId, at }, step, isOpen });
  const { stop } = await find(0, 1, true);
  expect(stop).toEqual({ claimId: keys[0], at: 0 });
  const claimId = keys[0] ?? 0;
  const of = (id: number) =>
    session.call('duplicates:of', {
      workspaceId,
      claimId: id,
      place: { snapshotId, at: keys.indexOf(id) },
    });
  const [pair] = (await of(claimId)).pairs;
  const otherClaimId = pair?.left === claimId ? pair.right : (pair?.left ?? 0);
  expect(pair).toMatchObject({ isOpen: true, isPassed: false });
  expect((await of(otherClaimId)).pairs[0]).toMatchObject({ isOpen: true, isPassed: true });

  const act = { kind: 'judgeDuplicate', otherClaimId, isDuplicate: false } as const;
  const { eventId } = await session.call('reviews:act', {
    workspaceId,
    target: { claimIds: [claimId] },
    act,
  });
  const next = (await find(0, 1, true)).stop;
  expect([claimId, otherClaimId]).not.toContain(next?.claimId);
  expect((await find(0, 1, false)).stop).toEqual(stop);
  const left = (await open()).rows.map(({ id }) => id);
  expect(left).toEqual(keys.filter((id) => id !== claimId && id !== otherClaimId));

  await session.call('records:close', { workspaceId, snapshotId });
  await expect(find(0, 1, true)).rejects.toMatchObject({ code: 'snapshot.expired' });
  expect((await of(otherClaimId)).pairs[0]).toMatchObject({ isOpen: false, isPassed: false });
  await session.call('reviews:undo', { workspaceId, eventId: eventId ?? '' });
});
