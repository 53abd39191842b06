import { sign } from 'node:crypto';
import { publicBytesOf } from '../../../team-protocol/derive-keys.ts';
import { computerIdOf } from '../../../team-protocol/entry.ts';
import type { MembershipAct } from '../../../team-protocol/membership.ts';
import { readRecoveryKey } from '../../../team-protocol/recovery-key.ts';
import { toSignedBytes } from '../../../team-protocol/sign-entry.ts';
import { DeskError } from '../../lib/errors.ts';
import { isContradiction } from './check-place.ts';
import { listAdmins } from './kept-members.ts';
import { writeMembershipEntry, writeMembershipHeader } from './membership-entry.ts';
import { createTeamClient, toTeamError } from './team-client.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';

/**
 * Confirms the server's current log although it contradicts what this computer has read about members: with this
 * computer, or with the recovery key if the team has no other admin's computer. `isFollowed`: the log is followed from
 * now on; otherwise an admin on another computer has to confirm it too.
 * @throws DeskError `team.notAdmin`, `team.wrongRecoveryKey`, `app.notConfirmed`, `team.*`
 */
export async function followLog(
  ports: TeamPorts,
  session: TeamSession,
  recoveryKey?: string,
): Promise<{ isFollowed: boolean }> {
  const { workspaceId, server, team, computer, log } = session;
  const { members, kept } = log.state;
  if (!listAdmins(members.members, kept).includes(computer)) throw new DeskError('team.notAdmin');
  const keys = recoveryKey === undefined ? undefined : readRecoveryKey(recoveryKey);
  if (keys === null) throw new DeskError('team.wrongRecoveryKey');
  const client =
    keys === undefined
      ? session.client
      : createTeamClient({
          ...{ server, team, clock: ports.clock, transport: ports.transportOf(workspaceId) },
          getToken: (tokenRequest) =>
            ports.main.getTeamToken({ workspaceId, ...(recoveryKey && { recoveryKey }), ...tokenRequest }),
        });
  const exchange = async (): Promise<boolean> => {
    try {
      await session.exchange();
      return true;
    } catch (thrown) {
      if (isContradiction(thrown)) return false;
      throw thrown;
    }
  };
  if (await exchange()) return { isFollowed: true };
  await ports.main.confirmFollowedLog({ workspaceId });
  const { number, hash } = await client.head();
  const act: MembershipAct = { act: 'follow', number, hash };
  const author = { team, client, log, workspaceId };
  const byKey = (): Parameters<typeof client.post>[0][number] => {
    const signing = keys?.signing;
    if (signing === undefined) throw new DeskError('internal.fault');
    const keyComputer = computerIdOf(Buffer.from(publicBytesOf(signing), 'base64url'));
    const { header, head } = writeMembershipHeader({ ...author, computer: keyComputer }, act);
    return { header, head, signature: sign(null, toSignedBytes(header), signing), parts: [] };
  };
  const entry =
    keys === undefined ? await writeMembershipEntry(ports, { ...author, computer }, act) : byKey();
  const [result] = (await client.post([entry])).results;
  if (result !== undefined && 'error' in result) throw toTeamError(result.error.code);
  return { isFollowed: await exchange() };
}
