import { expect, test } from 'vitest';
import {
  conditionsOfShare,
  worklistIds,
  worklistQuery,
} from '../../../src/rules/worklists/worklist-table.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';
import { updateStore } from '../../support/update-store.ts';

const people = ['ada@example.com', 'ben@example.com', 'cleo@example.com'];
const clock = { now: () => Date.parse('2026-03-01T12:00:00Z') };

function openWith(claims: number) {
  const computer = openComputer(makeTempFolder(), 'ada', clock);
  computer.opened.ingest(
    'claims',
    Array.from({ length: claims }, (_none, at) => ({ id: at + 1, status: 'Processed', amount_paid: 10 })),
  );
  const deal = async (owners: readonly string[]) => {
    const { selectionId } = await computer.reviews.freezeList(workspaceId, 'all', null);
    return computer.reviews.deal({ workspaceId, selectionId, owners: [...owners] });
  };
  const close = () => {
    computer.file.close();
    computer.opened.readerConnection.close();
    computer.opened.database.close();
  };
  return { ...computer, deal, close };
}

test('claims are assigned in equal parts, always in the same way, by one act that one undo reverts', async () => {
  const one = openWith(11);
  const { dealt, leftOut, eventId } = await one.deal(people);
  expect(dealt.map(({ owner, claims }) => [owner, claims])).toEqual([
    ['ada@example.com', 4],
    ['ben@example.com', 4],
    ['cleo@example.com', 3],
  ]);
  expect(leftOut).toEqual([]);
  const ownersOf = () =>
    one.operations.foldReviews({ workspaceId, claimIds: null }).map(({ owner }) => owner);
  const order = [...one.opened.list({ entity: 'claims' })];
  const inOrder = order.map((id) => ownersOf()[id - 1]);
  expect(inOrder).toEqual(order.map((_id, at) => people[at % 3]));
  const before = ownersOf();
  await one.deal(people);
  expect(ownersOf()).toEqual(before);
  // It is one line in the list of acts; in the history of a claim it says whose the claim is.
  const { events, total } = await one.reviews.listEvents({ workspaceId, offset: 0, limit: 10 });
  expect(total).toBe(2);
  expect(events[1]).toMatchObject({ id: eventId, fact: { kind: 'deal', owners: people }, claims: 11 });
  const [first = 0] = order;
  const ofClaim = await one.reviews.listEvents({ workspaceId, claimId: first, offset: 0, limit: 10 });
  expect(ofClaim.events[0]).toMatchObject({ fact: { kind: 'deal' }, owner: 'ada@example.com' });
  // One undo takes all of it back, and only that.
  const again = await one.deal(['ben@example.com']);
  await one.reviews.undo(workspaceId, again.eventId ?? '');
  expect(ownersOf()).toEqual(before);
  for (const { id } of events) await one.reviews.undo(workspaceId, id);
  expect(ownersOf()).toEqual(before.map(() => null));
  await expect(one.deal(['ada@example.com', 'ada@example.com'])).rejects.toMatchObject({
    code: 'usage.invalid',
  });
  one.close();
});

test('claims that changed in the meantime are left out, and the others get the same owners as without that', async () => {
  const one = openWith(30);
  const order = [...one.opened.list({ entity: 'claims' })];
  const { selectionId } = await one.reviews.freezeList(workspaceId, 'all', null);
  const changed = [order[0], order[7], order[29]] as number[];
  await one.reviews.act(workspaceId, { claimIds: changed }, { kind: 'flag', isFlagged: true });
  const { dealt, leftOut } = await one.reviews.deal({ workspaceId, selectionId, owners: people });
  expect(dealt.map(({ claims }) => claims)).toEqual([9, 9, 9]);
  expect([...leftOut].sort((a, b) => a - b)).toEqual(changed.toSorted((a, b) => a - b));
  const folds = one.operations.foldReviews({ workspaceId, claimIds: null });
  const ownerOf = new Map(folds.map(({ claimId, owner }) => [claimId, owner]));
  expect(order.map((id) => ownerOf.get(id))).toEqual(
    order.map((id, at) => (changed.includes(id) ? null : people[at % 3])),
  );
  one.close();
});

test('in each worklist, my claims, unassigned ones and those of others are all of its claims', async () => {
  const one = openWith(30);
  await one.reviews.act(workspaceId, { claimIds: [1, 2, 3] }, { kind: 'owner', owner: 'ada@example.com' });
  await one.reviews.act(workspaceId, { claimIds: [4, 5] }, { kind: 'owner', owner: 'ben@example.com' });
  updateStore(one.opened, '2026-03-02');
  for (const id of worklistIds) {
    const listed = (share: 'mine' | 'unassigned' | 'all') =>
      [...one.opened.list(worklistQuery(id, conditionsOfShare(share, 'ada@example.com')))].sort(
        (a, b) => a - b,
      );
    const [mine, unassigned, all] = [listed('mine'), listed('unassigned'), listed('all')];
    expect(
      all.filter((claim) => !mine.includes(claim) && !unassigned.includes(claim)),
      id,
    ).toEqual(all.filter((claim) => claim === 4 || claim === 5));
    expect(mine, id).toEqual(all.filter((claim) => claim <= 3));
  }
  one.close();
});
