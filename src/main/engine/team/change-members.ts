import { randomBytes } from 'node:crypto';
import { serviceOf } from '../../../rules/money/reimbursement.ts';
import type { Certificate, CertificateBody } from '../../../team-protocol/certificate.ts';
import { computerIdOf } from '../../../team-protocol/entry.ts';
import { sealGrant } from '../../../team-protocol/grant.ts';
import { listMembers, type MembershipAct, type TeamRole } from '../../../team-protocol/membership.ts';
import { makeRecoveryKey } from '../../../team-protocol/recovery-key.ts';
import { DeskError } from '../../lib/errors.ts';
import { keepTeamViews } from './hold-team-settings.ts';
import { digestOf, makeInvitation, writeInvitation } from './invitation.ts';
import { writeMembershipEntry } from './membership-entry.ts';
import { answerOf, toTeamError } from './team-client.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';
import { openSession } from './team-session.ts';

/** How often a membership is signed again because others changed the members in the meantime. */
const maxTries = 5;

/**
 * Sends a membership, and reads the log up to it. If the log has changed in the meantime, the membership is signed
 * again.
 * @throws DeskError `team.*`
 */
export async function postMembership(
  ports: TeamPorts,
  session: TeamSession,
  act: MembershipAct,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { results } = await session.client.post([await writeMembershipEntry(ports, session, act)]);
    const [result] = results;
    const code = result !== undefined && 'error' in result ? result.error.code : null;
    if (code !== null && (code !== 'entry.notInPlace' || tries === maxTries)) throw toTeamError(code);
    await session.exchange();
    if (code === null) return;
  }
}

/**
 * Makes a team on a server, with this computer as its first member. If this fails, the workspace has no team.
 * @throws DeskError `team.wrongSetupCode`, `team.otherTeam`, `team.serverNotAllowed`, `team.unreachable`,
 * `app.notConfirmed`
 */
export async function createTeam(
  ports: TeamPorts,
  { workspaceId, server, setupCode }: { workspaceId: string; server: string; setupCode: string },
): Promise<{ recoveryKey: string; team: string }> {
  const { main } = ports;
  const team = randomBytes(16).toString('base64url');
  await main.bindTeam({ workspaceId, server, team });
  try {
    const certificate = await main.certifyComputer({ workspaceId, team });
    const session = await openSession(ports, workspaceId);
    const recovery = makeRecoveryKey();
    const key = randomBytes(32);
    const seal = (computer: string, sealingKey: string): string =>
      sealGrant({ team, generation: 1, key, computer, sealingKey });
    const ownKeys = readOwn(certificate);
    const act: MembershipAct = {
      act: 'create',
      certificate,
      grant: seal(session.computer, ownKeys.sealingKey),
      recovery: {
        ...{ signingKey: recovery.signingKey, sealingKey: recovery.sealingKey },
        grant: seal(computerIdOf(Buffer.from(recovery.signingKey, 'base64url')), recovery.sealingKey),
      },
    };
    const send = async (): Promise<unknown> =>
      session.client.create(setupCode, await writeMembershipEntry(ports, session, act));
    // The clock may be wrong: the refusal contains the server's time, which the second request uses.
    await send().catch((thrown) => {
      if (answerOf(thrown) !== 'entry.ahead') throw thrown;
      return send();
    });
    return { recoveryKey: recovery.text, team };
  } catch (thrown) {
    await main.unbindTeam({ workspaceId });
    throw thrown;
  }
}

/** The body of a certificate that was already checked. */
export const readOwn = ({ body }: Certificate): CertificateBody => JSON.parse(body) as CertificateBody;

/** Makes an invitation for one computer of this user, valid for 72 hours. @throws DeskError `team.*` */
export async function invite(
  ports: TeamPorts,
  session: TeamSession,
  { email, role }: { readonly email: string; readonly role: TeamRole },
) {
  const { workspaceId, server, team, log, client } = session;
  const userData = await ports.getUserData(workspaceId);
  const first = await userData.call('readTeamHashes', { workspaceId, number: 1, limit: 1 });
  const root = log.state.position.root ?? first[0]?.hash;
  if (root === undefined) throw new DeskError('team.notMember');
  const { workspace } = await ports.main.findWorkspace(workspaceId);
  const { name, header, scheme } = workspace;
  const service = { address: serviceOf(workspace), name, header, scheme };
  const made = makeInvitation({ server, team, root, service, email, role });
  const [digest, invitation] = [digestOf(made), writeInvitation(made)];
  const { expiresAt } = await client.invite(digest);
  await userData.call('keepInvitation', { workspaceId, digest, invitation, request: null, nonce: null });
  return { invitation, expiresAt };
}

export const setRole = (
  ports: TeamPorts,
  session: TeamSession,
  { email, role }: { email: string; role: TeamRole },
): Promise<void> => postMembership(ports, session, { act: 'role', email, role });

/** Ends the membership of a computer or of an email; renews the team key. @throws DeskError `team.*` */
export const revoke = (
  ports: TeamPorts,
  session: TeamSession,
  of: { computer: string } | { email: string },
): Promise<void> => postMembership(ports, session, { act: 'revoke', of });

/**
 * Leaves the team and deletes this computer's keys for it. If the server does not answer, or this computer is the last
 * one of the team or no longer a member, the team is forgotten only here.
 */
export async function leave(ports: TeamPorts, session: TeamSession): Promise<void> {
  const { workspaceId } = session;
  await postMembership(ports, session, { act: 'leave' }).catch((thrown) => {
    const { members } = session.log.state.members;
    const isAlone = members !== null && listMembers(members).length === 1;
    const mayForget =
      (isAlone && answerOf(thrown) === 'member.lastAdmin') ||
      answerOf(thrown) === 'member.unknown' ||
      ['team.notMember', 'team.oldLog', 'team.unreachable'].includes((thrown as DeskError).code);
    if (!mayForget) throw thrown;
  });
  await forget(ports, workspaceId);
}

export async function forget(ports: TeamPorts, workspaceId: string): Promise<void> {
  const { main, getUserData } = ports;
  await keepTeamViews(ports, workspaceId);
  await main.unbindTeam({ workspaceId });
  await (await getUserData(workspaceId)).call('forgetTeam', { workspaceId });
}
