import { expect, test } from 'vitest';
import { leave, revoke, setRole } from '../../../src/main/engine/team/change-members.ts';
import { findArriving } from '../../../src/main/engine/team/find-arriving.ts';
import { requireTriedKey } from '../../../src/main/engine/team/recover-team.ts';
import type { DeskError } from '../../../src/main/lib/errors.ts';
import { makeRecoveryKey } from '../../../src/team-protocol/recovery-key.ts';
import { makeSetupCode } from '../../../src/team-server/server.ts';
import { admit, exchangeAll, openTeam } from '../../support/open-team.ts';
import { workspaceId } from '../../support/review-computer.ts';
import { decisionOf } from '../../support/review-files.ts';
import { type Member, openMember } from '../../support/team-member.ts';
import { startTestServer } from '../../support/team-server.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

test('one computer sees what another decided, signed, and both have the same', async () => {
  const { members, clock } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await ana.act([1, 2], decisionOf('eligible'));
  clock.nowMs += 60_000;
  await ben.act([3], { kind: 'note', text: 'Zoë asked' });
  expect(ana.unsent()).toBe(1);
  await exchangeAll(members);
  expect(ana.folds()).toEqual(ben.folds());
  expect(ana.folds()).toHaveLength(3);
  expect([ana.unsent(), ben.unsent()]).toEqual([0, 0]);
  expect(await ben.history()).toMatchObject([
    { author: 'ben@example.com', isImported: false, signedBy: null },
    {
      author: 'ana@example.com',
      isImported: true,
      signedBy: expect.stringMatching(/^SHA256:/),
      computer: ana.computer,
    },
  ]);
  // Members can undo their own acts only.
  const [, ofAna] = await ben.history();
  await expect(ben.reviews.undo(workspaceId, ofAna?.id ?? '')).rejects.toMatchObject({
    code: 'review.notYours',
  });
});

test('what this computer sent is not read again unless something came between', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await exchangeAll(members);
  const read: string[] = [];
  ana.network.before = async (method, path) => {
    if (method === 'GET' && path.endsWith('/entries')) read.push(path);
  };
  const known = (await ana.sessionOf()).log.state.position;
  await ana.act([1], decisionOf('eligible'));
  await (await ana.sessionOf()).exchange(known);
  expect([read.length, ana.unsent()]).toEqual([0, 0]);
  await ana.act([2], decisionOf('eligible'));
  await ben.act([3], decisionOf('disputed'));
  await ben.exchange();
  await (await ana.sessionOf()).exchange(known);
  expect(read.length).toBeGreaterThan(0);
  await exchangeAll(members);
  expect(ana.unsent()).toBe(0);
  expect(ana.folds()).toEqual(ben.folds());
  const positions = await Promise.all(members.map(async (one) => (await one.sessionOf()).log.state.position));
  expect(positions[0]).toMatchObject({ number: positions[1]?.number, hash: positions[1]?.hash });
});

test('reviews from before the team are in it, and a person who joins later has all of them', async () => {
  const served = await startTestServer();
  const folder = makeTempFolder();
  const clock = { now: () => served.clock.nowMs };
  const ana = openMember(folder, 'ana', clock);
  await ana.act([1], decisionOf('eligible'));
  await ana.create(served.origin, await makeSetupCode(served.server.store, served.clock.nowMs));
  await ana.exchange();
  const ben = openMember(folder, 'ben', clock);
  served.clock.nowMs += 60_000;
  await ben.act([1], decisionOf('disputed'));
  await admit(ana, ben);
  await exchangeAll([ana, ben]);
  expect(ana.folds()).toEqual(ben.folds());
  expect((await ana.reviews.get(workspaceId, 1)).outcome).toBe('disputed');
});

test('an act on thousands of claims counts when its last part has arrived, even if sending was interrupted', async () => {
  const claimIds = Array.from({ length: 6_000 }, (_none, index) => index + 1);
  const { members, open } = await openTeam('ana');
  const [ana] = members;
  const ben = open('ben', { claimIds });
  await admit(ana, ben);
  const eventId = await ben.act(claimIds, { kind: 'flag', isFlagged: true });
  let puts = 0;
  ben.network.before = async (method) => {
    puts += method === 'PUT' ? 1 : 0;
    if (puts === 2) throw Object.assign(new Error('cut'), { code: 'ECONNRESET' });
  };
  await expect(ben.exchange()).rejects.toMatchObject({ code: 'team.unreachable' });
  await ana.exchange();
  expect(ana.folds()).toEqual([]);
  // It does not count yet, and is known to come.
  const { state } = (await ana.sessionOf()).log;
  expect(findArriving(state)).toEqual({ email: 'ben@example.com', claims: 6_000 });
  // Undone before it was whole: the undo waits for it.
  await ben.reviews.undo(workspaceId, eventId);
  ben.network.before = async () => undefined;
  ben.restart();
  // Its outcome is read again after a restart.
  ana.restart();
  await ben.exchange();
  await ana.exchange();
  await ben.exchange();
  await ana.exchange();
  expect(await ana.history()).toHaveLength(2);
  expect(ana.folds().filter(({ isFlagged }) => isFlagged)).toEqual([]);
  expect(ben.unsent()).toBe(0);
  expect(findArriving((await ana.sessionOf()).log.state)).toBeNull();
});

test('a computer that is revoked gets nothing more, and cannot read what is written after', async () => {
  const { members } = await openTeam('ana', 'ben', 'cleo');
  const [ana, ben, cleo] = members as [Member, Member, Member];
  await ana.act([1], decisionOf('eligible'));
  await exchangeAll(members);
  await revoke(ana.ports, await ana.sessionOf(), { email: 'ben@example.com' });
  await ben.act([2], decisionOf('disputed'));
  await expect(ben.exchange()).rejects.toMatchObject({ code: 'team.notMember' });
  await cleo.act([3], decisionOf('notEligible'));
  await exchangeAll([ana, cleo]);
  expect(ana.folds()).toEqual(cleo.folds());
  expect(ana.folds().map(({ claimId }) => claimId)).toEqual([1, 3]);
  const { members: after, keys } = (await cleo.sessionOf()).log.state.members;
  expect(after?.generation).toBe(2);
  expect(keys.size).toBe(2);
  expect((await ben.sessionOf()).log.state.members.keys.size).toBe(1);
  // Ben keeps what he has.
  expect((await ben.reviews.get(workspaceId, 1)).outcome).toBe('eligible');
});

test('roles: a reader reads, only an admin admits, and the last admin stays', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await expect(ben.invite()).rejects.toMatchObject({ code: 'team.notAdmin' });
  await expect(
    setRole(ben.ports, await ben.sessionOf(), { email: 'ana@example.com', role: 'reader' }),
  ).rejects.toMatchObject({ code: 'team.notAdmin' });
  await expect(leave(ana.ports, await ana.sessionOf())).rejects.toMatchObject({ code: 'team.lastAdmin' });
  await setRole(ana.ports, await ana.sessionOf(), { email: 'ben@example.com', role: 'reader' });
  await ben.act([1], decisionOf('eligible'));
  await ben.exchange();
  expect(ben.unsent()).toBe(1);
  await ana.act([2], decisionOf('disputed'));
  await ana.exchange();
  expect(ana.folds().map(({ claimId }) => claimId)).toEqual([2]);
  await ben.exchange();
  expect((await ben.reviews.get(workspaceId, 2)).outcome).toBe('disputed');
  await setRole(ana.ports, await ana.sessionOf(), { email: 'ben@example.com', role: 'admin' });
  await exchangeAll(members);
  expect(ana.folds()).toEqual(ben.folds());
  await leave(ana.ports, await ana.sessionOf());
  expect(ana.isBound()).toBe(false);
  expect((await ana.reviews.get(workspaceId, 1)).outcome).toBe('eligible');
});

test('the only computer of a team can leave it', async () => {
  const { members } = await openTeam('ana');
  const [ana] = members;
  await leave(ana.ports, await ana.sessionOf());
  expect(ana.isBound()).toBe(false);
});

test('a wrong code, invitation or set-up code leaves the workspace without a team', async () => {
  const { members, open, origin } = await openTeam('ana');
  const [ana] = members;
  const ben = open('ben');
  await expect(ben.create(origin, 'wrong')).rejects.toMatchObject({ code: 'team.wrongSetupCode' });
  for (const text of ['', 'x', 'claimdesk-team-1.e30'])
    await expect(ben.join(text)).rejects.toMatchObject({ code: 'team.wrongInvitation' });
  const { invitation } = await ana.invite(ben.email);
  await open('laptop', { email: ben.email }).join(invitation);
  await expect(ben.join(invitation)).rejects.toMatchObject({ code: 'team.wrongInvitation' });
  expect(ben.isBound()).toBe(false);
});

test('the printed recovery key admits a computer when those of all admins are lost, even after the team key was renewed', async () => {
  const { members, open, origin, recoveryKey, team, clock } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await ana.act([1], decisionOf('eligible'));
  await exchangeAll(members);
  await revoke(ana.ports, await ana.sessionOf(), { email: ben.email });
  await ana.act([2], decisionOf('disputed'));
  await ana.exchange();
  // Nothing is left of Ana's computer; Cleo has the paper.
  const cleo = open('cleo');
  const of = { server: origin, team, recoveryKey };
  const typed = `${recoveryKey.slice(0, -1)}${recoveryKey.endsWith('A') ? 'B' : 'A'}`;
  await expect(cleo.recover({ ...of, recoveryKey: typed })).rejects.toMatchObject({
    code: 'team.wrongRecoveryKey',
  });
  const { recoveryKey: other } = await openTeam('dora');
  await expect(cleo.recover({ ...of, recoveryKey: other })).rejects.toMatchObject({
    code: 'team.wrongRecoveryKey',
  });
  expect(cleo.isBound()).toBe(false);
  await cleo.recover(of);
  clock.nowMs += 86_400_000;
  await cleo.exchange();
  expect(cleo.folds()).toEqual(ana.folds());
  const { members: after } = (await cleo.sessionOf()).log.state.members;
  expect(after?.computers.get(cleo.computer)?.role).toBe('admin');
  // Every other computer records it; the one that was admitted does not.
  await ana.exchange();
  expect(ana.audited).toContainEqual({
    action: 'team.recovered',
    details: { computer: cleo.computer, email: cleo.email, role: 'admin' },
  });
  expect(cleo.audited.map(({ action }) => action)).not.toContain('team.recovered');
  await revoke(cleo.ports, await cleo.sessionOf(), { email: ana.email });
  await expect(ana.exchange()).rejects.toMatchObject({ code: 'team.notMember' });
  await admit(cleo, open('eve'));
});

test('the recovery key is tried before a second person can be invited, and not asked for afterwards', async () => {
  const { members, recoveryKey, open } = await openTeam('ana');
  const [ana] = members;
  const { log } = await ana.sessionOf();
  const codeOf = (typed: string | undefined) => {
    try {
      requireTriedKey(log.state.members, typed);
      return null;
    } catch (thrown) {
      return (thrown as DeskError).code;
    }
  };
  expect(codeOf(undefined)).toBe('team.recoveryKeyNotTried');
  expect(codeOf(recoveryKey.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toBe(
    'team.wrongRecoveryKey',
  );
  expect(codeOf(makeRecoveryKey().text)).toBe('team.wrongRecoveryKey');
  expect(codeOf(recoveryKey.toLowerCase())).toBeNull();
  await admit(ana, open('ben'));
  expect(codeOf(undefined)).toBeNull();
});

test('a person who signs in with another SSH key stays a member, and owns what they wrote with either', async () => {
  const { members, open } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  const byOld = await ben.act([1], { kind: 'note', text: 'by the old key' });
  await exchangeAll(members);
  ben.rotate();
  const again = ben.startAgain();
  await again.act([2], { kind: 'note', text: 'by the new key' });
  await exchangeAll([again, ana]);
  const signers = (await ana.history()).map(({ signedBy }) => signedBy);
  expect(new Set(signers).size).toBe(2);
  expect(signers).not.toContain(null);
  const { members: after } = (await ana.sessionOf()).log.state.members;
  expect(after?.computers.size).toBe(2);
  // Once is enough.
  const { number } = (await ana.sessionOf()).log.state.position;
  const last = again.startAgain();
  await last.exchange();
  expect((await last.sessionOf()).log.state.position.number).toBe(number);
  await last.reviews.undo(workspaceId, byOld);
  await exchangeAll([last, ana]);
  expect(ana.folds()).toEqual(last.folds());
  // Who joins later reads both.
  const cleo = open('cleo');
  await admit(ana, cleo);
  expect(cleo.folds()).toEqual(ana.folds());
  expect((await cleo.history()).map(({ signedBy }) => signedBy)).not.toContain(null);
});

test('another admin renews the team key if the one who removed a member did not get to it', async () => {
  const { members } = await openTeam('ana', 'ben', 'cleo');
  const [ana, ben, cleo] = members as [Member, Member, Member];
  await setRole(ana.ports, await ana.sessionOf(), { email: cleo.email, role: 'admin' });
  let posts = 0;
  ana.network.before = async (method) => {
    posts += method === 'POST' ? 1 : 0;
    if (posts === 2) throw Object.assign(new Error('ended'), { code: 'ECONNRESET' });
  };
  await expect(revoke(ana.ports, await ana.sessionOf(), { email: ben.email })).rejects.toMatchObject({
    code: 'team.unreachable',
  });
  await cleo.exchange();
  const { members: after } = (await cleo.sessionOf()).log.state.members;
  expect(after).toMatchObject({ generation: 2, isRenewalDue: false });
  await cleo.act([1], decisionOf('eligible'));
  delete ana.network.before;
  await exchangeAll([cleo, ana]);
  expect(ana.folds()).toEqual(cleo.folds());
});

test('a computer whose clock is days behind orders the team’s acts like the others, and its own after them', async () => {
  const { members, folder, clock } = await openTeam('ana');
  const [ana] = members;
  await ana.act([1], decisionOf('eligible'));
  await ana.exchange();
  const late = { now: () => clock.nowMs - 5 * 86_400_000 };
  const ben = openMember(folder, 'ben', late);
  await admit(ana, ben);
  await ben.act([1], decisionOf('disputed'));
  clock.nowMs += 60_000;
  await exchangeAll([ben, ana]);
  expect(ben.folds()).toEqual(ana.folds());
  expect((await ana.reviews.get(workspaceId, 1)).outcome).toBe('disputed');
});

test('acts of a clock that is slightly ahead keep their order and times if the server accepted only some of them', async () => {
  const { members, folder, clock } = await openTeam('ana');
  const [ana] = members;
  const early = { offsetMs: 60_000, now: () => clock.nowMs + early.offsetMs };
  const ben = openMember(folder, 'ben', early);
  await admit(ana, ben);
  await ben.act([1], decisionOf('eligible'));
  early.offsetMs = 3 * 86_400_000;
  await ben.act([1], decisionOf('disputed'));
  await expect(ben.exchange()).rejects.toMatchObject({ code: 'team.clockDiffers' });
  await exchangeAll([ben, ana]);
  expect(ben.folds()).toEqual(ana.folds());
  expect((await ana.reviews.get(workspaceId, 1)).outcome).toBe('disputed');
  expect((await ben.sessionOf()).log.state.refused).toBe(0);
});
