import { expect, test } from 'vitest';
import { leave } from '../../../src/main/engine/team/change-members.ts';
import type { ReviewAct } from '../../../src/rules/review/event-kinds.ts';
import { worklistQuery } from '../../../src/rules/worklists/worklist-table.ts';
import { toBytes } from '../../support/incoming-file.ts';
import { admit, exchangeAll, openTeam, restoreServer } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';
import { updateStore } from '../../support/update-store.ts';

const pay = (amount = 1_000_000, day = '2026-02-01'): ReviewAct => ({
  kind: 'payment',
  payment: 'reimbursed',
  amount,
  day,
  account: '',
});

const foldOf = (member: Member, claimId = 1) => member.folds().find((one) => one.claimId === claimId);
const authorsOf = (member: Member, claimId = 1) =>
  foldOf(member, claimId)?.decidedTwice.map(({ author }) => author.split('@')[0]);
/** The claims of a worklist, as after the next look at it. */
async function listOf(member: Member, id: 'decidedTwice' | 'paidTwice') {
  await member.reviews.updateAfterSync(workspaceId);
  updateStore(member.opened, '2026-03-02');
  return [...member.opened.list(worklistQuery(id))].sort();
}

/** Returns the worklist of every computer, and checks that all have the same of claim 1. */
async function sayAll(members: readonly Member[], id: 'decidedTwice' | 'paidTwice'): Promise<unknown[]> {
  const said = await Promise.all(members.map((member) => listOf(member, id)));
  for (const member of members) expect(foldOf(member)).toEqual(foldOf(members[0] as Member));
  return said;
}

test('two different decisions made offline are decided twice, until someone who saw both decides', async () => {
  const { members, clock, close } = await openTeam('ada', 'ben', 'cleo');
  const [ada, ben, cleo] = members as [Member, Member, Member];
  await exchangeAll(members);
  await ada.act([1, 2], decisionOf('eligible'));
  clock.nowMs += 60_000;
  await ben.act([1, 2], decisionOf('notEligible'));
  expect(authorsOf(ada)).toEqual([]);
  await exchangeAll(members);
  expect(await sayAll(members, 'decidedTwice')).toEqual([
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
  expect(authorsOf(cleo)).toEqual(['ada', 'ben']);
  expect((await cleo.reviews.get(workspaceId, 1)).decidedTwice).toMatchObject([
    { author: 'ada@example.com', decision: { outcome: 'eligible' } },
    { author: 'ben@example.com', decision: { outcome: 'notEligible' } },
  ]);
  await cleo.act([1], decisionOf('eligible'));
  expect(await listOf(cleo, 'decidedTwice')).toEqual([2]);
  await exchangeAll(members);
  expect(await sayAll(members, 'decidedTwice')).toEqual([[2], [2], [2]]);
  // A member who undoes their own decision leaves the other one unchanged.
  const undoable = await ben.reviews.findUndoable(workspaceId);
  await ben.reviews.undo(workspaceId, undoable?.id ?? '');
  await exchangeAll(members);
  expect(await sayAll(members, 'decidedTwice')).toEqual([[], [], []]);
  await close();
});

test('a decision by someone who had seen the other, an equal one, and one of their own are not decided twice', async () => {
  const { members, clock, close } = await openTeam('ada', 'ben');
  const [ada, ben] = members as [Member, Member];
  await ada.act([1], decisionOf('eligible'));
  await exchangeAll(members);
  clock.nowMs += 60_000;
  await ben.act([1], decisionOf('notEligible'));
  await ada.act([2], decisionOf('eligible'));
  await ben.act([2], { ...decisionOf('eligible'), reminder: '2026-05-01' });
  await ada.act([3], decisionOf('eligible'));
  await ada.act([3], decisionOf('notEligible'));
  await exchangeAll(members);
  expect(await sayAll(members, 'decidedTwice')).toEqual([[], []]);
  await close();
});

test('what was seen is what was seen at the decision, not when it was sent', async () => {
  const { members, clock, close } = await openTeam('ada', 'ben');
  const [ada, ben] = members as [Member, Member];
  await exchangeAll(members);
  await ben.act([1], decisionOf('notEligible'));
  clock.nowMs += 60_000;
  await ada.act([1], decisionOf('eligible'));
  await ada.exchange();
  // Reads Ada's decision before it sends Ben's.
  await ben.exchange();
  await ada.exchange();
  expect(await sayAll(members, 'decidedTwice')).toEqual([[1], [1]]);
  await close();
});

test('what people did before they were a team is not decided or paid twice', async () => {
  const { members, clock, close, open } = await openTeam('ada');
  const [ada] = members;
  const ben = open('ben');
  await ada.act([1], decisionOf('eligible'));
  await ada.act([1], pay());
  clock.nowMs += 60_000;
  await ben.act([1], decisionOf('notEligible'));
  await ben.act([1], pay(2_000_000, '2026-02-03'));
  await ada.exchange();
  await admit(ada, ben);
  await exchangeAll([ada, ben]);
  expect(foldOf(ben)?.payments.length).toBe(2);
  expect(await sayAll([ada, ben], 'decidedTwice')).toEqual([[], []]);
  expect(await sayAll([ada, ben], 'paidTwice')).toEqual([[], []]);
  await close();
});

test('after the server was restored, and after leaving the team, worklists match the reviews', async () => {
  const opened = await openTeam('ada', 'ben');
  const { members, clock } = opened;
  const [ada, ben] = members as [Member, Member];
  await exchangeAll(members);
  await ada.act([1], decisionOf('eligible'));
  clock.nowMs += 60_000;
  await ben.act([1], decisionOf('notEligible'));
  await exchangeAll(members);
  expect(await sayAll(members, 'decidedTwice')).toEqual([[1], [1]]);
  const again = await restoreServer(opened, 2);
  await exchangeAll(members);
  await exchangeAll(members);
  expect(await sayAll(members, 'decidedTwice')).toEqual([[1], [1]]);
  await leave(ben.ports, await ben.sessionOf());
  expect(authorsOf(ben)).toEqual([]);
  expect(await listOf(ben, 'decidedTwice')).toEqual([]);
  await again.close();
});

test('payments by two people are paid twice until one is left out or both are right', async () => {
  const { members, clock, close } = await openTeam('ada', 'ben', 'cleo');
  const [ada, ben, cleo] = members as [Member, Member, Member];
  await exchangeAll(members);
  await ada.act([1, 2, 3], pay(1_000_000));
  clock.nowMs += 60_000;
  await ben.act([1], pay(400_000, '2026-02-02'));
  await ben.act([2], pay(1_000_000));
  await exchangeAll(members);
  // The same payment is suspicious also where the other one was seen; another one is not.
  clock.nowMs += 60_000;
  await ben.act([3], pay(300_000, '2026-02-02'));
  await cleo.act([4], pay(50_000));
  await exchangeAll(members);
  await ada.act([4], pay(50_000));
  await exchangeAll(members);
  expect(await sayAll(members, 'paidTwice')).toEqual([
    [1, 2, 4],
    [1, 2, 4],
    [1, 2, 4],
  ]);
  expect(foldOf(cleo, 1)?.paidTwice).toMatchObject({ stake: 400_000 });
  const [, byBen] = foldOf(cleo, 2)?.payments ?? [];
  await cleo.act([2], {
    kind: 'settlePayments',
    leaveOut: { id: byBen?.id ?? '', amount: 1_000_000, day: '2026-02-01' },
  });
  await cleo.act([1], { kind: 'settlePayments', leaveOut: null });
  clock.nowMs += 60_000;
  await ben.exchange();
  await cleo.act([4], { ...pay(50_000), payment: 'reversed' } as ReviewAct);
  await exchangeAll(members);
  expect(await sayAll(members, 'paidTwice')).toEqual([[], [], []]);
  expect(foldOf(ada, 2)?.payments.map(({ author }) => author)).toEqual(['ada@example.com']);
  expect(foldOf(ada, 1)?.payments.length).toBe(2);
  await close();
});

test('a payments file that two people import counts each row once, and the second hears of what is there', async () => {
  const { members, clock, close } = await openTeam('ada', 'ben');
  const [ada, ben] = members as [Member, Member];
  const csv = (...claims: number[]) =>
    ['claim,amount,date', ...claims.map((claim) => `${claim},100.00,2026-02-01`)].join('\n');
  const read = (member: Member, ...claims: number[]) =>
    member.reviews.readPayments({
      workspaceId,
      file: toBytes(csv(...claims)),
      payment: 'reimbursed',
      account: '',
    });
  const record = async (member: Member, ...claims: number[]) =>
    member.reviews.recordPayments(workspaceId, (await read(member, ...claims)).selectionId);
  await exchangeAll(members);
  await record(ada, 1, 2);
  clock.nowMs += 60_000;
  await record(ben, 2, 3);
  await exchangeAll(members);
  for (const member of members) {
    expect(member.folds().map(({ claimId, payments }) => [claimId, payments.length])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect(foldOf(member, 2)?.payments[0]).toMatchObject({
      author: 'ada@example.com',
      alsoBy: [{ author: 'ben@example.com' }],
    });
  }
  expect(await sayAll(members, 'paidTwice')).toEqual([[], []]);
  const again = await read(ben, 1, 4);
  expect(again.unmatched).toEqual([
    {
      ...{ line: 2, of: '1', reason: 'recordedBefore' },
      recorded: { author: 'ada@example.com', at: expect.any(String) },
    },
  ]);
  expect(again.payments).toBe(1);
  await close();
});

test('the same person on two computers counts as two: a claim paid on both, without either seeing the other, is paid twice', async () => {
  const { members, open } = await openTeam('ada', 'ben');
  const [ada, ben] = members as [Member, Member];
  const laptop = open('laptop', { email: ada.email, ssh: ada.ssh });
  await admit(ada, laptop, 'admin');
  const all = [ada, ben, laptop];
  await exchangeAll(all);
  await ada.act([1], pay());
  await laptop.act([1], pay(500_000));
  await ada.act([2], decisionOf('eligible'));
  await laptop.act([2], decisionOf('notEligible'));
  await exchangeAll(all);
  expect(await sayAll(all, 'paidTwice')).toEqual([[1], [1], [1]]);
  expect(await sayAll(all, 'decidedTwice')).toEqual([[2], [2], [2]]);
  expect(foldOf(ben)?.paidTwice).toMatchObject({ stake: 500_000 });
  // A further payment is on purpose once the other one was read.
  await laptop.act([3], pay());
  await exchangeAll(all);
  await ada.act([3], pay(700_000));
  await exchangeAll(all);
  expect(await sayAll(all, 'paidTwice')).toEqual([[1], [1], [1]]);
});
