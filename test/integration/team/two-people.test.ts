import { expect, test } from 'vitest';
import type { ReviewAct } from '../../../src/rules/review/event-kinds.ts';
import { exchangeAll, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';

const pay = (amount: number): ReviewAct => ({
  kind: 'payment',
  payment: 'reimbursed',
  amount,
  day: '2026-02-01',
  account: '',
});
/** Returns a claim's history, oldest first: each event's kind, and the amount where it breaks the rule. */
const historyOf = async ({ reviews }: Member, claimId: number) => {
  const { events } = await reviews.listEvents({ workspaceId, claimId, offset: 0, limit: 50 });
  return events.reverse().map(({ fact, twoPeopleAbove = null }) => [fact.kind, twoPeopleAbove]);
};

test('an act that breaks the two-person rule but arrives anyway is marked on every computer', async () => {
  const { members, clock, close } = await openTeam('ana', 'ben', 'cleo');
  const [ana, ben, cleo] = members as [Member, Member, Member];
  const wait = () => {
    clock.nowMs += 60_000;
  };
  await ben.act([1], decisionOf('eligible'));
  await ben.act([1], pay(9_000_000));
  await exchangeAll(members);
  wait();
  await ana.changeSettings({ setting: 'twoPeopleAbove', value: 5_000_000 });
  await ana.exchange();
  wait();
  // Ben's computer has not heard of the rule, as an older version would not.
  await ben.act([2, 3, 4], decisionOf('eligible'));
  for (const [claimId, amount] of [
    [2, 5_000_100],
    [3, 5_000_000],
    [4, 4_000_000],
  ] as const) {
    wait();
    await ben.act([claimId], pay(amount));
  }
  wait();
  await ben.act([4], pay(2_000_000));
  await exchangeAll(members);
  await expect(ben.act([3], pay(100))).rejects.toMatchObject({ code: 'review.needsSecond' });
  wait();
  // A second person may, and a higher amount counts from now on only.
  await cleo.act([3], pay(6_000_000));
  await ana.changeSettings({ setting: 'twoPeopleAbove', value: 90_000_000 });
  await exchangeAll(members);
  for (const one of members) {
    // It was done before there was a rule.
    expect(await historyOf(one, 1)).toEqual([
      ['decision', null],
      ['payment', null],
    ]);
    expect(await historyOf(one, 2)).toEqual([
      ['decision', null],
      ['payment', 5_000_000],
    ]);
    expect(await historyOf(one, 3)).toEqual([
      ['decision', null],
      ['payment', null],
      ['payment', null],
    ]);
    expect(await historyOf(one, 4)).toEqual([
      ['decision', null],
      ['payment', null],
      ['payment', 5_000_000],
    ]);
  }
  // Once it is undone, nothing is broken.
  const undoable = await ben.reviews.findUndoable(workspaceId, 2);
  await ben.reviews.undo(workspaceId, undoable?.id ?? '');
  await exchangeAll(members);
  for (const one of members)
    expect((await historyOf(one, 2)).map(([, above]) => above)).toEqual([null, null, null]);
  await close();
});
