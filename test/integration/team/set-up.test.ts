import { expect, test } from 'vitest';
import { leave, revoke, setRole } from '../../../src/main/engine/team/change-members.ts';
import { readInvitation } from '../../../src/main/engine/team/invitation.ts';
import { approve, listJoins } from '../../../src/main/engine/team/join-team.ts';
import { readMembers } from '../../../src/main/engine/team/team-members.ts';
import { publicBytesOf } from '../../../src/team-protocol/derive-keys.ts';
import { computerIdOf } from '../../../src/team-protocol/entry.ts';
import { openGrant } from '../../../src/team-protocol/grant.ts';
import { makeRecoveryKey, readRecoveryKey } from '../../../src/team-protocol/recovery-key.ts';
import { admit, exchangeAll, exchangeNonces, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { type Member, testService } from '../../support/team-member.ts';

test('from the invitation to live takes two people six steps and under three minutes', async () => {
  const { members, open } = await openTeam('ana');
  const [ana] = members;
  await ana.changeSettings({ setting: 'runOutDays', employerId: null, value: 60 });
  await ana.act([1], decisionOf('eligible'));
  await ana.exchange();
  const ben = open('ben');
  const startedMs = performance.now();
  let steps = 0;
  const step = async <T>(run: () => Promise<T> | T): Promise<T> => {
    steps += 1;
    return run();
  };
  const { invitation } = await step(() => ana.invite(ben.email));
  // Ben pastes it and reads the code out; Ana compares the code, and approves.
  await step(() => ben.join(invitation));
  const code = await exchangeNonces(ana, ben);
  const session = await ana.sessionOf();
  const [join] = await listJoins(ana.ports, session);
  await step(() => expect(join?.code).toBe(code));
  await step(() => approve(ana.ports, session, { computer: join?.computer ?? '' }));
  await ben.exchange();
  expect(steps).toBeLessThanOrEqual(6);
  expect(performance.now() - startedMs).toBeLessThan(180_000);
  // Ben has the team's settings and reviews, and a key of his own.
  expect(await ben.ports.main.getSettings(workspaceId)).toEqual(
    await ana.ports.main.getSettings(workspaceId),
  );
  expect(ben.folds()).toEqual(ana.folds());
  const { certificates } = (await ana.sessionOf()).log.state.members;
  const keys = [...certificates.values()].map(({ signer }) => signer.fingerprint);
  expect(new Set(keys).size).toBe(2);
});

test('an invitation contains the team’s service, and joining it from a workspace of another service is refused', async () => {
  const { members, open } = await openTeam('ana');
  const [ana] = members;
  const { invitation } = await ana.invite('cleo@example.com');
  expect(readInvitation(invitation).service).toEqual({
    ...{ address: testService, name: 'Acme', header: 'Authorization', scheme: 'SSH-JWT' },
  });
  const other = open('ben', { service: 'https://other.example.com', email: 'cleo@example.com' });
  await expect(other.join(invitation)).rejects.toMatchObject({ code: 'team.otherService' });
  expect(other.isBound()).toBe(false);
  await open('cleo').join(invitation);
});

test('a new laptop joins as the same person, with their role and their work', async () => {
  const { members, open } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role: 'admin' });
  await ben.act([1], decisionOf('eligible'));
  await exchangeAll(members);
  const laptop = open('laptop', { email: ben.email });
  await admit(ana, laptop, 'admin');
  await exchangeAll([...members, laptop]);
  expect(laptop.folds()).toEqual(ben.folds());
  // The old one leaves, and the new one goes on as an admin.
  await leave(ben.ports, await ben.sessionOf());
  await laptop.act([2], decisionOf('disputed'));
  await exchangeAll([ana, laptop]);
  expect(laptop.folds()).toEqual(ana.folds());
  await expect(laptop.invite()).resolves.toMatchObject({ invitation: expect.any(String) });
});

test('only a lost laptop is removed: its owner continues on another one, and it reads nothing more', async () => {
  const { members, open } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  const laptop = open('laptop', { email: ben.email });
  await admit(ana, laptop);
  await exchangeAll([...members, laptop]);
  await revoke(ana.ports, await ana.sessionOf(), { computer: laptop.computer });
  await ben.act([1], decisionOf('eligible'));
  await exchangeAll(members);
  expect(ana.folds()).toEqual(ben.folds());
  await expect(laptop.exchange()).rejects.toMatchObject({ code: 'team.notMember' });
  expect(laptop.folds()).toEqual([]);
});

test('after the recovery key is lost, the team continues; while an admin’s computer exists no one is locked out', async () => {
  const { members, open } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role: 'admin' });
  await exchangeAll(members);
  // Ana's computer is gone, and the key with it: Ben admits her next one, and removes the lost one.
  const next = open('next', { email: ana.email });
  await admit(ben, next, 'admin');
  await revoke(ben.ports, await ben.sessionOf(), { computer: ana.computer });
  await next.act([1], decisionOf('eligible'));
  await exchangeAll([ben, next]);
  expect(next.folds()).toEqual(ben.folds());
});

/** The generations of the team key that a recovery key opens, by a copy of the log as a member has it. */
async function generationsOf(member: Member, team: string, recoveryKey: string): Promise<number[]> {
  const keys = readRecoveryKey(recoveryKey);
  if (keys === null) throw new Error('no recovery key');
  const computer = computerIdOf(Buffer.from(publicBytesOf(keys.signing), 'base64url'));
  const { memberships } = await member.userData.call('readTeamLog', { workspaceId });
  const { keys: opened } = await readMembers(memberships, {
    computer,
    checkCertificate: member.ports.main.checkCertificate,
    openGrant: async (generation, grant) => openGrant(keys.sealing, { team, generation, computer }, grant),
  });
  return [...opened.keys()].sort((a, b) => a - b);
}

test('a lost recovery key is replaced: the new one admits a computer to everything, the old one opens only earlier entries', async () => {
  const { members, open, origin, recoveryKey, team, clock } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await ana.act([1], decisionOf('eligible'));
  // A revocation has renewed the team key before.
  const cleo = open('cleo');
  await admit(ana, cleo);
  await revoke(ana.ports, await ana.sessionOf(), { email: cleo.email });
  const { text: next } = makeRecoveryKey();
  await expect(ben.replaceRecoveryKey(next)).rejects.toMatchObject({ code: 'team.notAdmin' });
  await expect(ana.replaceRecoveryKey(`${next.slice(0, -1)}!`)).rejects.toMatchObject({
    code: 'team.wrongRecoveryKey',
  });
  expect(await ana.replaceRecoveryKey(recoveryKey)).toBe(false);
  expect(await ana.replaceRecoveryKey(next.toLowerCase())).toBe(true);
  expect(await ana.replaceRecoveryKey(next)).toBe(false);
  await expect(ana.replaceRecoveryKey(recoveryKey)).rejects.toMatchObject({ code: 'team.wrongRecoveryKey' });
  await ana.act([2], decisionOf('disputed'));
  await exchangeAll(members);
  expect(ben.folds()).toEqual(ana.folds());
  // The old page opens, with a copy of the log, what was written before it was replaced, and nothing after.
  expect(await generationsOf(ana, team, recoveryKey)).toEqual([1, 2]);
  expect(await generationsOf(ana, team, next)).toEqual([1, 2, 3]);
  const laptop = open('laptop', { email: ana.email });
  const of = { server: origin, team };
  await expect(laptop.recover({ ...of, recoveryKey })).rejects.toMatchObject({
    code: 'team.wrongRecoveryKey',
  });
  await laptop.recover({ ...of, recoveryKey: next });
  clock.nowMs += 86_400_000;
  await laptop.exchange();
  expect(laptop.folds()).toEqual(ana.folds());
  await revoke(laptop.ports, await laptop.sessionOf(), { computer: ana.computer });
  await laptop.act([3], decisionOf('eligible'));
  await exchangeAll([laptop, ben]);
  expect(ben.folds()).toEqual(laptop.folds());
});

test('a recovery key whose replacement was interrupted is the old or the new one, and another admin’s computer can finish', async () => {
  const { members, recoveryKey, team } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role: 'admin' });
  await exchangeAll(members);
  const end = async () => {
    throw Object.assign(new Error('ended'), { code: 'ECONNRESET' });
  };
  const { text: next } = makeRecoveryKey();
  // Before it reaches the server: nothing has changed, and Ben does it.
  ana.network.before = async (method) => (method === 'POST' ? end() : undefined);
  await expect(ana.replaceRecoveryKey(next)).rejects.toMatchObject({ code: 'team.unreachable' });
  delete ana.network.before;
  expect(await generationsOf(ben, team, recoveryKey)).toEqual([1]);
  expect(await ben.replaceRecoveryKey(next)).toBe(true);
  // Its answer is lost: repeated, on either computer, it is the team's already.
  const { text: last } = makeRecoveryKey();
  ana.network.after = async (method) => (method === 'POST' ? end() : undefined);
  await expect(ana.replaceRecoveryKey(last)).rejects.toMatchObject({ code: 'team.unreachable' });
  delete ana.network.after;
  for (const member of [ana, ben]) expect(await member.replaceRecoveryKey(last)).toBe(false);
  // A revocation whose team key was not renewed any more is completed first.
  let posts = 0;
  ana.network.before = async (method) => {
    posts += method === 'POST' ? 1 : 0;
    if (posts === 2) await end();
  };
  await expect(revoke(ana.ports, await ana.sessionOf(), { computer: ana.computer })).rejects.toMatchObject({
    code: expect.stringMatching(/^team\./),
  });
  const { text: after } = makeRecoveryKey();
  expect(await ben.replaceRecoveryKey(after)).toBe(true);
  const { members: known } = (await ben.sessionOf()).log.state.members;
  expect(known).toMatchObject({ generation: 5, isRenewalDue: false });
  expect(await generationsOf(ben, team, after)).toEqual([1, 2, 3, 4, 5]);
});

test('the last admin can leave only after someone else is one', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await expect(leave(ana.ports, await ana.sessionOf())).rejects.toMatchObject({ code: 'team.lastAdmin' });
  await setRole(ana.ports, await ana.sessionOf(), { email: ben.email, role: 'admin' });
  await leave(ana.ports, await ana.sessionOf());
  await ben.exchange();
  await expect(ben.invite()).resolves.toMatchObject({ invitation: expect.any(String) });
});

test('a review of a newer record says that the one here is older, and old records reopen no one’s review', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  const ingest = async ({ opened, reviews }: Member, version: number): Promise<void> => {
    const at = `2026-01-0${version}T10:00:00.000Z`;
    opened.ingest('claims', [{ id: 1, status: 'Processed', amount_paid: version, modifieddate: at }]);
    opened.write.markClaimsRead(at);
    await reviews.updateAfterSync(workspaceId);
  };
  await ingest(ana, 5);
  await ingest(ben, 3);
  await ana.act([1], decisionOf('eligible'));
  await exchangeAll(members);
  expect((await ben.reviews.get(workspaceId, 1)).olderRecord).not.toBeNull();
  expect((await ana.reviews.get(workspaceId, 1)).olderRecord).toBeNull();
  // Ben syncs an old copy again: nothing is reopened, on no computer.
  await ingest(ben, 4);
  await exchangeAll(members);
  for (const member of members)
    expect((await member.reviews.get(workspaceId, 1)).state, member.name).toBe('done');
  // The claim is refreshed: both have the record that was reviewed.
  await ingest(ben, 5);
  await exchangeAll(members);
  expect((await ben.reviews.get(workspaceId, 1)).olderRecord).toBeNull();
  // The computer with the newer record reopens; the other one says who found it, until it has that record.
  await ingest(ben, 6);
  await exchangeAll(members);
  for (const member of members)
    expect(
      (await member.history()).filter(({ fact }) => fact.kind === 'reopened'),
      member.name,
    ).toHaveLength(1);
  expect(await ana.reviews.get(workspaceId, 1)).toMatchObject({ foundBy: { author: ben.email } });
});
