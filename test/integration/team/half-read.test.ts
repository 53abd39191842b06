import { expect, test } from 'vitest';
import { admit, exchangeAll, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { fuzzRuns, testBytes } from '../../support/seeds.ts';
import type { Member } from '../../support/team-member.ts';

const dayMs = 86_400_000;
const claimIds = [1, 2, 3, 4];

type Team = Awaited<ReturnType<typeof openTeam>>;

/** Makes a checkpoint and has it confirmed. */
async function agree({ members }: Team): Promise<void> {
  const [maker, other] = members as [Member, Member];
  expect(await (await maker.sessionOf()).tendCheckpoints(1)).toBe(true);
  await other.exchange();
  expect(await (await other.sessionOf()).tendCheckpoints(1)).toBe(true);
  await maker.exchange();
}

/** Years of acts of two people, the same for the same number; a few of the last ones are not old. */
async function openYears(number: number): Promise<Team> {
  const team = await openTeam('ana', 'ben');
  const bytes = testBytes(3 * 16, number);
  for (let at = 0; at < bytes.length; at += 3) {
    const [who = 0, which = 0, what = 0] = bytes.subarray(at, at + 3);
    team.clock.nowMs += (at === 3 * 12 ? 420 : 10) * dayMs;
    const member = team.members[who % 2] as Member;
    const some = claimIds.filter((claimId) => (which >> claimId) % 2 === 1);
    const about = some.length === 0 ? [(which % 4) + 1] : some;
    const day = new Date(team.clock.nowMs).toISOString().slice(0, 10);
    const payment = { kind: 'payment', payment: 'reimbursed', amount: 10_000, day, account: '' } as const;
    if (what % 4 === 0) await member.act(about.slice(0, 1), payment);
    else if (what % 4 === 1) await member.act(about, { kind: 'note', text: `Note ${at}` });
    else await member.act(about, decisionOf(what % 4 === 2 ? 'eligible' : 'notEligible'));
    await exchangeAll(team.members);
  }
  await agree(team);
  return team;
}

/** What is decided and paid of claims, by claim. */
const standings = (member: Member) =>
  new Map(
    member.folds().map(({ claimId, state, outcome, payments }) => [claimId, { state, outcome, payments }]),
  );
const lockedOn = (member: Member): number[] =>
  member.operations.findLocked({ workspaceId, claimIds }).unread.sort();

/** What lists have of claims, by claim; `failure`: why they have nothing of its reviews. */
const listed = ({ opened }: Member) =>
  new Map(
    (
      opened.database
        .prepare('SELECT claim_id, failure, state, outcome, reimbursed FROM claim_reviews')
        .raw()
        .all() as [number, string | null, ...unknown[]][]
    ).map(([claimId, failure, ...rest]) => [claimId, { failure, rest }]),
  );

/**
 * A claim whose state is not the one of the team can't be decided and, once the early parts are read, is not listed as if nothing was
 * decided of it. Returns how many claims are locked.
 */
async function checkHalfRead(joining: Member, { members: [ana] }: Team): Promise<number> {
  const behind = joining.operations.readBehindPosition({ workspaceId });
  if (behind === null) return 0;
  await joining.ports.settle(workspaceId);
  const [own, wanted] = [listed(joining), listed(ana)];
  if (behind.parts >= (JSON.parse(behind.act) as { early: number }).early)
    for (const claimId of claimIds)
      if ((own.get(claimId)?.failure ?? null) === null) expect(own.get(claimId)).toEqual(wanted.get(claimId));
  const [here, all, locked] = [standings(joining), standings(ana), lockedOn(joining)];
  for (const claimId of claimIds)
    if (!locked.includes(claimId)) expect([claimId, here.get(claimId)]).toEqual([claimId, all.get(claimId)]);
  for (const claimId of locked)
    await expect(joining.act([claimId], decisionOf('eligible'))).rejects.toMatchObject({
      code: 'review.unread',
    });
  return locked.length;
}

test.each(Array.from({ length: fuzzRuns(4) }, (_none, index) => index + 1))(
  'a computer that is killed at each step of its first reading decides no claim whose reviews it has not read: %i',
  async (number) => {
    const team = await openYears(number);
    const [ana] = team.members;
    let cleo = team.open('cleo');
    cleo.network.before = async (_method, path) => {
      if (path.endsWith('/parts/0')) throw new TypeError('cut');
    };
    await admit(ana, cleo).catch(() => undefined);
    delete cleo.network.before;
    const counts = new Set<number>();
    for (let killedAt = 1, isDone = false; !isDone; killedAt += 1) {
      cleo = cleo.startAgain();
      let steps = 0;
      cleo.network.step = () => {
        steps += 1;
        if (steps === killedAt) throw new Error('killed');
      };
      const read = async (): Promise<boolean> => {
        await cleo.exchange();
        return !(await (await cleo.sessionOf()).readBehind());
      };
      isDone = await read().catch(() => false);
      delete cleo.network.step;
      counts.add(await checkHalfRead(cleo, team));
    }
    // Before the early parts all claims are locked, and at the end none.
    expect([...counts]).toEqual(expect.arrayContaining([0, claimIds.length]));
    expect(cleo.folds()).toEqual(ana.folds());
    expect(lockedOn(cleo)).toEqual([]);
    expect(cleo.failures).toEqual([]);
  },
);

test('what is final since long is read last, also where an act on many claims concerns an open claim', async () => {
  const team = await openTeam('ana', 'ben');
  const [ana, ben] = team.members as [Member, Member];
  await ana.act([1, 2], decisionOf('notEligible'));
  await ben.act([3, 4], decisionOf('eligible'));
  // One event about a claim that is open and one that is not: the early parts have it, for both.
  await ben.act([1, 3], { kind: 'note', text: 'Call the carrier.' });
  const day = new Date(team.clock.nowMs).toISOString().slice(0, 10);
  await ana.act([4], { kind: 'payment', payment: 'reimbursed', amount: 10_000, day, account: '' });
  await exchangeAll(team.members);
  team.clock.nowMs += 420 * dayMs;
  await agree(team);
  const cleo = team.open('cleo');
  await admit(ana, cleo);
  expect(lockedOn(cleo)).toEqual([1, 2, 4]);
  expect(cleo.operations.countUnread({ workspaceId })).toBe(3);
  expect(standings(cleo).get(3)).toEqual(standings(ana).get(3));
  // Lists have these as claims of which something could not be computed, not as claims to decide.
  const failuresOf = () =>
    cleo.opened.database.prepare('SELECT claim_id, failure FROM claim_reviews ORDER BY claim_id').raw().all();
  const failure = 'Review: still being read from the team';
  expect(failuresOf()).toEqual([1, 2, 3, 4].map((claimId) => [claimId, claimId === 3 ? null : failure]));
  expect(standings(cleo).get(1)?.state).toBeNull();
  const done = await cleo.reviews.act(workspaceId, { claimIds: [1, 2, 3] }, decisionOf('notEligible'));
  expect(done).toMatchObject({ claims: 1, leftOut: [1, 2] });
  await expect(cleo.act([4], decisionOf('eligible'))).rejects.toMatchObject({ code: 'review.unread' });
  await cleo.act([4], { kind: 'note', text: 'Paid?' });
  while (await (await cleo.sessionOf()).readBehind());
  expect(lockedOn(cleo)).toEqual([]);
  expect(failuresOf()).toEqual([1, 2, 3, 4].map((claimId) => [claimId, null]));
  await exchangeAll([...team.members, cleo]);
  expect(cleo.folds()).toEqual(ana.folds());
  expect(cleo.failures).toEqual([]);
});

test('a checkpoint that lists too few claims as late is found by the computer that is to confirm it', async () => {
  const team = await openTeam('ana', 'ben');
  const [ana, ben] = team.members as [Member, Member];
  await ana.act([1, 2], decisionOf('notEligible'));
  await exchangeAll(team.members);
  team.clock.nowMs += 420 * dayMs;
  const { getUserData } = ana.ports;
  Object.assign(ana.ports, {
    getUserData: async (id: string) => {
      const userData = await getUserData(id);
      const call = async (op: never, input: never): Promise<unknown> => {
        const read = (await userData.call(op, input)) as object;
        return op === 'readCounting' ? { ...read, late: [2] } : read;
      };
      return { ...userData, call };
    },
  });
  ana.restart();
  await ana.exchange();
  await agree(team);
  expect(ben.failures.map((one) => (one as { code: string }).code)).toEqual(['team.checkpointDiffers']);
});

test('whoever leaves a team while reviews are still being read has no claim that waits for them', async () => {
  const team = await openTeam('ana', 'ben');
  const [ana] = team.members as [Member, Member];
  await ana.act([1, 2], decisionOf('notEligible'));
  await exchangeAll(team.members);
  team.clock.nowMs += 420 * dayMs;
  await agree(team);
  const cleo = team.open('cleo');
  await admit(ana, cleo);
  expect(lockedOn(cleo)).toEqual([1, 2]);
  cleo.operations.forgetTeam({ workspaceId });
  expect(lockedOn(cleo)).toEqual([]);
  await cleo.ports.settle(workspaceId);
  expect(cleo.folds().map(({ failure }) => failure)).toEqual(cleo.folds().map(() => null));
  const rows = cleo.opened.database.prepare('SELECT failure FROM claim_reviews').pluck().all();
  expect(rows.filter((failure) => failure !== null)).toEqual([]);
  expect(cleo.file.database.prepare('SELECT count(*) FROM team_unread_claims').pluck().get()).toBe(0);
});
