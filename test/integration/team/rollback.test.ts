import { expect, test } from 'vitest';
import { revoke, setRole } from '../../../src/main/engine/team/change-members.ts';
import { createLogChecker } from '../../../src/main/engine/team/check-log.ts';
import { followLog } from '../../../src/main/engine/team/follow-log.ts';
import { listAdmins } from '../../../src/main/engine/team/kept-members.ts';
import { readKnownLogs } from '../../../src/main/engine/team/rewound-logs.ts';
import { findMember } from '../../../src/team-protocol/membership.ts';
import { admit, exchangeAll, openTeam, restoreServer } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';

const logOf = async (member: Member) => (await member.sessionOf()).log.state;
/** The role of a member as another one's computer holds it. */
const roleOn = async (member: Member, { computer }: Member) => {
  const { members, kept } = await logOf(member);
  const read = kept.get(computer);
  return read === undefined ? (findMember(members.members, computer)?.role ?? null) : read.role;
};

/** Ana and Ben are admins; Eve was one, and was removed. The server goes back to before that. */
async function openRolledBack() {
  const opened = await openTeam('ana');
  const [ana] = opened.members;
  const [ben, cleo, eve] = ['ben', 'cleo', 'eve'].map((name) => opened.open(name)) as [
    Member,
    Member,
    Member,
  ];
  await admit(ana, ben, 'admin');
  await admit(ana, cleo);
  await admit(ana, eve, 'admin');
  await exchangeAll([ana, ben, cleo, eve]);
  const { number } = (await logOf(ana)).position;
  await revoke(ana.ports, await ana.sessionOf(), { email: eve.email });
  await exchangeAll([ana, ben, cleo]);
  await restoreServer(opened, number);
  return { ...opened, ana, ben, cleo, eve, number };
}

test('a removed admin who comes first after a rollback can change no one', async () => {
  const { ana, ben, cleo, eve, number, open } = await openRolledBack();
  await setRole(eve.ports, await eve.sessionOf(), { email: cleo.email, role: 'admin' });
  await admit(eve, open('mallory'), 'admin');
  await setRole(eve.ports, await eve.sessionOf(), { email: ben.email, role: 'reviewer' });
  for (const member of [ana, ben, cleo]) {
    await member.act([1], decisionOf('eligible'));
    const contradicts = {
      code: 'team.logContradicts',
      details: { number: number + 1, computer: eve.computer },
    };
    await expect(member.exchange()).rejects.toMatchObject(contradicts);
    // Also after a start.
    member.restart();
    await expect(member.exchange()).rejects.toMatchObject(contradicts);
    expect(member.unsent()).toBe(1);
    expect(await roleOn(member, eve)).toBeNull();
    expect(await roleOn(member, ben)).toBe('admin');
    expect(await roleOn(member, cleo)).toBe('reviewer');
  }
  // Whom she removes is no member by the server's log, and stays one on the computers.
  await revoke(eve.ports, await eve.sessionOf(), { email: ana.email });
  await expect(ana.exchange()).rejects.toMatchObject({ code: 'team.notMember' });
  expect(await roleOn(ana, ana)).toBe('admin');
});

test('a log that contradicts is followed once admins on two computers have confirmed it', async () => {
  const { ana, ben, cleo, eve } = await openRolledBack();
  await eve.act([1], decisionOf('disputed'));
  await eve.exchange();
  await expect(cleo.exchange()).rejects.toMatchObject({ code: 'team.logContradicts' });
  await expect(followLog(cleo.ports, await cleo.sessionOf())).rejects.toMatchObject({
    code: 'team.notAdmin',
  });
  await expect(ana.exchange()).rejects.toMatchObject({ code: 'team.logContradicts' });
  expect(await followLog(ana.ports, await ana.sessionOf())).toEqual({ isFollowed: false });
  await expect(cleo.exchange()).rejects.toMatchObject({ code: 'team.logContradicts' });
  await expect(ben.exchange()).rejects.toMatchObject({ code: 'team.logContradicts' });
  expect(await followLog(ben.ports, await ben.sessionOf())).toEqual({ isFollowed: true });
  await exchangeAll([ana, cleo, ben]);
  // Eve is removed again, and what she wrote meanwhile counts everywhere.
  for (const member of [ana, ben, cleo]) {
    expect(findMember((await logOf(member)).members.members, eve.computer)).toBeNull();
    expect((await logOf(member)).kept.size).toBe(0);
    expect(member.folds()).toEqual(ana.folds());
  }
  expect(ana.folds()).toHaveLength(1);
  await expect(eve.exchange()).rejects.toMatchObject({ code: 'team.notMember' });
});

test('a single admin confirms such a log with the recovery key', async () => {
  const opened = await openTeam('ana', 'ben', 'eve');
  const [ana, ben, eve] = opened.members as [Member, Member, Member];
  await exchangeAll(opened.members);
  const { number } = (await logOf(ana)).position;
  await revoke(ana.ports, await ana.sessionOf(), { email: eve.email });
  await exchangeAll([ana, ben]);
  await restoreServer(opened, number);
  await eve.act([1], decisionOf('disputed'));
  await eve.exchange();
  await expect(ana.exchange()).rejects.toMatchObject({ code: 'team.logContradicts' });
  expect(await followLog(ana.ports, await ana.sessionOf())).toEqual({ isFollowed: false });
  const { recoveryKey } = opened;
  expect(await followLog(ana.ports, await ana.sessionOf(), recoveryKey)).toEqual({ isFollowed: true });
  await exchangeAll([ana, ben]);
  expect(ben.folds()).toEqual(ana.folds());
  expect(listAdmins((await logOf(ben)).members.members, (await logOf(ben)).kept)).toEqual([ana.computer]);
});

test('two changes of a role that are returned in the other order leave the role unchanged', async () => {
  const opened = await openTeam('ana', 'ben', 'cleo');
  const [ana, ben, cleo] = opened.members as [Member, Member, Member];
  const { number } = (await logOf(ana)).position;
  for (const role of ['admin', 'reviewer'] as const)
    await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role });
  await exchangeAll(opened.members);
  const { client } = await ben.sessionOf();
  const [raised, lowered] = await client.entries(number);
  await restoreServer(opened, number);
  if (raised === undefined || lowered === undefined) throw new Error('They are not there.');
  expect((await client.post([lowered])).results).toMatchObject([{ error: { code: 'entry.notInPlace' } }]);
  await client.post([raised]);
  await cleo.exchange();
  expect(await roleOn(cleo, ben)).toBe('reviewer');
  // Changes that Ben makes as an admin are not followed; Ana's computer lowers his role again.
  await ana.exchange();
  expect(await roleOn(ana, ben)).toBe('reviewer');
  await exchangeAll(opened.members);
  for (const member of opened.members) {
    const { members, kept } = await logOf(member);
    expect(findMember(members.members, ben.computer)?.role).toBe('reviewer');
    expect(kept.size).toBe(0);
  }
});

test('a computer that had read a log that the server lost reports it once, and later members are not alarmed', async () => {
  const opened = await openTeam('ana', 'ben', 'cleo');
  const { members, open } = opened;
  const [ana, ben, cleo] = members as [Member, Member, Member];
  await exchangeAll(members);
  const { number } = (await logOf(ana)).position;
  // Each reads what the others wrote before writing, so that the order in which it is given back matters.
  for (const [index, member] of [ben, cleo, ben, ana].entries()) {
    await member.act([index + 1], decisionOf('eligible'));
    await exchangeAll(members);
  }
  const from = (await logOf(ana)).position.number;
  await restoreServer(opened, number);
  await exchangeAll([cleo, ana, ben]);
  await exchangeAll([cleo, ana, ben]);
  const said = ana.operations.readTeamFacts({ workspaceId, kind: 'wentBack' }).kept;
  expect(said.map(({ author, fact }) => [author, JSON.parse(fact)])).toEqual([
    [cleo.email, { kind: 'wentBack', from, to: number }],
  ]);
  const dora = open('dora');
  await admit(ana, dora);
  for (const member of [...members, dora])
    expect(await readKnownLogs(member.ports, workspaceId)).toMatchObject({
      wentBack: { author: cleo.email, from, to: number },
      unexplained: [],
    });
  // The entries themselves say that their authors had read another log.
  expect(dora.operations.readOtherLogs({ workspaceId })).not.toEqual([]);
  const checker = createLogChecker(dora.ports.main);
  for await (const line of (await dora.sessionOf()).readLog('2026-11-20')) await checker.take(line);
  expect(checker.end()).toMatchObject({ isWhole: true, otherLogs: [] });
});
