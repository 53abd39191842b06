import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { worklistQuery } from '../../../src/rules/worklists/worklist-table.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { openStoreAt } from '../../support/engine-store.ts';
import { readProfileSecret } from '../../support/profile-secret.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench('--members', '8', '--claims', '40', '--seed', '17');
});
afterAll(() => bench.close());

async function openSynced() {
  const profileDir = await bench.newProfile();
  const session = await bench.open(profileDir);
  await bench.sync(session);
  const workspaceId = (await session.findWorkspace()).id;
  await session.call('settings:set', { reviewsFrom: { [workspaceId]: '2000-01-01' } });
  const claims = (await bench.readAll(session, 'claims')).map(({ id }) => id as number);
  return { profileDir, session, workspaceId, claims };
}
const edit = (...changes: { id: number; set: Record<string, unknown> }[]) =>
  bench.sandbox.control('POST', '/edits', {
    edits: changes.map((change) => ({ op: 'change', list: 'claims', ...change })),
  });
const sorted = (...ids: number[]): number[] => ids.sort((a, b) => a - b);
const act = (
  session: Session,
  workspaceId: string,
  claimIds: number[],
  wanted: Parameters<typeof session.call<'reviews:act'>>[1]['act'],
) => session.call('reviews:act', { workspaceId, target: { claimIds }, act: wanted });
const material = ({ changes }: { changes: readonly { effect: string; name: string }[] }) =>
  changes.filter(({ effect }) => effect === 'reopen');
const done = { kind: 'decision', state: 'done', outcome: 'eligible' } as const;

/** The IDs of a list by what a review column holds. */
async function listBy(
  session: Session,
  workspaceId: string,
  field: string,
  value: string,
): Promise<number[]> {
  // A list that begins waits for a moment only, and says that it is older.
  await session.call('worklists:update', { workspaceId });
  const { rows } = await session.call('records:begin', {
    workspaceId,
    query: {
      entity: 'claims',
      includesMissing: true,
      conditions: [{ field, operator: 'is', values: [value] }],
    },
    limit: 100,
    fields: ['id', field],
  });
  return rows.map(({ id }) => id as number).sort((a, b) => a - b);
}

/** The claim as the service has it. */
async function readClaim(session: Session, id: number): Promise<Record<string, unknown>> {
  const claim = (await bench.readAll(session, 'claims')).find((one) => one.id === id);
  if (claim === undefined) throw new Error('no claim');
  return claim;
}

test('a sync reopens reviews whose claims changed materially, with before and after, until they are reviewed again', async () => {
  const { session, workspaceId, claims } = await openSynced();
  const [changed = 0, remarked = 0, waiting = 0, open = 0, missing = 0] = claims;
  const get = (claimId: number) => session.call('reviews:get', { workspaceId, claimId });
  await act(session, workspaceId, [changed, remarked, missing], done);
  const wait = { kind: 'decision', state: 'waiting', onWhom: 'Carrier', reason: 'EOB' } as const;
  await act(session, workspaceId, [waiting], wait);
  await act(session, workspaceId, [open], { kind: 'note', text: 'Not decided yet' });
  expect(await listBy(session, workspaceId, 'review.state', 'done')).toEqual(
    sorted(changed, remarked, missing),
  );
  expect(await listBy(session, workspaceId, 'review.state', 'todo')).toHaveLength(claims.length - 4);

  const before = await readClaim(session, changed);
  await edit(
    { id: changed, set: { amount_paid: 4321.05 } },
    { id: remarked, set: { remarks: 'Something new', check_number: 'C-77' } },
    { id: waiting, set: { status: 'Reversed' } },
    { id: open, set: { status: 'Reversed' } },
  );
  await bench.sandbox.control('POST', '/edits', { edits: [{ op: 'delete', list: 'claims', id: missing }] });
  await bench.sync(session);

  const reopened = await get(changed);
  expect(reopened).toMatchObject({ state: 'todo', outcome: null });
  expect(reopened.changedAt).toMatch(/^20/);
  expect(material(reopened)).toEqual([
    {
      name: 'amount_paid',
      label: 'Plan paid',
      effect: 'reopen',
      before: before.amount_paid ?? before.computed_amount_paid ?? null,
      after: 4321.05,
    },
  ]);
  expect(await get(remarked)).toMatchObject({ state: 'done', outcome: 'eligible', changedAt: null });
  expect((await get(remarked)).changes.map(({ name, effect }) => [name, effect])).toEqual(
    expect.arrayContaining([
      ['remarks', 'noted'],
      ['check_number', 'noted'],
    ]),
  );
  const historyOf = async (claimId: number, offset = 0) =>
    (await session.call('reviews:listEvents', { workspaceId, claimId, offset, limit: 9 })).events;
  const noted = (await get(remarked)).changes;
  expect(await historyOf(remarked)).toMatchObject([{ fact: { kind: 'decision' }, changes: noted }]);
  // Changes noted before a decision stay with the decision before it.
  await act(session, workspaceId, [remarked], { ...done, outcome: 'eligible' });
  expect((await get(remarked)).changes).toEqual([]);
  expect((await historyOf(remarked)).map(({ changes }) => changes)).toEqual([null, noted]);
  expect((await historyOf(remarked, 1)).map(({ changes }) => changes)).toEqual([noted]);
  expect(await get(waiting)).toMatchObject({ state: 'back' });
  expect(await get(open)).toMatchObject({ state: 'todo', changedAt: null });
  expect((await get(missing)).changes.map(({ name }) => name)).toEqual(['$isMissing']);
  expect(await listBy(session, workspaceId, 'review.state', 'done')).toEqual([remarked]);
  expect(await listBy(session, workspaceId, 'review.state', 'back')).toEqual([waiting]);
  const history = await session.call('reviews:listEvents', {
    workspaceId,
    claimId: changed,
    offset: 0,
    limit: 9,
  });
  expect(history.events.map(({ fact }) => fact.kind)).toEqual(['reopened', 'decision']);
  expect(history.events[0]).toMatchObject({ changes: reopened.changes });
  expect(history.events[0]?.author).toBe(history.events[1]?.author);

  // Another sync without news finds nothing; a change back is still to be reviewed.
  await bench.sync(session);
  expect((await get(changed)).changedAt).toBe(reopened.changedAt);
  await edit({ id: changed, set: { amount_paid: before.amount_paid ?? null } });
  await bench.sync(session);
  expect((await get(changed)).state).toBe('todo');
  expect(material(await get(changed))).toEqual([]);
  expect((await get(changed)).changedAt).not.toBeNull();
  await act(session, workspaceId, [changed], { kind: 'accept' });
  expect(await get(changed)).toMatchObject({ state: 'done', outcome: 'eligible', changedAt: null });
  await session.close();
});

test('the worklist of changed claims begins with amounts that were or became blank, followed by the largest change', async () => {
  const { session, workspaceId, claims } = await openSynced();
  const [small = 0, large = 0, filled = 0, emptied = 0] = claims.slice(20);
  const amounts = (values: [number, number | null][]) =>
    edit(
      ...values.map(([id, amount]) => ({
        id,
        set: { patient_responsibility: amount, computed_patient_responsibility: amount },
      })),
    );
  await amounts([
    [small, 50],
    [large, 50],
    [filled, null],
    [emptied, 70],
  ]);
  await bench.sync(session);
  await act(session, workspaceId, [small, large, filled, emptied], done);
  await amounts([
    [small, 49],
    [large, 90_000],
    [filled, 8],
    [emptied, null],
  ]);
  await bench.sync(session);
  await session.call('worklists:update', { workspaceId });
  const { rows } = await session.call('records:begin', {
    workspaceId,
    query: worklistQuery('changed'),
    limit: 10,
    fields: ['id', 'review.changed_responsibility'],
  });
  expect(rows.map((row) => [row.id, row['review.changed_responsibility']])).toEqual([
    [emptied, null],
    [filled, null],
    [large, 899_500_000],
    [small, -10_000],
  ]);
  await session.close();
});

test('undoing a decision compares the claim with the values of the decision that counts again', async () => {
  const { session, workspaceId, claims } = await openSynced();
  const claimId = claims[7] as number;
  await act(session, workspaceId, [claimId], done);
  await edit({ id: claimId, set: { network: 'Elsewhere' } });
  await bench.sync(session);
  const { eventId } = await act(session, workspaceId, [claimId], { ...done, outcome: 'disputed' });
  expect(await session.call('reviews:get', { workspaceId, claimId })).toMatchObject({ outcome: 'disputed' });
  await session.call('reviews:undo', { workspaceId, eventId: eventId as string });
  const review = await session.call('reviews:get', { workspaceId, claimId });
  expect(review).toMatchObject({ state: 'todo', outcome: null });
  expect(material(review).map(({ name }) => name)).toEqual(['network']);
  await session.close();
});

test('if the app is killed between sync and reopening, the next start reopens; outdated rows are made again', async () => {
  const { profileDir, session, workspaceId, claims } = await openSynced();
  const [changed = 0, other = 0] = claims.slice(10);
  await act(session, workspaceId, [changed, other], done);
  const claim = await readClaim(session, changed);
  await session.close();

  // The store is left as by a sync whose process ends before it compares.
  const path = join(profileDir, 'workspaces', workspaceId, 'records.db');
  const key = await readProfileSecret(profileDir, `database-key/{profile}/${workspaceId}`);
  const store = openStoreAt(path, key);
  store.ingest('claims', [{ ...claim, status: 'Reversed' }]);
  store.database.prepare('DELETE FROM claim_reviews WHERE claim_id=?').run(other);
  store.database.prepare("DELETE FROM sync_state WHERE name='reviews'").run();

  const again = await bench.open(profileDir);
  expect(await listBy(again, workspaceId, 'review.state', 'done')).toEqual([other]);
  expect(await again.call('reviews:get', { workspaceId, claimId: changed })).toMatchObject({
    state: 'todo',
    changes: [{ name: 'status', after: 'Reversed' }],
  });
  await again.close();
});

test('a review of a newer record is not reopened by older ones, which say so until the claim is refreshed', async () => {
  const [newer, older] = [await openSynced(), await openSynced()];
  const claimId = newer.claims[20] as number;
  const get = (on: typeof newer) => on.session.call('reviews:get', { workspaceId: on.workspaceId, claimId });
  const modifiedIn = async ({ session }: typeof newer) => (await readClaim(session, claimId)).modifieddate;
  const passphrase = 'a long passphrase';
  const give = async (from: typeof newer, to: typeof newer) => {
    const path = join(from.profileDir, 'given.claimdesk-reviews');
    const targetId = await from.session.addSaveTarget(path, 'reviews');
    await from.session.call('reviews:export', { workspaceId: from.workspaceId, passphrase, targetId });
    const file = (await readFile(path)).toString('base64');
    await rm(path);
    return to.session.call('reviews:import', { workspaceId: to.workspaceId, file, passphrase });
  };
  await edit({ id: claimId, set: { amount_paid: 321.05 } });
  await bench.sync(newer.session);
  await act(newer.session, newer.workspaceId, [claimId], done);
  await give(newer, older);
  const olderRecord = { here: await modifiedIn(older), reviewed: await modifiedIn(newer) };
  expect(await get(older)).toMatchObject({ state: 'done', outcome: 'eligible', changes: [], olderRecord });
  // The sender is told of no reopening either.
  expect(await give(older, newer)).toMatchObject({ events: 0 });
  expect(await get(newer)).toMatchObject({ state: 'done', olderRecord: null });

  const what = { kind: 'claim', claimId } as const;
  const { changed } = await older.session.call('sync:refreshRecord', {
    workspaceId: older.workspaceId,
    what,
  });
  expect(changed).toBeGreaterThan(0);
  expect(await get(older)).toMatchObject({ state: 'done', changes: [], olderRecord: null });

  // Later changes by the service are found by both, each with its own event.
  await edit({ id: claimId, set: { amount_paid: 400 } });
  for (const { session } of [newer, older]) await bench.sync(session);
  expect((await get(newer)).state).toBe('todo');
  expect(await give(newer, older)).toMatchObject({ events: 1 });
  const { total } = await older.session.call('reviews:listEvents', {
    workspaceId: older.workspaceId,
    claimId,
    offset: 0,
    limit: 9,
  });
  expect(total).toBe(3);
  for (const { session } of [newer, older]) await session.close();
});
