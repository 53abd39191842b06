import { expect, test } from 'vitest';
import { requireRead } from '../../../src/main/engine/team/require-writer.ts';
import { admit, exchangeAll, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { fuzzRuns, testBytes } from '../../support/seeds.ts';
import type { Member } from '../../support/team-member.ts';

const dayMs = 86_400_000;
const claimIds = [1, 2, 3, 4];
const stillReading = { code: 'team.stillReading' };

type Team = Awaited<ReturnType<typeof openTeam>>;

/** Makes a checkpoint and has it confirmed. */
async function agree({ members }: Team): Promise<void> {
  const [maker, other] = members as [Member, Member];
  expect(await (await maker.sessionOf()).tendCheckpoints(1)).toBe(true);
  await other.exchange();
  expect(await (await other.sessionOf()).tendCheckpoints(1)).toBe(true);
  await maker.exchange();
}

/** Years of acts of two people, the same for the same number; a few of the last ones are after the checkpoint. */
async function openYears(number: number): Promise<Team> {
  const team = await openTeam('ana', 'ben');
  const bytes = testBytes(3 * 16, number);
  for (let at = 0; at < bytes.length; at += 3) {
    if (at === 3 * 12) await agree(team);
    const [who = 0, which = 0, what = 0] = bytes.subarray(at, at + 3);
    team.clock.nowMs += (at === 3 * 8 ? 420 : 10) * dayMs;
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
  return team;
}

/** What is decided and paid of claims, by claim. */
const standings = (member: Member) =>
  member
    .folds()
    .map(({ claimId, state, outcome, payments, notes }) => ({ claimId, state, outcome, payments, notes }));

/** Whether acts are allowed here: then all that counts in the team is here. */
async function mayAct(member: Member, ana: Member): Promise<boolean> {
  try {
    requireRead(await member.sessionOf());
  } catch (thrown) {
    expect(thrown).toMatchObject(stillReading);
    const before = member.unsent();
    await expect(member.act([1], decisionOf('eligible'))).rejects.toMatchObject(stillReading);
    expect(member.unsent()).toBe(before);
    return false;
  }
  expect(standings(member)).toEqual(standings(ana));
  return true;
}

/** Lets Cleo join whose network is cut where `path` is asked for. */
async function joinCut(team: Team, isCut: (path: string) => boolean): Promise<Member> {
  const cleo = team.open('cleo');
  cleo.network.before = async (_method, path) => {
    if (isCut(path)) throw new TypeError('cut');
  };
  await admit(team.members[0], cleo).catch(() => undefined);
  return cleo;
}

test.each(Array.from({ length: fuzzRuns(4) }, (_none, index) => index + 1))(
  'a computer that is killed at each step of its first reading acts on nothing before it has read all that counts: %i',
  async (number) => {
    const team = await openYears(number);
    const [ana] = team.members;
    let cleo = await joinCut(team, (path) => path.endsWith('/parts/0'));
    delete cleo.network.before;
    const seen = new Set<boolean>();
    for (let killedAt = 1, isDone = false; !isDone; killedAt += 1) {
      cleo = cleo.startAgain();
      await cleo.sessionOf();
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
      seen.add(await mayAct(cleo, ana));
    }
    expect(seen).toEqual(new Set([false, true]));
    expect(cleo.folds()).toEqual(ana.folds());
    expect(cleo.failures).toEqual([]);
  },
);

test('until everything is read, each kind of act is refused before it writes anything, and rules decide nothing', async () => {
  const team = await openYears(1);
  const cleo = await joinCut(team, (path) => path.endsWith('/parts/0'));
  const { reviews } = cleo;
  const [first] = await cleo.history();
  const acts: (() => Promise<unknown>)[] = [
    () => reviews.act(workspaceId, { claimIds: [2] }, decisionOf('eligible')),
    () => reviews.act(workspaceId, { claimIds: [2] }, { kind: 'note', text: 'Call' }),
    () => reviews.undo(workspaceId, first?.id ?? 'none'),
    () => reviews.makeRun(workspaceId, { selectionId: 's', name: 'May', account: '', offsets: true }),
    () => reviews.stepRun(workspaceId, 'r', { kind: 'record', day: '2026-05-01' }),
    () => reviews.leaveHeld(workspaceId, 'r'),
    () => reviews.recordPayments(workspaceId, 's'),
    () => reviews.undoRule(workspaceId, 'r', null),
    () => reviews.checkAttach(workspaceId, 1),
  ];
  for (const act of acts) await expect(act()).rejects.toMatchObject(stillReading);
  expect(cleo.unsent()).toBe(0);
  delete cleo.network.before;
  await cleo.exchange();
  await cleo.act([2], decisionOf('disputed'));
  await exchangeAll([...team.members, cleo]);
  expect(standings(cleo)).toEqual(standings(team.members[0]));
});

test('the log after the checkpoint is read before any act, whenever the network fails', async () => {
  const team = await openTeam('ana', 'ben');
  const [ana, ben] = team.members as [Member, Member];
  await ana.act([1], decisionOf('notEligible'));
  await exchangeAll(team.members);
  await agree(team);
  await ben.act([2], decisionOf('notEligible'));
  await exchangeAll(team.members);
  let isAfter = false;
  let cleo = await joinCut(team, (path) => {
    isAfter ||= path.includes('/parts/');
    return isAfter && path.endsWith('/entries');
  });
  expect(cleo.folds().map(({ claimId }) => claimId)).toEqual([1]);
  expect(await mayAct(cleo, ana)).toBe(false);
  cleo = cleo.startAgain();
  expect(await mayAct(cleo, ana)).toBe(false);
  delete cleo.network.before;
  await cleo.exchange();
  expect(await mayAct(cleo, ana)).toBe(true);
});

test('if a checkpoint ends while it is read, no act is possible before the whole log was read', async () => {
  const team = await openYears(2);
  const [ana] = team.members;
  let cleo = await joinCut(team, (path) => path.endsWith('/parts/0'));
  const { number } = JSON.parse(cleo.operations.readBehindPosition({ workspaceId })?.act ?? '{}');
  await team.database.all('DELETE FROM parts WHERE number=$1', [number + 1]);
  let isAfter = false;
  cleo.network.before = async (_method, path) => {
    isAfter ||= path.endsWith('/parts/0');
    if (isAfter && path.endsWith('/entries')) throw new TypeError('cut');
  };
  await cleo.exchange().catch(() => undefined);
  expect(cleo.operations.readBehindPosition({ workspaceId })).toBeNull();
  expect(await mayAct(cleo, ana)).toBe(false);
  cleo = cleo.startAgain();
  expect(await mayAct(cleo, ana)).toBe(false);
  delete cleo.network.before;
  await cleo.exchange();
  expect(await mayAct(cleo, ana)).toBe(true);
  expect(cleo.failures).toEqual([]);
});

test('if a checkpoint that two computers made was wrong, no act is possible from then until the log was read', async () => {
  const team = await openYears(3);
  const [ana, ben] = team.members as [Member, Member];
  const note = await ben.act([2], { kind: 'note', text: 'Paid by check' });
  await exchangeAll(team.members);
  for (const one of team.members) {
    const { getUserData } = one.ports;
    const seq = one.file.database.prepare('SELECT seq FROM review_events WHERE id=?').pluck().get(note);
    Object.assign(one.ports, {
      getUserData: async (id: string) => {
        const userData = await getUserData(id);
        const call = async (op: never, input: never): Promise<unknown> => {
          const read = (await userData.call(op, input)) as { seqs: number[] };
          return op === 'readCounting' ? { ...read, seqs: read.seqs.filter((each) => each !== seq) } : read;
        };
        return { ...userData, call };
      },
    });
    one.restart();
    await one.exchange();
  }
  await agree(team);
  let cleo = team.open('cleo');
  await admit(ana, cleo);
  while (await (await cleo.sessionOf()).readBehind());
  expect(cleo.failures).toMatchObject([{ code: 'team.checkpointDiffers' }]);
  expect(await mayAct(cleo, ana)).toBe(false);
  cleo = cleo.startAgain();
  expect(await mayAct(cleo, ana)).toBe(false);
  await cleo.exchange();
  expect(await mayAct(cleo, ana)).toBe(true);
});

test('a computer that lost what it had read of its team allows no act before it has read that again', async () => {
  const team = await openYears(4);
  const [ana, ben] = team.members as [Member, Member];
  ben.operations.forgetTeam({ workspaceId });
  const restored = ben.startAgain();
  expect(await mayAct(restored, ana)).toBe(false);
  await restored.exchange();
  expect(await mayAct(restored, ana)).toBe(true);
});
