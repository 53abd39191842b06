import { expect, test } from 'vitest';
import {
  proveInvitation,
  readInvitation,
  writeInvitation,
} from '../../../src/main/engine/team/invitation.ts';
import { approve, listJoins } from '../../../src/main/engine/team/join-team.ts';
import { certify } from '../../../src/main/team/computer-keys.ts';
import { commitToNonce } from '../../../src/team-protocol/join-code.ts';
import { findMember } from '../../../src/team-protocol/membership.ts';
import { exchangeNonces, openTeam } from '../../support/open-team.ts';
import { nextBytes } from '../../support/team-computer.ts';
import { type Member, testService } from '../../support/team-member.ts';

const joinsOf = async (member: Member) => listJoins(member.ports, await member.sessionOf());

test('an invitation admits the person it names with its role, and no one else on either computer', async () => {
  const { members, open } = await openTeam('ana');
  const [ana] = members;
  const [ben, mallory] = [open('ben'), open('mallory')];
  const { invitation } = await ana.invite(ben.email, 'reader');
  await expect(mallory.join(invitation)).rejects.toMatchObject({ code: 'team.otherEmail' });
  expect(mallory.isBound()).toBe(false);
  // A changed program sends the request all the same, as any reader of the mail can.
  await mallory.join(writeInvitation({ ...readInvitation(invitation), email: mallory.email, role: 'admin' }));
  expect(await joinsOf(ana)).toEqual([]);
  const session = await ana.sessionOf();
  await expect(approve(ana.ports, session, { computer: mallory.computer })).rejects.toMatchObject({
    code: 'team.wrongInvitation',
  });
  await ben.join((await ana.invite(ben.email, 'reader')).invitation);
  await exchangeNonces(ana, ben);
  await approve(ana.ports, session, { computer: ben.computer });
  expect(findMember(session.log.state.members.members, ben.computer)?.role).toBe('reader');
});

test('a member’s email with another SSH key is admitted only after a second answer', async () => {
  const { members, open } = await openTeam('ana', 'ben');
  const [ana, ben] = members as [Member, Member];
  const session = await ana.sessionOf();
  const laptop = open('laptop', { email: ben.email, ssh: ben.ssh });
  await laptop.join((await ana.invite(ben.email)).invitation);
  await exchangeNonces(ana, laptop);
  await approve(ana.ports, session, { computer: laptop.computer });
  const other = open('other', { email: ben.email });
  await other.join((await ana.invite(ben.email)).invitation);
  await exchangeNonces(ana, other);
  const known = session.log.state.members.certificates.get(ben.computer)?.signer.fingerprint;
  expect(await joinsOf(ana)).toMatchObject([{ computer: other.computer, otherKeys: [known] }]);
  await expect(approve(ana.ports, session, { computer: other.computer })).rejects.toMatchObject({
    code: 'team.otherKey',
  });
  await approve(ana.ports, session, { computer: other.computer, acceptsOtherKey: true });
  await other.exchange();
});

/** Makes an attacker's request to join: the invitation from the mail, other keys, and a nonce they chose. */
function makeRequest(text: string, attacker: Member, team: string) {
  const invitation = readInvitation(text);
  const { keys, ssh } = attacker.owned;
  const certificate = certify(keys, { service: testService, email: invitation.email, team }, ssh);
  const nonce = nextBytes(32).toString('base64url');
  const proof = proveInvitation(invitation, certificate.body);
  return { ...certificate, proof, commitment: commitToNonce(nonce), nonce };
}

test('someone who controls mail and server knows no code before the compared request is fixed, and has one try', async () => {
  const { members, open, database, team } = await openTeam('ana');
  const [ana] = members;
  const [ben, mallory] = [open('ben'), open('mallory')];
  const { invitation } = await ana.invite(ben.email);
  await ben.join(invitation);
  // The code of a request that has only arrived: with one, keys could be tried until another request has the same code.
  expect(await ben.readCode()).toBeNull();
  expect(await ben.advanceJoin()).toBe(false);
  const put = ({ body, signature, proof, commitment, nonce }: ReturnType<typeof makeRequest>) =>
    database.all('UPDATE joins SET certificate=$1, signature=$2, proof=$3, commitment=$4, nonce=$5', [
      ...[body, signature, proof, commitment, nonce],
    ]);
  const [own] = await database.all<{
    certificate: string;
    signature: string;
    proof: string;
    commitment: string;
  }>('SELECT certificate, signature, proof, commitment FROM joins');
  const putBack = () =>
    database.all('UPDATE joins SET certificate=$1, signature=$2, proof=$3, commitment=$4, nonce=NULL', [
      ...[own?.certificate ?? '', own?.signature ?? '', own?.proof ?? '', own?.commitment ?? ''],
    ]);
  // The server shows the admin another request, passes its answer on to Ben, and has his nonce then.
  const other = makeRequest(invitation, mallory, team);
  await put(other);
  const [shown] = await joinsOf(ana);
  expect(shown).toMatchObject({ computer: mallory.computer, email: ben.email });
  await putBack();
  expect(await ben.advanceJoin()).toBe(true);
  const told = await ben.readCode();
  await put(other);
  const [compared] = await joinsOf(ana);
  expect(compared?.code).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  expect(compared?.code).not.toBe(told);
  // A second request with the invitation is not shown, and a nonce that was not committed to makes no code.
  await put(makeRequest(invitation, mallory, team));
  expect(await joinsOf(ana)).toEqual([]);
  await put({ ...other, nonce: nextBytes(32).toString('base64url') });
  expect(await joinsOf(ana)).toMatchObject([{ code: null }]);
  const session = await ana.sessionOf();
  await expect(approve(ana.ports, session, { computer: mallory.computer })).rejects.toMatchObject({
    code: 'team.joinNotCompared',
  });
  // Nor does Ben's computer take a second answer, to which his nonce is known.
  await putBack();
  await database.all('UPDATE joins SET answer=$1', [nextBytes(32).toString('base64url')]);
  expect(await ben.advanceJoin()).toBe(false);
  expect(await ben.readCode()).toBe(told);
});

test('a changed invitation, such as to another team with the same ID, has another code', async () => {
  const { members, open } = await openTeam('ana');
  const [ana] = members;
  const ben = open('ben');
  const { invitation } = await ana.invite(ben.email);
  await ben.join(writeInvitation({ ...readInvitation(invitation), root: 'A'.repeat(43) }));
  const told = await exchangeNonces(ana, ben);
  const [join] = await joinsOf(ana);
  expect(join?.code).not.toBeNull();
  expect(join?.code).not.toBe(told);
});
