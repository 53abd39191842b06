import { expect, test } from 'vitest';
import { conditionsOfShare, worklistIds, worklistQuery } from '../../../src/contract/worklist-table.ts';
import { openComputer, workspaceId } from '../../support/review-computer.ts';
import { settleStore } from '../../support/settle-store.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

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
    return computer.reviews.deal(workspaceId, { selectionId, owners });
  };
  const close = () => {
    computer.file.close();
    computer.opened.readerConnection.close();
    computer.opened.database.close();
  };
  return { ...computer, deal, close };
}

test('claims are dealt out in equal parts, always in the same way, by one act for each person', async () => {
  const one = openWith(11);
  const { dealt, leftOut } = await one.deal(people);
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
  // Undoing one act leaves the others.
  const { dealt: again } = await one.deal(['ben@example.com']);
  await one.reviews.undo(workspaceId, again[0]?.eventId ?? '');
  expect(ownersOf()).toEqual(before);
  await expect(one.deal(['ada@example.com', 'ada@example.com'])).rejects.toMatchObject({
    code: 'usage.invalid',
  });
  one.close();
});

test('in each worklist mine, unassigned and those of others are all of its claims', async () => {
  const one = openWith(30);
  await one.reviews.act(workspaceId, { claimIds: [1, 2, 3] }, { kind: 'owner', owner: 'ada@example.com' });
  await one.reviews.act(workspaceId, { claimIds: [4, 5] }, { kind: 'owner', owner: 'ben@example.com' });
  settleStore(one.opened, '2026-03-02');
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
