import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

let bench: Bench;
let session: Session;
let profileDir: string;
let workspaceId: string;
let claims: number[];
beforeAll(async () => {
  bench = await openBench('--members', '10', '--claims', '60', '--seed', '16');
  profileDir = await bench.newProfile();
  session = await bench.open(profileDir);
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
  claims = (await bench.readAll(session, 'claims')).map(({ id }) => id as number);
  await session.call('settings:set', { reviewsFrom: { [workspaceId]: '2000-01-01' } });
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

const take = (): number => claims.pop() as number;
const get = (claimId: number) => session.call('reviews:get', { workspaceId, claimId });
const act = (claimId: number, wanted: Parameters<typeof actOn>[1]) => actOn([claimId], wanted);
const actOn = (
  claimIds: number[],
  wanted: Extract<Parameters<typeof session.call<'reviews:act'>>[1], object>['act'],
) =>
  // The claims of the sandbox have services of any day.
  session.call('reviews:act', { workspaceId, target: { claimIds }, act: wanted, acceptsEarly: true });

test('a decision is stored with its author, time and receipt, and undoing it restores what was before', async () => {
  const claimId = take();
  expect(await get(claimId)).toMatchObject({ state: 'todo', outcome: null, reviewedAt: null, changes: [] });
  await act(claimId, { kind: 'decision', state: 'waiting', onWhom: 'Carrier', reason: 'EOB missing' });
  const { eventId } = await act(claimId, { kind: 'decision', state: 'done', outcome: 'eligible' });
  const done = await get(claimId);
  expect(done).toMatchObject({ state: 'done', outcome: 'eligible', onWhom: null });
  expect(done.reviewedBy).toBe(bench.sandbox.account.email);
  expect(done.receipt?.runId).toMatch(/./);
  const { event } = await session.call('reviews:getUndo', { workspaceId });
  expect(event).toMatchObject({ id: eventId, claimId, fact: { kind: 'decision', outcome: 'eligible' } });

  await session.call('reviews:undo', { workspaceId, eventId: eventId as string });
  expect(await get(claimId)).toMatchObject({ state: 'waiting', onWhom: 'Carrier', reason: 'EOB missing' });
  const { events, total } = await session.call('reviews:listEvents', {
    workspaceId,
    claimId,
    offset: 0,
    limit: 10,
  });
  expect(total).toBe(3);
  expect(events.map(({ fact, isUndone }) => [fact.kind, isUndone])).toEqual([
    ['undo', false],
    ['decision', true],
    ['decision', false],
  ]);
  await expect(
    session.call('reviews:undo', { workspaceId, eventId: eventId as string }),
  ).rejects.toMatchObject({ code: 'review.unknown' });
});

test('a decision, a flag and tags that the claim already has are not recorded again', async () => {
  const claimId = take();
  const acts = [
    { kind: 'decision', state: 'done', outcome: 'eligible' },
    { kind: 'decision', state: 'done', outcome: 'partlyEligible', partly: { by: 'share', percent: 50 } },
    { kind: 'flag', isFlagged: true },
    { kind: 'tag', add: ['HRA'], remove: [] },
    { kind: 'owner', owner: 'Ana' },
    { kind: 'reminder', day: '2026-12-24' },
  ] as const;
  for (const wanted of acts) {
    const once = { ...wanted, ...('add' in wanted ? { add: [...wanted.add], remove: [] } : {}) } as never;
    expect(await act(claimId, once)).toMatchObject({ eventId: expect.any(String), claims: 1, leftOut: [] });
    expect(await act(claimId, once)).toMatchObject({ eventId: null, claims: 0, leftOut: [], notKnown: [] });
  }
  const declined = { kind: 'decision', state: 'done', outcome: 'notEligible' } as const;
  const reasons = [{}, { cause: 'Not covered' }, { cause: 'Filed late' }, { reason: 'Called' }, {}];
  for (const more of reasons)
    expect(await act(claimId, { ...declined, ...more })).toMatchObject({ claims: 1 });
  const { total } = await session.call('reviews:listEvents', { workspaceId, claimId, offset: 0, limit: 1 });
  expect(total).toBe(acts.length + reasons.length);
});

test('from a selection, only the claims that do not have it already are recorded', async () => {
  const [one, other] = [take(), take()];
  const flag = { kind: 'flag', isFlagged: true } as const;
  await act(one, flag);
  const actOnBoth = async () => {
    const condition = { field: 'id', operator: 'isOneOf' as const, values: [one, other] };
    const query = { entity: 'claims' as const, conditions: [condition] };
    const { snapshotId } = await session.call('records:open', { workspaceId, query });
    const from = { kind: 'list' as const, snapshotId };
    const { selectionId } = await session.call('reviews:freeze', { workspaceId, from });
    return session.call('reviews:act', { workspaceId, target: { selectionId }, act: flag });
  };
  expect(await actOnBoth()).toMatchObject({ eventId: expect.any(String), claims: 1, unchanged: 1 });
  expect(await actOnBoth()).toMatchObject({ eventId: null, claims: 0, unchanged: 2, leftOut: [] });
  const { total } = await session.call('reviews:listEvents', {
    workspaceId,
    claimId: one,
    offset: 0,
    limit: 1,
  });
  expect(total).toBe(1);
});

test('the newest act that concerns a claim can be undone, whether it was for one claim or many', async () => {
  const [one, other, third] = [take(), take(), take()];
  const undoOf = async (claimId: number) =>
    (await session.call('reviews:getUndo', { workspaceId, claimId })).event;
  expect(await undoOf(one)).toBeNull();
  const many = await actOn([one, other], { kind: 'tag', add: ['Q3'], remove: [] });
  const own = await act(other, { kind: 'decision', state: 'done', outcome: 'eligible' });
  await act(third, { kind: 'flag', isFlagged: true });
  expect(await undoOf(one)).toMatchObject({ id: many.eventId, claims: 2, claimId: null });
  expect(await undoOf(other)).toMatchObject({ id: own.eventId, claimId: other });
  await session.call('reviews:undo', { workspaceId, eventId: own.eventId as string });
  expect(await undoOf(other)).toMatchObject({ id: many.eventId });
});

test('a waiting claim comes back on the day of its reminder', async () => {
  const claimId = take();
  const waiting = { kind: 'decision', state: 'waiting', onWhom: 'Member', reason: 'Receipt' } as const;
  await act(claimId, { ...waiting, reminder: '2999-01-01' });
  expect((await get(claimId)).state).toBe('waiting');
  await act(claimId, { kind: 'reminder', day: '2020-01-01' });
  expect((await get(claimId)).state).toBe('back');
});

test.each([
  ['done without an outcome', { kind: 'decision', state: 'done' }, 'review.incomplete'],
  ['an outcome without done', { kind: 'decision', state: 'todo', outcome: 'eligible' }, 'review.incomplete'],
  ['waiting for nobody', { kind: 'decision', state: 'waiting', reason: 'EOB' }, 'review.incomplete'],
  [
    'escalated without a reason',
    { kind: 'decision', state: 'escalated', onWhom: 'Lee' },
    'review.incomplete',
  ],
  ['a disagreement without a reason', { kind: 'check', agrees: false }, 'review.incomplete'],
  ['a check of a claim that is not done', { kind: 'check', agrees: true }, 'review.notToCheck'],
  ['a note of another claim', { kind: 'deleteNote', noteId: 'none' }, 'note.unknown'],
  [
    'a duplicate of itself',
    { kind: 'judgeDuplicate', otherClaimId: -1, isDuplicate: true },
    'record.unknown',
  ],
] as const)('%s is refused and leaves no event', async (_name, wanted, code) => {
  const claimId = take();
  await expect(act(claimId, wanted)).rejects.toMatchObject({ code });
  const { total } = await session.call('reviews:listEvents', { workspaceId, claimId, offset: 0, limit: 1 });
  expect(total).toBe(0);
});

test('no one checks their own review', async () => {
  const claimId = take();
  await act(claimId, { kind: 'decision', state: 'done', outcome: 'eligible' });
  await expect(act(claimId, { kind: 'check', agrees: true })).rejects.toMatchObject({
    code: 'review.notToCheck',
  });
});

test('a missing claim has no review', async () => {
  await expect(get(-1)).rejects.toMatchObject({ code: 'record.unknown' });
  await expect(act(-1, { kind: 'flag', isFlagged: true })).rejects.toMatchObject({ code: 'record.unknown' });
});

test('notes, tags, flag, owner and payments add up, and survive a restart', async () => {
  const claimId = take();
  const { eventId } = await act(claimId, { kind: 'note', text: 'Called the carrier' });
  await act(claimId, { kind: 'editNote', noteId: eventId as string, text: 'Called the carrier twice' });
  await act(claimId, { kind: 'tag', add: ['appeal', 'urgent'], remove: [] });
  await act(claimId, { kind: 'tag', add: [], remove: ['urgent'] });
  await act(claimId, { kind: 'flag', isFlagged: true });
  await act(claimId, { kind: 'owner', owner: 'Lee' });
  const payment = { kind: 'payment', payment: 'reimbursed', amount: 1_250_000, day: '2026-03-02' } as const;
  await act(claimId, payment);
  await act(claimId, { ...payment, payment: 'repaid', amount: 250_000 });
  const before = await get(claimId);
  expect(before).toMatchObject({ tags: ['appeal'], isFlagged: true, owner: 'Lee', reimbursed: 1_000_000 });
  expect(before.notes).toMatchObject([{ text: 'Called the carrier twice' }]);
  const left = (before.eligible ?? 0) - 1_000_000;
  const amounts = { open: Math.max(0, left), owed: Math.max(0, -left) };
  expect(before).toMatchObject(before.eligible === null ? { open: null } : amounts);
  await session.close();
  session = await bench.open(profileDir);
  expect(await get(claimId)).toEqual(before);
});

test('acts are stamped in the service’s time, which may differ from this computer’s clock', async () => {
  await bench.sandbox.control('POST', '/clock', { skewSeconds: 400 });
  await bench.sync(session);
  const before = Date.now();
  const claimId = take();
  await act(claimId, { kind: 'note', text: 'Called the carrier' });
  const [note] = (await get(claimId)).notes;
  const aheadMs = Date.parse(note?.at ?? '') - before;
  expect(aheadMs).toBeGreaterThan(390_000);
  expect(aheadMs).toBeLessThan(460_000);
});
