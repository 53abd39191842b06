import { expect, test } from 'vitest';
import { type CheckpointAct, readCheckpoint } from '../../../src/team-protocol/checkpoint.ts';
import { readHeader } from '../../../src/team-protocol/entry.ts';
import { admit, exchangeAll, openTeam, restoreServer } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';
import { removeAs } from '../../support/team-removal.ts';

const stateOf = async (member: Member) => (await member.sessionOf()).log.state;
const tend = async (member: Member, every = 1) => (await member.sessionOf()).tendCheckpoints(every);
const readRest = async (member: Member): Promise<number> => {
  let count = 0;
  while (await (await member.sessionOf()).readBehind()) count += 1;
  return count;
};

/** A team in which much was done, and a checkpoint that a second person confirmed. */
async function openOldTeam() {
  const team = await openTeam('ana', 'ben');
  const [ana, ben] = team.members as [Member, Member];
  const later = (): void => {
    team.clock.nowMs += 60_000;
  };
  for (const outcome of ['eligible', 'disputed', 'notEligible', 'eligible'] as const) {
    for (const claimId of [1, 2]) {
      later();
      await ana.act([claimId], decisionOf(outcome));
    }
    later();
    await ben.act([1, 2, 3], decisionOf(outcome));
    await exchangeAll(team.members);
  }
  later();
  const note = await ben.act([2], { kind: 'note', text: 'Zoë asked' });
  await ana.act([3], { kind: 'flag', isFlagged: true });
  later();
  await ana.act([3], { kind: 'flag', isFlagged: false });
  await ana.act([1], {
    kind: 'payment',
    payment: 'reimbursed',
    amount: 10_000,
    day: '2026-02-01',
    account: '',
  });
  await exchangeAll(team.members);
  return { ...team, ana, ben, later, note };
}

/** Makes a checkpoint and has it confirmed. */
async function agree(maker: Member, other: Member): Promise<void> {
  expect(await tend(maker)).toBe(true);
  await other.exchange();
  expect(await tend(other)).toBe(true);
  await maker.exchange();
}

async function listActs({ server, team }: Awaited<ReturnType<typeof openTeam>>) {
  const entries = await server.store.readEntries(team, 0, { count: 500, bytes: 1e7 }, 'checkpoint');
  return entries.map(({ header, head }) => {
    const read = readHeader(header);
    return read === null ? null : (readCheckpoint(read, head) as CheckpointAct);
  });
}

test('a computer that joins begins with the newest checkpoint, and has the whole log at its end', async () => {
  const team = await openOldTeam();
  const { ana, ben, later } = team;
  await agree(ana, ben);
  expect(await listActs(team)).toMatchObject([{ act: 'make' }, { act: 'judge', isRight: true }]);
  later();
  await ben.act([4], decisionOf('eligible'));
  await ben.exchange();
  const cleo = team.open('cleo');
  const read: string[] = [];
  cleo.network.before = async (_method, path) => void read.push(path);
  await admit(ana, cleo);
  await exchangeAll(team.members);
  const { behind, position } = await stateOf(cleo);
  expect(behind).toMatchObject({ number: 0 });
  expect(position.number).toBe((await stateOf(ana)).position.number);
  // The state that counts is the same; what was decided before is still missing.
  const shown = (member: Member) =>
    member.folds().map(({ decisions: _decisions, checks: _checks, ...fold }) => fold);
  expect(shown(cleo)).toEqual(shown(ana));
  expect((await cleo.history()).length).toBeLessThan((await ana.history()).length);
  await readRest(cleo);
  expect((await stateOf(cleo)).behind).toBeNull();
  expect(cleo.folds()).toEqual(ana.folds());
  expect((await cleo.history()).map(({ id }) => id)).toEqual((await ana.history()).map(({ id }) => id));
  expect([cleo.failures, ana.failures, ben.failures]).toEqual([[], [], []]);
  // From then on it is a computer as any other, also after a new start.
  await cleo.act([2], decisionOf('disputed'));
  await cleo.exchange();
  await exchangeAll(team.members);
  expect(ana.folds()).toEqual(cleo.folds());
});

/** Has a computer read something else from its file than it has, as a program that was changed does. */
function bend(member: Member, name: string, change: (read: never) => unknown): void {
  const { getUserData } = member.ports;
  Object.assign(member.ports, {
    getUserData: async (id: string) => {
      const userData = await getUserData(id);
      const call = async (op: never, input: never): Promise<unknown> => {
        const read = (await userData.call(op, input)) as never;
        return op === name ? change(read) : read;
      };
      return { ...userData, call };
    },
  });
  member.restart();
}
const codesOf = ({ failures }: Member) => failures.map((one) => (one as { code: string }).code);
const joinAndRead = async (team: Awaited<ReturnType<typeof openOldTeam>>): Promise<Member> => {
  const cleo = team.open('cleo');
  await admit(team.ana, cleo);
  await readRest(cleo);
  await cleo.exchange();
  return cleo;
};
const leaveOutNote = (member: Member, note: string) => {
  const [seq] = member.file.database.prepare('SELECT seq FROM review_events WHERE id=?').pluck().all(note);
  return (read: { seqs: number[] }) => ({ ...read, seqs: read.seqs.filter((one) => one !== seq) });
};

test('the computer that confirms a checkpoint finds what it leaves out, and no one begins with it', async () => {
  const team = await openOldTeam();
  const { ana, ben, note } = team;
  bend(ana, 'readCounting', leaveOutNote(ana, note));
  await ana.exchange();
  await agree(ana, ben);
  expect(codesOf(ben)).toEqual(['team.checkpointDiffers']);
  expect((await listActs(team)).at(-1)).toMatchObject({ act: 'judge', isRight: false });
  const cleo = await joinAndRead(team);
  expect(codesOf(cleo)).toEqual([]);
  expect(cleo.folds()).toEqual(ben.folds());
});

test('what two computers leave out together is found by a computer that began with it, once it has the log', async () => {
  const team = await openOldTeam();
  const { ana, ben, note } = team;
  for (const one of [ana, ben]) {
    bend(one, 'readCounting', leaveOutNote(one, note));
    await one.exchange();
  }
  await agree(ana, ben);
  const cleo = await joinAndRead(team);
  expect(codesOf(cleo)).toEqual(['team.checkpointDiffers']);
  expect(cleo.folds()).toEqual(ben.folds());
});

test('no one can add another version of their own act to a checkpoint', async () => {
  const team = await openOldTeam();
  const { ana, ben } = team;
  bend(ana, 'readCountingEvents', (read: { event: { kind: string; fact: string; is_imported: number } }[]) =>
    read.map((one) =>
      one.event.kind === 'payment'
        ? { ...one, event: { ...one.event, fact: one.event.fact.replace('10000', '99990000') } }
        : one,
    ),
  );
  await ana.exchange();
  await agree(ana, ben);
  const cleo = await joinAndRead(team);
  expect(codesOf(cleo)).toContain('team.checkpointDiffers');
  expect(cleo.folds().find(({ claimId }) => claimId === 1)?.payments).toMatchObject([{ amount: 10_000 }]);
});

test('a removal ends the checkpoints before it: the server deletes their parts, and the next one contains nothing of it', async () => {
  const team = await openOldTeam();
  const { ana, ben, server } = team;
  await agree(ana, ben);
  const [made] = await server.store.readEntries(team.team, 0, { count: 1, bytes: 1e7 }, 'checkpoint');
  const id = readHeader(made?.header ?? '')?.id ?? '';
  expect(await server.store.readPart(team.team, id, 0)).not.toBeNull();
  await removeAs(ana, { kind: 'everything' });
  expect(await server.store.readPart(team.team, id, 0)).toBeNull();
  await exchangeAll(team.members);
  await agree(ben, ana);
  const cleo = await joinAndRead(team);
  expect(codesOf(cleo)).toEqual([]);
  expect(cleo.folds()).toEqual([]);
});

test('a computer that ends while it reads what precedes its checkpoint continues from there', async () => {
  const team = await openOldTeam();
  const { ana, ben } = team;
  await agree(ana, ben);
  let cleo = team.open('cleo');
  await admit(ana, cleo);
  cleo = cleo.startAgain();
  await cleo.exchange();
  await (await cleo.sessionOf()).readBehind();
  cleo = cleo.startAgain();
  await cleo.exchange();
  await readRest(cleo);
  expect(cleo.folds()).toEqual(ana.folds());
  expect(cleo.operations.readBehindPosition({ workspaceId })).toBeNull();
});

test('if the server loses what came after a checkpoint, what precedes it is read anyway', async () => {
  const team = await openOldTeam();
  const { ana, ben, server } = team;
  await agree(ana, ben);
  const { number } = (await stateOf(ana)).position;
  const cleo = team.open('cleo');
  await admit(ana, cleo);
  await exchangeAll([ana, ben]);
  expect((await stateOf(cleo)).behind).not.toBeNull();
  const again = await restoreServer(team, number);
  for (const member of [ana, ben, cleo]) await member.exchange().catch(() => undefined);
  await exchangeAll([ana, ben]);
  await cleo.exchange();
  await readRest(cleo);
  expect(again.server).not.toBe(server);
  expect(cleo.folds()).toEqual(ana.folds());
  expect((await cleo.history()).map(({ id }) => id)).toEqual((await ana.history()).map(({ id }) => id));
  expect(codesOf(cleo)).not.toContain('team.checkpointDiffers');
});

test('a checkpoint that a removal ends while a computer reads it is not a wrong one: the log is read instead', async () => {
  const team = await openOldTeam();
  const { ana, ben } = team;
  await agree(ana, ben);
  const cleo = team.open('cleo');
  cleo.network.before = async (method, path) => {
    if (method === 'GET' && path.endsWith('/parts/0')) throw new TypeError('cut');
  };
  await admit(ana, cleo).catch(() => undefined);
  delete cleo.network.before;
  await removeAs(ana, { kind: 'member', memberId: 404 });
  await exchangeAll([ana, ben, cleo]);
  await readRest(cleo);
  expect(cleo.folds()).toEqual(ana.folds());
  expect(codesOf(cleo)).toEqual([]);
});
