import { randomBytes } from 'node:crypto';
import { serviceOf } from '../../../rules/money/reimbursement.ts';
import type { JoinsReply } from '../../../team-protocol/api.ts';
import { commitToNonce, writeRequest } from '../../../team-protocol/join-code.ts';
import { listMembers } from '../../../team-protocol/membership.ts';
import { DeskError } from '../../lib/errors.ts';
import { readCertificate } from '../review/signed-entry.ts';
import type { KeptInvitation } from '../store/user-data/team-log.ts';
import { advanceJoin, codeOf } from './advance-join.ts';
import { forget, postMembership, readOwn } from './change-members.ts';
import { sealAll } from './due-memberships.ts';
import { digestOf, proveInvitation, readInvitation } from './invitation.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';
import { openSession } from './team-session.ts';

// This module is how a computer joins a team, up to its admission. src/team-protocol/join-code.ts explains what both
// people compare, and why.

/**
 * Asks to join a team. From then on this computer waits for an admin's approval.
 *
 * @throws DeskError as `createTeam`, and `team.wrongInvitation`, `team.otherService`, `team.otherEmail`
 */
export async function joinTeam(
  ports: TeamPorts,
  { workspaceId, invitation: text }: { workspaceId: string; invitation: string },
): Promise<void> {
  const { main } = ports;
  const invitation = readInvitation(text);
  const { server, team, root, service, email } = invitation;
  const { workspace } = await main.findWorkspace(workspaceId);
  if (serviceOf(workspace) !== service.address) throw new DeskError('team.otherService');
  if (workspace.email !== email) throw new DeskError('team.otherEmail', { details: { email } });
  await main.bindTeam({ workspaceId, server, team });
  try {
    const userData = await ports.getUserData(workspaceId);
    const certificate = await main.certifyComputer({ workspaceId, team });
    await userData.call('beginTeam', { workspaceId, team, root });
    const nonce = randomBytes(32).toString('base64url');
    const request = writeRequest({ certificate, commitment: commitToNonce(nonce) });
    const digest = digestOf(invitation);
    await userData.call('keepInvitation', { workspaceId, digest, invitation: text.trim(), request, nonce });
    await advanceJoin(ports, await openSession(ports, workspaceId));
  } catch (thrown) {
    await forget(ports, workspaceId);
    throw thrown;
  }
}

/**
 * The first request to join that was sent with an invitation of this computer, answered; null for others. Another
 * request with the same invitation is never answered, so that codes can’t be tried.
 */
async function answerJoin(
  { getUserData }: Pick<TeamPorts, 'getUserData'>,
  { workspaceId, client }: Pick<TeamSession, 'workspaceId' | 'client'>,
  invited: KeptInvitation,
  join: JoinsReply['joins'][number],
): Promise<{ code: string | null } | null> {
  const { digest } = invited;
  const request = writeRequest(join);
  const answer = randomBytes(32).toString('base64url');
  const kept =
    invited.answer === null
      ? await (await getUserData(workspaceId)).call('answerInvitation', {
          workspaceId,
          digest,
          request,
          answer,
        })
      : invited;
  if (kept.request !== request || kept.answer === null) return null;
  if (join.answer === null) await client.answerJoin(digest, kept.answer);
  const isRevealed = join.nonce !== null && commitToNonce(join.nonce) === join.commitment;
  return { code: isRevealed ? codeOf(kept, join.nonce) : null };
}

/**
 * Requests to join with invitations of this computer, from the email that each invitation is for, with the code to
 * compare; `code` is null until the other computer has sent its nonce. A person who is already in the team keeps the
 * role, on all computers. `otherKeys`: the SSH keys with which the same person is in the team, if they are different.
 */
export async function listJoins(ports: TeamPorts, session: TeamSession) {
  const { workspaceId, client, log } = session;
  const kept = await (await ports.getUserData(workspaceId)).call('listInvitations', { workspaceId });
  const invitationByDigest = new Map(kept.map((invitation) => [invitation.digest, invitation]));
  const { members, certificates } = log.state.members;
  const joins = [];
  for (const join of await client.joins()) {
    const { certificate, proof, at } = join;
    const invited = invitationByDigest.get(join.invitation);
    if (invited === undefined || invited.nonce !== null) continue;
    const invitation = readInvitation(invited.invitation);
    if (proveInvitation(invitation, certificate.body) !== proof) continue;
    const fingerprint = await ports.main.checkCertificate(certificate);
    const read = fingerprint === null ? null : readCertificate(certificate, fingerprint);
    if (fingerprint === null || read === null || read.email !== invitation.email) continue;
    const answered = await answerJoin(ports, session, invited, join);
    if (answered === null) continue;
    const others = (members === null ? [] : listMembers(members)).filter(({ email }) => email === read.email);
    const keys = others.flatMap(({ computer }) => certificates.get(computer)?.signer.fingerprint ?? []);
    joins.push({
      certificate,
      computer: read.signer.computer,
      email: read.email,
      fingerprint,
      at,
      ...answered,
      role: others[0]?.role ?? invitation.role,
      otherKeys: keys.includes(fingerprint) ? [] : [...new Set(keys)],
    });
  }
  return joins;
}

/**
 * Admits a computer that asked to join, with all team keys. `acceptsOtherKey`: even if the same person is in the team
 * with another SSH key.
 * @throws DeskError `team.joinNotCompared`, `team.otherKey`, `team.wrongInvitation`, `team.notMember`, `team.*`
 */
export async function approve(
  ports: TeamPorts,
  session: TeamSession,
  { computer, acceptsOtherKey = false }: { computer: string; acceptsOtherKey?: boolean | undefined },
): Promise<void> {
  await session.exchange();
  const join = (await listJoins(ports, session)).find((candidate) => candidate.computer === computer);
  if (join === undefined) throw new DeskError('team.wrongInvitation');
  if (join.code === null) throw new DeskError('team.joinNotCompared');
  if (join.otherKeys.length > 0 && !acceptsOtherKey) throw new DeskError('team.otherKey');
  const { role, certificate } = join;
  const { team, log } = session;
  const { sealingKey } = readOwn(certificate);
  const grants = sealAll(log.state.members, { team, computer, sealingKey });
  await postMembership(ports, session, { act: 'admit', certificate, role, grants });
}
