import type { Handlers } from '../../../contract/procedures.ts';
import { listMembers } from '../../../team-protocol/membership.ts';
import { makeRecoveryKey } from '../../../team-protocol/recovery-key.ts';
import { DeskError } from '../../lib/errors.ts';
import {
  approve,
  createTeam,
  invite,
  joinTeam,
  leave,
  listJoins,
  revoke,
  setRole,
} from '../team/change-members.ts';
import { readInvitation } from '../team/invitation.ts';
import { recoverTeam, replaceRecoveryKey, requireShownKey, requireTriedKey } from '../team/recovery-key.ts';
import type { TeamSession } from '../team/team-ports.ts';
import { changeTeamSettings } from '../team/team-settings.ts';
import type { FollowedTeams } from './followed-teams.ts';

const isDone = { isDone: true } as const;

/** Answers the procedures by which a workspace gets a team, and leaves it. */
export const createTeamHandlers = ({
  ports,
  sessionOf,
  start,
  stop,
  readStatus,
  whileBinding,
}: FollowedTeams): Handlers<
  | 'team:getStatus'
  | 'team:create'
  | 'team:readInvitation'
  | 'team:join'
  | 'team:recover'
  | 'team:leave'
  | 'team:sync'
> => ({
  'team:getStatus': async ({ workspaceId }) => {
    await start(workspaceId);
    return readStatus(workspaceId);
  },
  'team:create': async (wanted) => {
    const { workspaceId } = wanted;
    const created = await whileBinding(workspaceId, () => createTeam(ports, wanted));
    const session = await sessionOf(workspaceId);
    await session.exchange();
    await changeTeamSettings(ports, session, []);
    await start(workspaceId);
    ports.onChanged(workspaceId);
    return created;
  },
  'team:readInvitation': async ({ invitation }) => {
    const { server, service } = readInvitation(invitation);
    // The sample of another computer cannot be reached.
    if (!/^https?:/.test(service.address)) throw new DeskError('team.wrongInvitation');
    return { server, service };
  },
  'team:join': async (wanted) => {
    const joined = await whileBinding(wanted.workspaceId, () => joinTeam(ports, wanted));
    await start(wanted.workspaceId);
    ports.onChanged(wanted.workspaceId);
    return joined;
  },
  'team:recover': async (wanted) => {
    const { workspaceId } = wanted;
    await whileBinding(workspaceId, () => recoverTeam(ports, wanted));
    await (await sessionOf(workspaceId)).exchange();
    await start(workspaceId);
    return readStatus(workspaceId);
  },
  'team:leave': async ({ workspaceId }) => {
    await leave(ports, await sessionOf(workspaceId));
    await stop(workspaceId);
    ports.onChanged(workspaceId);
    return isDone;
  },
  'team:sync': async ({ workspaceId }) => {
    await (await sessionOf(workspaceId)).exchange();
    return readStatus(workspaceId);
  },
});

/** The members of the team by email, each with its computers. */
function describeMembers({ log, computer: own }: TeamSession) {
  const { members, certificates } = log.state.members;
  const byEmail = Map.groupBy(members === null ? [] : listMembers(members), ({ email }) => email);
  return [...byEmail].map(([email, computers]) => ({
    email,
    role: computers[0]?.role ?? 'reader',
    isYou: computers.some(({ computer }) => computer === own),
    computers: computers.map(({ computer }) => ({
      computer,
      fingerprint: certificates.get(computer)?.signer.fingerprint ?? null,
      isThis: computer === own,
    })),
  }));
}

/** Answers the procedures about the members of a team and its recovery key. */
export function createTeamMemberHandlers({
  ports,
  sessionOf,
}: FollowedTeams): Handlers<
  | 'team:invite'
  | 'team:makeRecoveryKey'
  | 'team:replaceRecoveryKey'
  | 'team:listJoins'
  | 'team:approve'
  | 'team:listMembers'
  | 'team:setRole'
  | 'team:revoke'
> {
  const change = async (workspaceId: string, run: (session: TeamSession) => Promise<void>) => {
    await run(await sessionOf(workspaceId));
    ports.onChanged(workspaceId);
    return isDone;
  };
  return {
    'team:invite': async ({ workspaceId, recoveryKey }) => {
      const session = await sessionOf(workspaceId);
      await session.exchange();
      requireTriedKey(session.log.state.members, recoveryKey);
      return invite(ports, session);
    },
    'team:makeRecoveryKey': async ({ workspaceId }) => {
      const { server, team } = await sessionOf(workspaceId);
      return { recoveryKey: makeRecoveryKey().text, server, team };
    },
    'team:replaceRecoveryKey': async ({ workspaceId, recoveryKey, shown }) => {
      requireShownKey(recoveryKey, shown);
      const isNew = await replaceRecoveryKey(ports, await sessionOf(workspaceId), recoveryKey);
      if (isNew) await ports.auditAction(workspaceId, 'team.recoveryKeyReplaced', {});
      return { isNew };
    },
    'team:listJoins': async ({ workspaceId }) => ({
      joins: (await listJoins(ports, await sessionOf(workspaceId))).map(
        ({ certificate: _certificate, ...join }) => join,
      ),
    }),
    'team:approve': ({ workspaceId, ...wanted }) =>
      change(workspaceId, (session) => approve(ports, session, wanted)),
    'team:listMembers': async ({ workspaceId }) => ({
      members: describeMembers(await sessionOf(workspaceId)),
    }),
    'team:setRole': ({ workspaceId, ...wanted }) =>
      change(workspaceId, (session) => setRole(ports, session, wanted)),
    'team:revoke': ({ workspaceId, computer, email }) => {
      const of = computer !== undefined ? { computer } : email !== undefined ? { email } : null;
      if (of === null) throw new DeskError('usage.invalid');
      return change(workspaceId, (session) => revoke(ports, session, of));
    },
  };
}
