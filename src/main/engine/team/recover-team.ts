import { sign } from 'node:crypto';
import { publicBytesOf } from '../../../team-protocol/derive-keys.ts';
import { computerIdOf } from '../../../team-protocol/entry.ts';
import { openGrant } from '../../../team-protocol/grant.ts';
import { findMember, listMembers, type MembershipAct } from '../../../team-protocol/membership.ts';
import { readRecoveryKey } from '../../../team-protocol/recovery-key.ts';
import { toSignedBytes } from '../../../team-protocol/sign-entry.ts';
import { DeskError } from '../../lib/errors.ts';
import { forget, postMembership, readOwn } from './change-members.ts';
import { renewTeamKey, sealAll } from './due-memberships.ts';
import { writeMembershipHeader } from './membership-entry.ts';
import { openLog } from './pull-log.ts';
import { answerOf, createTeamClient, toTeamError } from './team-client.ts';
import type { TeamMembers } from './team-members.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';

/**
 * Admits this computer with the team's recovery key, for a team whose admins lost their computers. If this fails, the
 * workspace has no team.
 * @throws DeskError `team.wrongRecoveryKey`, and as `createTeam`
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
  const { main } = ports;
  const keys = readRecoveryKey(recoveryKey);
  if (keys === null) throw new DeskError('team.wrongRecoveryKey');
  await main.bindTeam({ workspaceId, server, team });
  try {
    const certificate = await main.certifyComputer({ workspaceId, team });
    const { signingKey, sealingKey, email } = readOwn(certificate);
    const computer = computerIdOf(Buffer.from(publicBytesOf(keys.signing), 'base64url'));
    const client = createTeamClient({
      ...{ server, team, clock: ports.clock, transport: ports.transportOf(workspaceId) },
      getToken: (tokenRequest) => main.getTeamToken({ workspaceId, recoveryKey, ...tokenRequest }),
    });
    const newest = await client.head().catch((thrown) => {
      throw answerOf(thrown) === 'member.unknown' ? new DeskError('team.wrongRecoveryKey') : thrown;
    });
    const members = {
      computer,
      checkCertificate: main.checkCertificate,
      openGrant: async (generation: number, grant: string) =>
        openGrant(keys.sealing, { team, generation, computer }, grant),
    };
    const log = await openLog({ ...ports, workspaceId, team, members }, client);
    await log.pull();
    await log.keepRead(newest.number);
    const state = log.state.members;
    if (state.members === null) throw new DeskError('team.notMember');
    const ownComputer = computerIdOf(Buffer.from(signingKey, 'base64url'));
    const act: MembershipAct = {
      ...{ act: 'admit', certificate },
      role: listMembers(state.members).find((member) => member.email === email)?.role ?? 'admin',
      grants: sealAll(state, { team, computer: ownComputer, sealingKey }),
    };
    const { header, head } = writeMembershipHeader({ team, computer, client, log }, act);
    const signature = sign(null, toSignedBytes(header), keys.signing);
    const { results } = await client.post([{ header, signature, head, parts: [] }]);
    if (results[0] !== undefined && 'error' in results[0]) throw toTeamError(results[0].error.code);
    await ports.updateReviews(workspaceId);
  } catch (thrown) {
    await forget(ports, workspaceId);
    throw thrown;
  }
}

/**
 * Requires that the printed recovery key was tried before a second person joins; otherwise a wrong copy would be
 * noticed only when it is needed.
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

/** Refuses a typed recovery key that is not the one that was shown. @throws DeskError `team.wrongRecoveryKey` */
export function requireShownKey(typed: string, shown: string | undefined): void {
  if (shown === undefined) return;
  const [typedKeys, other] = [readRecoveryKey(typed), readRecoveryKey(shown)];
  if (
    typedKeys === null ||
    other === null ||
    publicBytesOf(typedKeys.signing) !== publicBytesOf(other.signing)
  )
    throw new DeskError('team.wrongRecoveryKey');
}

/**
 * Replaces the team's recovery key with a new one, typed from its page, and renews the team key: the former one can no
 * longer admit computers, nor open what is written from then on. Both are in one entry, so a computer that stops midway
 * leaves either the former or the new one. Returns false if it already was the team's key.
 * @throws DeskError `team.notAdmin`, `team.wrongRecoveryKey` for a typing error or a key that was replaced before,
 * `app.notConfirmed`, `team.*`
 */
export async function replaceRecoveryKey(
  ports: TeamPorts,
  session: TeamSession,
  typed: string,
): Promise<boolean> {
  const { workspaceId, computer, log } = session;
  const keys = readRecoveryKey(typed);
  if (keys === null) throw new DeskError('team.wrongRecoveryKey');
  await session.exchange();
  const { members } = log.state.members;
  if (members === null || findMember(members, computer)?.role !== 'admin')
    throw new DeskError('team.notAdmin');
  const halves = { signingKey: publicBytesOf(keys.signing), sealingKey: publicBytesOf(keys.sealing) };
  if (halves.signingKey === members.recovery.signingKey) return false;
  if (members.formerRecoveries.has(computerIdOf(Buffer.from(halves.signingKey, 'base64url'))))
    throw new DeskError('team.wrongRecoveryKey');
  await ports.main.confirmRecoveryKey({ workspaceId });
  // Another admin's computer may have renewed the team key while the question was open.
  await session.exchange();
  await postMembership(ports, session, renewTeamKey(log.state.members, halves));
  return true;
}
