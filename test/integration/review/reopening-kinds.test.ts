import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { fuzzRuns } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

const done = {
  kind: 'decision',
  state: 'done',
  outcome: 'eligible',
  onWhom: null,
  reason: null,
  reminder: null,
} as const;
const claimOf = (more: Record<string, unknown> = {}) => ({
  id: 1,
  uuid: 'a-1',
  status: 'Processed',
  vendor_system_id: 'N100',
  patient_name: 'Ana Edwards',
  service_provider: 'Lakeside Clinic',
  members: [{ id: 7, first_name: 'Ana', last_name: 'Edwards', employer: { id: 3, name: 'Acme' } }],
  date_of_service: { bounds: '[]', start: '2026-03-02', end: '2026-03-02' },
  modifieddate: '2026-04-02T00:00:00Z',
  ...{ reduction: 10, copayment: 0, coinsurance_patient: 0, patient_responsibility: 10 },
  ...more,
});

/** A computer on which the claim was read and decided, and the next days on which it is read again. */
async function openDecided(isDecided = true) {
  let nowMs = Date.parse('2026-11-20T10:00:00.000Z');
  const { opened, reviews, store, file, userData } = openComputer(makeTempFolder(), 'a', {
    now: () => nowMs,
  });
  onTestFinished(() => file.close());
  const update = async (): Promise<void> => {
    await store.write('markClaimsRead', new Date(nowMs).toISOString());
    await reviews.updateAfterSync(workspaceId);
  };
  const read = async (...claims: Record<string, unknown>[]): Promise<void> => {
    nowMs += 86_400_000;
    opened.ingest('claims', claims);
    await update();
  };
  const setMissing = async (isMissing: boolean): Promise<void> => {
    nowMs += 86_400_000;
    const since = isMissing ? new Date(nowMs).toISOString() : null;
    opened.database.prepare('UPDATE claims SET gone_since=? WHERE id=1').run(since);
    await update();
  };
  await read(claimOf());
  if (isDecided) await reviews.act(workspaceId, { claimIds: [1] }, done);
  const get = () => reviews.get(workspaceId, 1);
  const listed = () => store.read('listChangedReviews', null);
  return { read, setMissing, get, listed, act: reviews.act, userData };
}

test('what this computer read later is newer, even if the date of the last change went back', async () => {
  const { read, get } = await openDecided();
  await read(claimOf({ modifieddate: '2026-03-01T00:00:00Z', patient_responsibility: 20 }));
  expect(await get()).toMatchObject({ state: 'todo', outcome: null, olderRecord: null });
});

test('a member ID that becomes blank, or is no longer blank, reopens', async () => {
  const { read, get, act } = await openDecided();
  const { id: _id, ...blank } = claimOf().members[0] as { id: number };
  await read(claimOf({ members: [blank] }));
  expect(await get()).toMatchObject({ state: 'todo' });
  expect((await get()).changes.map(({ name, after }) => [name, after])).toEqual([
    ['members', 'Ana Edwards (Acme) without a member ID'],
  ]);
  await act(workspaceId, { claimIds: [1] }, done);
  expect(await get()).toMatchObject({ state: 'done' });
  await read(claimOf());
  expect(await get()).toMatchObject({ state: 'todo' });
});

test('a claim that was missing and is back as it was decided counts as decided again', async () => {
  const { setMissing, get, read } = await openDecided();
  await setMissing(true);
  expect(await get()).toMatchObject({ state: 'todo', outcome: null });
  await setMissing(false);
  expect(await get()).toMatchObject({ state: 'done', outcome: 'eligible', changedAt: null });
  // The second time it is gone is a change like the first one.
  await setMissing(true);
  expect(await get()).toMatchObject({ state: 'todo', outcome: null });
  await setMissing(false);
  expect(await get()).toMatchObject({ state: 'done', outcome: 'eligible', changedAt: null });
  await read(claimOf({ patient_responsibility: 20 }));
  expect(await get()).toMatchObject({ state: 'todo' });
});

test('another claim under the same ID reopens and says so, found by its UUID or by its number and two more values', async () => {
  const byUuid = await openDecided();
  await byUuid.read(claimOf({ uuid: 'b-2' }));
  expect((await byUuid.get()).state).toBe('todo');
  expect(await byUuid.listed()).toEqual([{ claimId: 1, changed: ['$otherClaim'] }]);
  const others = { vendor_system_id: 'N200', patient_name: 'Bo Lee', service_provider: 'Hillside Clinic' };
  const byValues = await openDecided();
  await byValues.read(claimOf({ ...others, uuid: null }));
  expect((await byValues.listed())[0]?.changed).toContain('$otherClaim');
  // The same UUID is the same claim, and a number alone, as of an adjustment, is not another one.
  for (const more of [others, { uuid: null, vendor_system_id: 'N100-1', patient_name: 'Bo Lee' }]) {
    const same = await openDecided();
    await same.read(claimOf(more));
    expect((await same.listed())[0]?.changed ?? []).not.toContain('$otherClaim');
  }
});

const pay = (amount: number) =>
  ({ kind: 'payment', payment: 'reimbursed', amount, day: '2026-11-20', account: '' }) as const;

test('payments of an earlier claim stay with its number, and later ones count for the claim that has the ID now', async () => {
  const { read, get, act, userData } = await openDecided();
  await act(workspaceId, { claimIds: [1] }, pay(70_000));
  const other = claimOf({ uuid: 'b-2', vendor_system_id: 'N200', members: [{ id: 8, last_name: 'Lee' }] });
  await read(other);
  expect(await get()).toMatchObject({
    ...{ state: 'todo', payments: [], reimbursed: 0, owed: 0 },
    earlier: [{ number: 'N100', memberId: 7, payments: [{ amount: 70_000 }] }],
  });
  await act(workspaceId, { claimIds: [1] }, done);
  await act(workspaceId, { claimIds: [1] }, pay(30_000));
  expect(await get()).toMatchObject({ payments: [{ amount: 30_000 }], reimbursed: 30_000, open: 70_000 });
  // The earlier claim is back: each has its own again.
  await read(claimOf());
  expect(await get()).toMatchObject({
    ...{ state: 'todo', payments: [{ amount: 70_000 }] },
    earlier: [{ number: 'N200', memberId: 8, payments: [{ amount: 30_000 }] }],
  });
  const [folded] = await userData.call('foldReviews', { workspaceId, claimIds: [1] });
  expect(folded?.earlier.map(({ key }) => key)).toEqual(['b-2']);
});

test('a claim that was paid and never decided keeps its payments when another claim has its ID, and no other change reopens it', async () => {
  const { read, get, listed, act } = await openDecided(false);
  await act(workspaceId, { claimIds: [1] }, pay(70_000));
  await read(claimOf({ patient_responsibility: 20, reduction: 20 }));
  expect(await get()).toMatchObject({ payments: [{ amount: 70_000 }], changedAt: null, earlier: [] });
  expect(await listed()).toEqual([]);
  const other = claimOf({ uuid: 'b-2', vendor_system_id: 'N200', members: [{ id: 8, last_name: 'Lee' }] });
  await read(other);
  expect(await get()).toMatchObject({
    ...{ state: 'todo', payments: [], reimbursed: 0, owed: 0 },
    earlier: [{ number: 'N100', memberId: 7, payments: [{ amount: 70_000 }] }],
  });
  expect((await listed())[0]?.changed).toContain('$otherClaim');
  await act(workspaceId, { claimIds: [1] }, pay(30_000));
  await act(workspaceId, { claimIds: [1] }, done);
  expect(await get()).toMatchObject({ state: 'done', reimbursed: 30_000, open: 70_000, changedAt: null });
});

const step = fc.oneof(
  fc.record({
    kind: fc.constant('read' as const),
    uuid: fc.constantFrom('a-1', 'a-1', 'b-2'),
    responsibility: fc.constantFrom(10, 10, 20),
  }),
  fc.record({ kind: fc.constant('missing' as const), isMissing: fc.boolean() }),
  fc.record({ kind: fc.constant('decide' as const) }),
  fc.record({ kind: fc.constant('pay' as const), amount: fc.integer({ min: 1, max: 9 }) }),
);

test('a decision counts exactly while the claim is as it was decided, and each payment for the claim that it was made for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9, size: 'max' }), async (history) => {
      const { read, setMissing, get, act } = await openDecided();
      let now = { uuid: 'a-1', responsibility: 10, isMissing: false };
      let decided = now;
      /** Whether an amount changed since the decision: a change back is still to be reviewed. */
      let isChanged = false;
      const paid = new Map<string, number>();
      for (const one of history) {
        if (one.kind === 'read') {
          const isOther = one.uuid !== now.uuid;
          now = { uuid: one.uuid, responsibility: one.responsibility, isMissing: false };
          await read(
            claimOf({
              ...{ uuid: one.uuid, vendor_system_id: one.uuid, reduction: one.responsibility },
              patient_responsibility: one.responsibility,
            }),
          );
          // A change of an earlier claim is not a change of this one.
          if (one.uuid === decided.uuid && one.responsibility !== decided.responsibility) isChanged = true;
          else if (isOther && one.uuid === decided.uuid) isChanged = false;
        } else if (one.kind === 'missing') {
          if (now.isMissing !== one.isMissing) {
            now = { ...now, isMissing: one.isMissing };
            await setMissing(one.isMissing);
          }
        } else if (one.kind === 'decide') {
          await act(workspaceId, { claimIds: [1] }, done);
          [decided, isChanged] = [now, false];
        } else {
          await act(workspaceId, { claimIds: [1] }, pay(one.amount * 10_000));
          paid.set(now.uuid, (paid.get(now.uuid) ?? 0) + one.amount * 10_000);
        }
        if (decided.isMissing && !now.isMissing) isChanged = true;
        const review = await get();
        const isAsDecided = JSON.stringify(now) === JSON.stringify(decided);
        if (!isAsDecided) expect(review.state).toBe('todo');
        else if (!isChanged) expect(review.state).toBe('done');
        expect(review.reimbursed).toBe(paid.get(now.uuid) ?? 0);
        const earlier = review.earlier.flatMap(({ payments }) => payments);
        const all = [...paid.values()].reduce((sum, amount) => sum + amount, 0);
        expect(earlier.reduce((sum, { amount }) => sum + amount, 0) + review.reimbursed).toBe(all);
      }
    }),
    { numRuns: fuzzRuns(40) },
  );
});
