import { randomBytes, sign } from 'node:crypto';
import type { Certificate, CertificateBody } from '../../../team-protocol/certificate.ts';
import { publicBytesOf } from '../../../team-protocol/derive-keys.ts';
import { computerIdOf } from '../../../team-protocol/entry.ts';
import { openGrant, sealGrant } from '../../../team-protocol/grant.ts';
import { listMembers, type MembershipAct, type TeamRole } from '../../../team-protocol/membership.ts';
import { makeRecoveryKey, readRecoveryKey } from '../../../team-protocol/recovery-key.ts';
import { toSignedBytes } from '../../../team-protocol/sign-entry.ts';
import { DeskError } from '../../lib/errors.ts';
import { readCertificate } from '../review/signed-entry.ts';
import {
  codeOf,
  digestOf,
  makeInvitation,
  proveInvitation,
  readInvitation,
  writeInvitation,
} from './invitation.ts';
import { writeMembershipEntry, writeMembershipHeader } from './membership-entry.ts';
import { openLog } from './pull-log.ts';
import { answerOf, createTeamClient, toTeamError } from './team-client.ts';
import type { TeamMembers } from './team-members.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';
import { openSession } from './team-session.ts';
import { keepTeamViews } from './team-settings.ts';

async function post(ports: TeamPorts, session: TeamSession, act: MembershipAct): Promise<void> {
  const { results } = await session.client.post([await writeMembershipEntry(ports, session, act)]);
  const [result] = results;
  if (result !== undefined && 'error' in result) throw toTeamError(result.error.code);
  await session.exchange();
}

/**
 * Makes a team on a server, with this computer as its first member.
 *
 * @throws DeskError `team.wrongSetupCode`, `team.otherTeam`, `team.serverNotAllowed`, `team.unreachable`,
 *   `app.notConfirmed`; the workspace has no team then
 */
export async function createTeam(
  ports: TeamPorts,
  { workspaceId, server, setupCode }: { workspaceId: string; server: string; setupCode: string },
): Promise<{ recoveryKey: string; team: string }> {
  const { host } = ports;
  const team = randomBytes(16).toString('base64url');
  await host.bindTeam({ workspaceId, server, team });
  try {
    const certificate = await host.certifyComputer({ workspaceId, team });
    const session = await openSession(ports, workspaceId);
    const recovery = makeRecoveryKey();
    const key = randomBytes(32);
    const seal = (computer: string, sealingKey: string): string =>
      sealGrant({ team, generation: 1, key, computer, sealingKey });
    const own = readOwn(certificate);
    const act: MembershipAct = {
      act: 'create',
      certificate,
      grant: seal(session.computer, own.sealingKey),
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
    await host.unbindTeam({ workspaceId });
    throw thrown;
  }
}

/** The body of a certificate that was already checked. */
const readOwn = ({ body }: Certificate): CertificateBody => JSON.parse(body) as CertificateBody;

/**
 * Admits this computer with the team's recovery key, for a team whose admins lost their computers.
 *
 * @throws DeskError `team.wrongRecoveryKey`, and as `createTeam`: then the workspace has no team
 */
export async function recoverTeam(
  ports: TeamPorts,
  {
    workspaceId,
    server,
    team,
    recoveryKey,
  }: { workspaceId: string; server: string; team: string; recoveryKey: string },
): Promise<void> {
  const { host } = ports;
  const keys = readRecoveryKey(recoveryKey);
  if (keys === null) throw new DeskError('team.wrongRecoveryKey');
  await host.bindTeam({ workspaceId, server, team });
  try {
    const certificate = await host.certifyComputer({ workspaceId, team });
    const { signingKey, sealingKey, email } = readOwn(certificate);
    const computer = computerIdOf(Buffer.from(publicBytesOf(keys.signing), 'base64url'));
    const client = createTeamClient({
      ...{ server, team, clock: ports.clock, transport: ports.transportOf(workspaceId) },
      getToken: (wanted) => host.getTeamToken({ workspaceId, recoveryKey, ...wanted }),
    });
    await client.head().catch((thrown) => {
      throw answerOf(thrown) === 'member.unknown' ? new DeskError('team.wrongRecoveryKey') : thrown;
    });
    const members = {
      computer,
      checkCertificate: host.checkCertificate,
      openGrant: async (generation: number, grant: string) =>
        openGrant(keys.sealing, { team, generation, computer }, grant),
    };
    const log = await openLog({ ...ports, workspaceId, team, members }, client);
    await log.pull();
    const state = log.state.members;
    if (state.members === null) throw new DeskError('team.notMember');
    const own = computerIdOf(Buffer.from(signingKey, 'base64url'));
    const act: MembershipAct = {
      ...{ act: 'admit', certificate },
      role: listMembers(state.members).find((one) => one.email === email)?.role ?? 'admin',
      grants: sealAll(state, { team, computer: own, sealingKey }),
    };
    const { header, head } = writeMembershipHeader({ team, computer, client, log }, act);
    const signature = sign(null, toSignedBytes(header), keys.signing);
    const { results } = await client.post([{ header, signature, head, parts: [] }]);
    if (results[0] !== undefined && 'error' in results[0]) throw toTeamError(results[0].error.code);
    await ports.settle(workspaceId);
  } catch (thrown) {
    await forget(ports, workspaceId);
    throw thrown;
  }
}

/** All team keys, sealed for a computer. @throws DeskError `team.notMember` where this computer lacks one */
function sealAll(
  { members, keys }: TeamMembers,
  of: { readonly team: string; readonly computer: string; readonly sealingKey: string },
): string[] {
  return Array.from({ length: members?.generation ?? 0 }, (_none, index) => {
    const key = keys.get(index + 1);
    if (key === undefined) throw new DeskError('team.notMember');
    return sealGrant({ ...of, generation: index + 1, key });
  });
}

/**
 * Has the printed recovery key tried before a second person joins: a wrong copy would be noticed when it is needed.
 *
 * @throws DeskError `team.recoveryKeyNotTried`, `team.wrongRecoveryKey`
 */
export function requireTriedKey({ members }: TeamMembers, typed: string | undefined): void {
  const people = new Set(members === null ? [] : listMembers(members).map(({ email }) => email));
  if (members === null || people.size > 1) return;
  if (typed === undefined) throw new DeskError('team.recoveryKeyNotTried');
  const keys = readRecoveryKey(typed);
  if (keys === null || publicBytesOf(keys.signing) !== members.recovery.signingKey)
    throw new DeskError('team.wrongRecoveryKey');
}

/** Makes an invitation for one computer, valid for 72 hours. @throws DeskError `team.*` */
export async function invite(ports: TeamPorts, session: TeamSession) {
  const { workspaceId, server, team, log, client } = session;
  const userData = await ports.getUserData(workspaceId);
  const first = await userData.call('readTeamHashes', { workspaceId, number: 1, limit: 1 });
  const root = log.state.position.root ?? first[0]?.hash;
  if (root === undefined) throw new DeskError('team.notMember');
  const invitation = makeInvitation({ server, team, root });
  const digest = digestOf(invitation);
  const { expiresAt } = await client.invite(digest);
  await userData.call('keepInvitation', { workspaceId, digest, secret: invitation.secret });
  return { invitation: writeInvitation(invitation), expiresAt };
}

/**
 * Asks to join a team. From then on this computer waits for an admin's approval.
 *
 * @throws DeskError as `createTeam`, and `team.wrongInvitation`
 */
export async function joinTeam(
  ports: TeamPorts,
  { workspaceId, invitation: text }: { workspaceId: string; invitation: string },
): Promise<{ code: string }> {
  const { host } = ports;
  const invitation = readInvitation(text);
  const { server, team, root } = invitation;
  await host.bindTeam({ workspaceId, server, team });
  try {
    const userData = await ports.getUserData(workspaceId);
    const certificate = await host.certifyComputer({ workspaceId, team });
    await userData.call('beginTeam', { workspaceId, team, root });
    const { client } = await openSession(ports, workspaceId);
    const proof = proveInvitation(invitation, certificate.body);
    await client.join({ invitation: digestOf(invitation), certificate, proof });
    await userData.call('keepInvitation', {
      workspaceId,
      digest: digestOf(invitation),
      secret: invitation.secret,
    });
    return { code: codeOf(invitation, certificate.body) };
  } catch (thrown) {
    await host.unbindTeam({ workspaceId });
    throw thrown;
  }
}

/** Requests to join by invitations of this computer, each with the code that is to be compared. */
export async function listJoins({ host, getUserData }: TeamPorts, { workspaceId, client }: TeamSession) {
  const userData = await getUserData(workspaceId);
  const own = new Map(
    (await userData.call('listInvitations', { workspaceId })).map(({ digest, secret }) => [digest, secret]),
  );
  const joins = [];
  for (const { invitation, certificate, proof, at } of await client.joins()) {
    const secret = own.get(invitation);
    if (secret === undefined || proveInvitation({ secret }, certificate.body) !== proof) continue;
    const fingerprint = await host.checkCertificate(certificate);
    const read = fingerprint === null ? null : readCertificate(certificate, fingerprint);
    if (fingerprint === null || read === null) continue;
    const code = codeOf({ secret }, certificate.body);
    joins.push({ certificate, computer: read.signer.computer, email: read.email, fingerprint, at, code });
  }
  return joins;
}

/** Admits a computer that asked to join, with all team keys. @throws DeskError `team.notMember`, `team.*` */
export async function approve(
  ports: TeamPorts,
  session: TeamSession,
  { computer, role }: { computer: string; role: TeamRole },
): Promise<void> {
  const join = (await listJoins(ports, session)).find((one) => one.computer === computer);
  if (join === undefined) throw new DeskError('team.wrongInvitation');
  await session.exchange();
  const { team, log } = session;
  const { sealingKey } = readOwn(join.certificate);
  const grants = sealAll(log.state.members, { team, computer, sealingKey });
  await post(ports, session, { act: 'admit', certificate: join.certificate, role, grants });
}

export const setRole = (
  ports: TeamPorts,
  session: TeamSession,
  { email, role }: { email: string; role: TeamRole },
): Promise<void> => post(ports, session, { act: 'role', email, role });

/** Ends the membership of a computer, or of all computers of a person; the team key is renewed. @throws DeskError `team.*` */
export const revoke = (
  ports: TeamPorts,
  session: TeamSession,
  of: { computer: string } | { email: string },
): Promise<void> => post(ports, session, { act: 'revoke', of });

/**
 * Leaves the team and deletes this computer's keys for it. Where the server does not answer, or this computer is the
 * last one of the team or no longer a member, the team is forgotten here only.
 */
export async function leave(ports: TeamPorts, session: TeamSession): Promise<void> {
  const { workspaceId } = session;
  await post(ports, session, { act: 'leave' }).catch((thrown) => {
    const { members } = session.log.state.members;
    const isAlone = members !== null && listMembers(members).length === 1;
    const mayForget =
      (isAlone && answerOf(thrown) === 'member.lastAdmin') ||
      answerOf(thrown) === 'member.unknown' ||
      ['team.notMember', 'team.unreachable'].includes((thrown as DeskError).code);
    if (!mayForget) throw thrown;
  });
  await forget(ports, workspaceId);
}

export async function forget(ports: TeamPorts, workspaceId: string): Promise<void> {
  const { host, getUserData } = ports;
  await keepTeamViews(ports, workspaceId);
  await host.unbindTeam({ workspaceId });
  await (await getUserData(workspaceId)).call('forgetTeam', { workspaceId });
}
