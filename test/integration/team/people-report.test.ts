import { expect, test } from 'vitest';
import { noneDecided, type Period, type PersonReport } from '../../../src/contract/people-report.ts';
import { describePeople } from '../../../src/main/engine/review/describe-people.ts';
import { revoke } from '../../../src/main/engine/team/change-members.ts';
import { listPeople } from '../../../src/main/engine/team/team-members.ts';
import { localDayOf } from '../../../src/rules/days.ts';
import { decidedByCondition } from '../../../src/rules/review/decided-by.ts';
import type { ReviewAct } from '../../../src/rules/review/event-kinds.ts';
import { admit, exchangeAll, openTeam } from '../../support/open-team.ts';
import { numbersOf } from '../../support/people-numbers.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf, entryOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';

const check = (agrees: boolean): ReviewAct => ({
  kind: 'check',
  agrees,
  reason: agrees ? null : 'No receipt',
});
const dayMs = 86_400_000;

/** The report as the engine makes it; every number is compared with the list that it opens. */
async function reportOf(member: Member, today: string, period: Period = { first: today, last: today }) {
  await member.reviews.updateAfterSync(workspaceId);
  const { log, computer } = await member.sessionOf();
  const people = describePeople(
    member.opened.read.readPeople({ ...period, today }),
    listPeople(log.state.members.members, computer),
    today,
  );
  for (const { name, claims, query } of numbersOf(people, period, today))
    expect([name, member.opened.list(query).length]).toEqual([name, claims]);
  return people;
}
const rowOf = (people: readonly PersonReport[], person: string, isVerified = true) =>
  people.find((one) => one.person === person && one.isVerified === isVerified);
const counts = (more: Partial<ReturnType<typeof noneDecided>['byOutcome']>, reopened = 0) => ({
  byOutcome: { ...noneDecided().byOutcome, ...more },
  claims: Object.values(more).reduce((sum, one) => sum + one, 0),
  reopened,
});

test('a person’s row counts decisions on any computer, even after leaving; undone decisions and unsigned files are separate', async () => {
  const { members, clock, open, close } = await openTeam('ada', 'ben');
  const [ada, ben] = members as [Member, Member];
  const laptop = open('ben-laptop', { email: ben.email, ssh: ben.ssh });
  await admit(ada, laptop);
  const today = localDayOf(new Date(clock.nowMs));
  await ada.act([1, 2], decisionOf('eligible'));
  const undone = await ada.act([3], decisionOf('disputed'));
  await ada.reviews.undo(workspaceId, undone);
  // Ben had not seen the decision: claim 2 is decided twice.
  await ben.act([2], decisionOf('notEligible'));
  await laptop.act([3], decisionOf('disputed'));
  await laptop.act([4], { kind: 'owner', owner: 'Plan administrator' });
  await exchangeAll([ada, ben, laptop]);
  clock.nowMs += 60_000;
  await ada.act([3], check(false));
  ada.operations.importReviews({
    workspaceId,
    nowMs: clock.nowMs,
    entries: [
      entryOf('of-a-file', decisionOf('eligible'), {
        author: ben.email,
        at: new Date(clock.nowMs).toISOString(),
        claims: [[4, null, null, null]],
      }),
    ],
  });
  await revoke(ada.ports, await ada.sessionOf(), { email: ben.email });
  const people = await reportOf(ada, today);
  expect(people.map(({ kind, person, isVerified, isYou }) => [kind, person, isVerified, isYou])).toEqual([
    ['member', ada.email, true, true],
    ['former', ben.email, true, false],
    ['outsider', ben.email, false, false],
    ['unassigned', '', true, false],
  ]);
  expect(rowOf(people, ada.email)).toMatchObject({ decided: counts({ eligible: 2 }), checked: 0 });
  expect(rowOf(people, ben.email)).toMatchObject({
    decided: counts({ notEligible: 1, disputed: 1 }),
    days: [{ day: today, ...counts({ notEligible: 1, disputed: 1 }) }],
    ...{ checked: 1, disagreed: 1 },
  });
  expect(rowOf(people, ben.email, false)?.decided).toEqual(counts({ eligible: 1 }));
  // Claim 3 is open again for its reviewer; claim 4 is done, whatever its owner.
  expect(rowOf(people, ben.email)?.open).toEqual([0, 0, 0, 0, 1]);
  await close();
});

test('a claim that a sync changed counts as reopened, that day and later; a removed one is not counted', async () => {
  const { members, clock, close } = await openTeam('ada', 'ben');
  const [ada, ben] = members as [Member, Member];
  const [noon, today] = [new Date(clock.nowMs), localDayOf(new Date(clock.nowMs))];
  // The last minute of the day, and the first of the next one.
  clock.nowMs = new Date(noon.getFullYear(), noon.getMonth(), noon.getDate(), 23, 59, 30).getTime();
  await ben.act([1, 2, 3], decisionOf('eligible'));
  clock.nowMs += 60_000;
  await ben.act([4], decisionOf('eligible'));
  await exchangeAll(members);
  const tomorrow = localDayOf(new Date(clock.nowMs));
  clock.nowMs += dayMs;
  for (const member of members)
    member.opened.ingest('claims', [{ id: 1, status: 'Processed', amount_paid: 99 }]);
  await exchangeAll(members);
  const whole = { first: today, last: tomorrow };
  const decidedBy = async (period: Period) =>
    rowOf(await reportOf(ada, localDayOf(new Date(clock.nowMs)), period), ben.email)?.decided;
  expect(await decidedBy({ first: today, last: today })).toEqual(counts({ eligible: 3 }, 1));
  expect(await decidedBy({ first: tomorrow, last: tomorrow })).toEqual(counts({ eligible: 1 }));
  expect(await decidedBy(whole)).toEqual(counts({ eligible: 4 }, 1));
  // Ada decides it: Ben’s decision stays reopened, and hers is not.
  await ada.act([1], decisionOf('disputed'));
  expect(await decidedBy(whole)).toEqual(counts({ eligible: 4 }, 1));

  // The record is deleted, then the history; a removal rewrites the records, without the copy of reviews.
  ada.opened.database.prepare('DELETE FROM claims WHERE id=?').run(1);
  expect(await decidedBy(whole)).toEqual(counts({ eligible: 3 }));
  ada.operations.forgetWritten({ workspaceId, claimIds: [2] });
  ada.opened.database.prepare("DELETE FROM sync_state WHERE name='reviews'").run();
  expect(await decidedBy(whole)).toEqual(counts({ eligible: 2 }));
  const anyone = decidedByCondition({ kind: 'decided', ...whole, author: null });
  expect(ada.opened.list({ entity: 'claims', conditions: [anyone], includesMissing: true })).toEqual([3, 4]);
  await close();
});
