import { expect, test } from 'vitest';
import { leave, setRole } from '../../../src/main/engine/team/change-members.ts';
import type { ReviewAct } from '../../../src/rules/review/event-kinds.ts';
import { worklistQuery } from '../../../src/rules/worklists/worklist-table.ts';
import { makeSetupCode } from '../../../src/team-server/server.ts';
import { admit, exchangeAll, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf, entryOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';
import { updateStore } from '../../support/update-store.ts';

const claimIds = Array.from({ length: 60 }, (_none, index) => index + 1);
const check = (agrees: boolean): ReviewAct => ({
  kind: 'check',
  agrees,
  reason: agrees ? null : 'No receipt',
});
const secondOf = (member: Member, claimId: number) =>
  member.folds().find((one) => one.claimId === claimId)?.secondBy;

/** Claims of which many are in the sample. */
const addClaims = (member: Member) =>
  member.opened.ingest(
    'claims',
    claimIds.map((id) => ({ id, status: 'Processed', amount_paid: 10, patient_responsibility: 6000 })),
  );
/** The claims that wait for a second person, as after the next look at the worklist. */
async function listToCheck(member: Member): Promise<number[]> {
  await member.reviews.updateAfterSync(workspaceId);
  updateStore(member.opened, '2026-03-02');
  return member.opened.list(worklistQuery('qualityCheck')).sort((one, other) => one - other);
}
/** Imports a file without signatures. */
const takeFile = (member: Member, of: readonly number[], author: string, fact: ReviewAct) =>
  member.operations.importReviews({
    workspaceId,
    nowMs: member.ports.now(workspaceId),
    entries: [
      entryOf(`of-${author}`, fact, {
        author,
        at: new Date(member.ports.now(workspaceId)).toISOString(),
        claims: of.map((claimId) => [claimId, null, null, null]),
      }),
    ],
  });

test('a quality check counts on all computers if a second member made it, and nowhere otherwise', async () => {
  const { members, clock, close } = await openTeam('ada', 'ben');
  const [ada, ben] = members as [Member, Member];
  for (const one of members) addClaims(one);
  await ada.act(claimIds, decisionOf('eligible'));
  await exchangeAll(members);
  const toCheck = await listToCheck(ben);
  expect(await listToCheck(ada)).toEqual(toCheck);
  const [first, second, third, ...rest] = toCheck as [number, number, number, ...number[]];
  clock.nowMs += 60_000;
  for (const agrees of [true, false])
    await expect(ada.act([first], check(agrees))).rejects.toMatchObject({ code: 'review.notToCheck' });
  await ben.act([first], check(true));
  // The entries in a file by Ben and by a stranger are not signed.
  takeFile(ada, [second], ben.email, check(true));
  takeFile(ada, [third], 'zed@example.com', decisionOf('eligible'));
  await exchangeAll(members);
  for (const one of members) {
    expect([first, second, third].map((id) => secondOf(one, id))).toEqual([ben.email, null, null]);
    expect(await listToCheck(one)).toEqual([second, third, ...rest]);
  }
  await close();
});

test('a check in a file counts until a workspace has a team, and once its author is in the team', async () => {
  const { server, origin, clock, open, close } = await openTeam('nobody');
  const [ada, ben] = [open('ada'), open('ben')];
  for (const one of [ada, ben]) addClaims(one);
  takeFile(ada, claimIds, 'yan@example.com', decisionOf('eligible'));
  const [first, second] = (await listToCheck(ada)) as [number, number];
  clock.nowMs += 60_000;
  takeFile(ada, [second], 'zed@example.com', decisionOf('eligible'));
  // Ben has these decisions and makes his check, and Ada has it, by files.
  const entriesOf = (member: Member) =>
    member.operations.readReviewEntries({ workspaceId, after: null, limit: 1_000 }).entries;
  ben.operations.importReviews({ workspaceId, nowMs: clock.nowMs, entries: entriesOf(ada) });
  await ben.act([first], check(true));
  ada.operations.importReviews({ workspaceId, nowMs: clock.nowMs, entries: entriesOf(ben).slice(-1) });
  const checked = await listToCheck(ada);
  expect([first, second].filter((id) => checked.includes(id))).toEqual([]);
  await ada.create(origin, await makeSetupCode(server.store, clock.nowMs));
  await ada.exchange();
  expect([first, second].map((id) => secondOf(ada, id))).toEqual([null, null]);
  expect(await listToCheck(ada)).toEqual(expect.arrayContaining([first, second]));
  await admit(ada, ben);
  await exchangeAll([ada, ben]);
  for (const one of [ada, ben]) {
    expect([first, second].map((id) => secondOf(one, id))).toEqual([ben.email, null]);
    const left = await listToCheck(one);
    expect([first, second].filter((id) => left.includes(id))).toEqual([second]);
  }
  await setRole(ada.ports, await ada.sessionOf(), { email: ben.email, role: 'admin' });
  await leave(ada.ports, await ada.sessionOf());
  expect(secondOf(ada, second)).toBe('zed@example.com');
  expect(await listToCheck(ada)).not.toContain(second);
  await close();
});

test('acts on claims in a file do not count as already recorded, so that a team receives the same act', async () => {
  const { members, clock, close } = await openTeam('ada', 'ben');
  const [ada, ben] = members as [Member, Member];
  for (const one of members) addClaims(one);
  const [first, second] = claimIds as [number, number];
  takeFile(ada, [first], ada.email, decisionOf('eligible'));
  takeFile(ada, [second], 'zed@example.com', { kind: 'flag', isFlagged: true });
  clock.nowMs += 60_000;
  expect(await ada.act([first], decisionOf('eligible'))).not.toBeNull();
  expect(await ada.act([second], { kind: 'flag', isFlagged: true })).not.toBeNull();
  await exchangeAll(members);
  expect(ben.folds().map(({ claimId, outcome, isFlagged }) => [claimId, outcome, isFlagged])).toEqual([
    [first, 'eligible', false],
    [second, null, true],
  ]);
  await close();
});
