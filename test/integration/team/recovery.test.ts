import { expect, test } from 'vitest';
import { revoke, setRole } from '../../../src/main/engine/team/change-members.ts';
import { renewTeamKey } from '../../../src/main/engine/team/due-memberships.ts';
import { findMember } from '../../../src/team-protocol/membership.ts';
import { makeRecoveryKey } from '../../../src/team-protocol/recovery-key.ts';
import { admit, exchangeAll, openTeam } from '../../support/open-team.ts';
import { decisionOf } from '../../support/review-files.ts';
import type { Member } from '../../support/team-member.ts';

const dayMs = 86_400_000;
const membersOf = async (member: Member) => (await member.sessionOf()).log.state.members.members;
const formerAdmins = async (member: Member) => (await membersOf(member))?.formerAdmins;

test('a former admin with the recovery key waits a day, everyone is notified, and an admin can refuse', async () => {
  const opened = await openTeam('ana', 'ben');
  const { clock, open, origin, recoveryKey, team } = opened;
  const [ana, ben] = opened.members as [Member, Member];
  const eve = open('eve');
  await admit(ana, eve, 'admin');
  await exchangeAll([ana, ben, eve]);
  await revoke(ana.ports, await ana.sessionOf(), { email: eve.email });
  // The removal is not finished before the key is another one.
  expect(await formerAdmins(ana)).toEqual([eve.email]);
  const of = { server: origin, team, recoveryKey };
  // Also under the name of the admin, with an SSH key of her own.
  const again = open('again', { email: ana.email });
  await again.recover(of);
  for (const act of [() => again.exchange(), () => again.invite()])
    await expect(act()).rejects.toMatchObject({ code: 'team.recoveryWaits' });
  await exchangeAll([ana, ben]);
  for (const member of [ana, ben]) {
    const details = { computer: again.computer, email: ana.email, role: 'admin' };
    expect(member.audited).toContainEqual({ action: 'team.recovered', details });
    const until = (await membersOf(member))?.computers.get(again.computer)?.waitsUntil;
    expect(until).toBe(new Date(clock.nowMs + dayMs).toISOString());
  }
  await revoke(ana.ports, await ana.sessionOf(), { computer: again.computer });
  clock.nowMs += dayMs;
  await expect(again.exchange()).rejects.toMatchObject({ code: 'team.notMember' });
  await exchangeAll([ana, ben]);
  await ben.act([1], decisionOf('eligible'));
  await exchangeAll([ana, ben]);
  expect(findMember(await membersOf(ben), ana.computer)?.role).toBe('admin');
  expect(await ana.replaceRecoveryKey(makeRecoveryKey().text)).toBe(true);
  await ben.exchange();
  for (const member of [ana, ben]) expect(await formerAdmins(member)).toEqual([]);
  await expect(open('eve2').recover(of)).rejects.toMatchObject({ code: 'team.wrongRecoveryKey' });
});

test('a time of yesterday does not shorten the day, neither by the server nor by a computer that had read the log', async () => {
  const { clock, open, origin, recoveryKey, team, members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  await exchangeAll(members);
  const eve = open('eve');
  let isLate = true;
  eve.network.reply = (reply, _method, path) => {
    if (!isLate || !path.endsWith('/head')) return reply;
    const head = JSON.parse(new TextDecoder().decode(reply.body)) as object;
    const now = new Date(clock.nowMs - dayMs).toISOString();
    return { ...reply, body: new TextEncoder().encode(JSON.stringify({ ...head, now })) };
  };
  const { getTeamToken } = eve.ports.main;
  eve.ports.main.getTeamToken = (wanted) => getTeamToken({ ...wanted, offsetSeconds: 0 });
  await expect(eve.recover({ server: origin, team, recoveryKey })).rejects.toMatchObject({
    details: { answer: 'entry.behind' },
  });
  isLate = false;
  // A server that is in league with her takes it.
  clock.nowMs -= dayMs;
  await eve.recover({ server: origin, team, recoveryKey });
  clock.nowMs += dayMs;
  for (const member of [ana, ben])
    await expect(member.exchange()).rejects.toMatchObject({ code: 'team.logContradicts' });
});

test('a certificate that only names the admin’s SSH key waits a day, for the server too', async () => {
  const { members, open, origin, recoveryKey, team } = await openTeam('ana');
  const [ana] = members;
  const named = [...((await membersOf(ana))?.computers.values() ?? [])].map(
    ({ certificate }) => certificate,
  )[0];
  const eve = open('eve', { email: ana.email });
  const { certifyComputer } = eve.ports.main;
  // The signature is one of Ana's, of her own certificate.
  eve.ports.main.certifyComputer = async (of) => ({
    ...(await certifyComputer(of)),
    signature: named?.signature ?? '',
  });
  await eve.recover({ server: origin, team, recoveryKey });
  await ana.exchange();
  expect((await membersOf(ana))?.computers.get(eve.computer)?.waitsUntil).not.toBeNull();
  // The server refuses her as well, even for what no member would read.
  const { client } = await eve.sessionOf();
  await expect(client.head()).rejects.toMatchObject({ code: 'team.recoveryWaits' });
});

test('the only admin, with the same SSH key, is back immediately', async () => {
  const { open, origin, recoveryKey, team, members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  const laptop = open('laptop', { email: ana.email, ssh: ana.ssh });
  await laptop.recover({ server: origin, team, recoveryKey });
  await laptop.act([1], decisionOf('eligible'));
  await exchangeAll([laptop, ben]);
  expect(ben.folds()).toEqual(laptop.folds());
});

test('a new admin has no key to replace; a key that can’t be sealed to is left out and reported', async () => {
  const { members } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  const session = await ana.sessionOf();
  for (const role of ['admin', 'reader'] as const)
    await setRole(ana.ports, session, { email: ben.email, role });
  expect(await formerAdmins(ana)).toEqual([ben.email]);
  await setRole(ana.ports, session, { email: ben.email, role: 'admin' });
  expect(await formerAdmins(ana)).toEqual([]);
  const { members: state } = session.log.state;
  const act = renewTeamKey({
    ...state,
    members: state.members && {
      ...state.members,
      recovery: { ...state.members.recovery, sealingKey: Buffer.alloc(32).toString('base64url') },
    },
  });
  expect(act).toMatchObject({ act: 'renewKey', recovery: { grant: null } });
});
