import type { EngineHandlers } from '../../../contract/procedures.ts';
import { listMembers } from '../../../team-protocol/membership.ts';
import { makeRecoveryKey } from '../../../team-protocol/recovery-key.ts';
import { DeskError } from '../../lib/errors.ts';
import { advanceJoin, isAwaited } from './advance-join.ts';
import { createTeam, invite, leave, revoke, setRole } from './change-members.ts';
import { followLog } from './follow-log.ts';
import type { FollowedTeams } from './followed-teams.ts';
import { changeTeamSettings } from './hold-team-settings.ts';
import { readInvitation } from './invitation.ts';
import { approve, joinTeam, listJoins } from './join-team.ts';
import { recoverTeam, replaceRecoveryKey, requireShownKey, requireTriedKey } from './recover-team.ts';
import { dismissOtherLogs } from './rewound-logs.ts';
import type { TeamSession } from './team-ports.ts';
import { undoHeld } from './undo-held.ts';

const isDone = { isDone: true } as const;

/** Answers the procedures by which a workspace gets a team, and leaves it. */
export const createTeamHandlers = ({
  ports,
  sessionOf,
  start,
  stop,
  readStatus,
  whileBinding,
}: FollowedTeams) =>
  ({
    'team:getStatus': async ({ workspaceId }) => {
      await start(workspaceId);
      return readStatus(workspaceId);
    },
    'team:create': async (request) => {
      const { workspaceId } = request;
      const created = await whileBinding(workspaceId, () => createTeam(ports, request));
      const session = await sessionOf(workspaceId);
      await session.exchange();
      await changeTeamSettings(ports, session, []);
      await start(workspaceId);
      ports.onChanged(workspaceId);
      return created;
    },
    'team:readInvitation': async ({ invitation }) => {
      const { server, service } = readInvitation(invitation);
      // Another computer's sample can't be reached.
      if (!/^https?:/.test(service.address)) throw new DeskError('team.wrongInvitation');
      return { server, service };
    },
    'team:join': async (request) => {
      await whileBinding(request.workspaceId, () => joinTeam(ports, request));
      await start(request.workspaceId);
      ports.onChanged(request.workspaceId);
      return isDone;
    },
    'team:recover': async (request) => {
      const { workspaceId } = request;
      await whileBinding(workspaceId, () => recoverTeam(ports, request));
      await (await sessionOf(workspaceId)).exchange().catch((thrown) => {
        if ((thrown as DeskError).code !== 'team.recoveryWaits') throw thrown;
      });
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
      const session = await sessionOf(workspaceId);
      await session.exchange().catch(async (thrown) => {
        if (!isAwaited(session, thrown)) throw thrown;
        await advanceJoin(ports, session);
      });
      await session.documents.tend();
      return readStatus(workspaceId);
    },
  }) satisfies EngineHandlers;

/** The members of the team by email, each with its computers. */
function describeMembers({ log, computer: ownComputer }: TeamSession) {
  const { members, certificates } = log.state.members;
  const byEmail = Map.groupBy(members === null ? [] : listMembers(members), ({ email }) => email);
  return [...byEmail].map(([email, computers]) => ({
    email,
    role: computers[0]?.role ?? 'reader',
    isYou: computers.some(({ computer }) => computer === ownComputer),
    computers: computers.map(({ computer }) => ({
      computer,
      fingerprint: certificates.get(computer)?.signer.fingerprint ?? null,
      isThis: computer === ownComputer,
    })),
  }));
}

/** Answers the procedures about the members of a team and its recovery key. */
export function createTeamMemberHandlers(
  { ports, sessionOf }: FollowedTeams,
  undo: Parameters<typeof undoHeld>[2],
) {
  const change = async (workspaceId: string, run: (session: TeamSession) => Promise<void>) => {
    await run(await sessionOf(workspaceId));
    ports.onChanged(workspaceId);
    return isDone;
  };
  return {
    'team:invite': async ({ workspaceId, recoveryKey, ...whom }) => {
      const session = await sessionOf(workspaceId);
      await session.exchange();
      requireTriedKey(session.log.state.members, recoveryKey);
      return invite(ports, session, whom);
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
    'team:followLog': async ({ workspaceId, recoveryKey }) => {
      const followed = await followLog(ports, await sessionOf(workspaceId), recoveryKey);
      await ports.auditAction(workspaceId, 'team.logFollowed', { ...followed });
      ports.onChanged(workspaceId);
      return followed;
    },
    'team:dismissLogs': ({ workspaceId }) =>
      change(workspaceId, (session) => dismissOtherLogs(ports, session)),
    'team:undoHeld': async ({ workspaceId }) => {
      const userData = await ports.getUserData(workspaceId);
      const done = await undoHeld(await sessionOf(workspaceId), userData, undo);
      ports.onChanged(workspaceId);
      return done;
    },
    'team:listJoins': async ({ workspaceId }) => ({
      joins: (await listJoins(ports, await sessionOf(workspaceId))).map(
        ({ certificate: _certificate, ...join }) => join,
      ),
    }),
    'team:approve': ({ workspaceId, ...request }) =>
      change(workspaceId, (session) => approve(ports, session, request)),
    'team:listMembers': async ({ workspaceId }) => ({
      members: describeMembers(await sessionOf(workspaceId)),
    }),
    'team:setRole': ({ workspaceId, ...request }) =>
      change(workspaceId, (session) => setRole(ports, session, request)),
    'team:revoke': ({ workspaceId, computer, email }) => {
      const target = computer !== undefined ? { computer } : email !== undefined ? { email } : null;
      if (target === null) throw new DeskError('usage.invalid');
      return change(workspaceId, (session) => revoke(ports, session, target));
    },
  } satisfies EngineHandlers;
}
