import type { DoctorFinding } from '../../../contract/doctor.ts';
import type { AnyEvent } from '../../../contract/events.ts';
import type { TeamStatus } from '../../../contract/team.ts';
import { findMember, listMembers } from '../../../team-protocol/membership.ts';
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
import { diagnoseTeam } from '../team/diagnose-team.ts';
import { findArriving } from '../team/find-arriving.ts';
import { type FollowedLeases, followLeases, nextClaimMs } from '../team/follow-leases.ts';
import { createNews } from '../team/hear-news.ts';
import { codeOf, readInvitation } from '../team/invitation.ts';
import { recoverTeam, replaceRecoveryKey, requireShownKey, requireTriedKey } from '../team/recovery-key.ts';
import { listPeople } from '../team/team-members.ts';
import type { TeamPorts, TeamSession } from '../team/team-ports.ts';
import { keepLive, openSession } from '../team/team-session.ts';
import { changeTeamSettings } from '../team/team-settings.ts';
import { createTeamSettingsHandlers } from './team-settings-handlers.ts';

interface Live {
  readonly session: Promise<TeamSession>;
  loop: ReturnType<typeof keepLive> | null;
  leases: FollowedLeases | null;
}

const isDone = { isDone: true } as const;

const describeOtherLog = ({ otherLog, members }: TeamSession['log']['state']) =>
  otherLog && {
    email: members.members?.computers.get(otherLog.computer)?.email ?? '',
    number: otherLog.number,
  };

/** Answers the procedures of a team, and keeps the workspaces that have one in touch with it. */
export function createTeamHandlers(ports: TeamPorts, isReadOnly: boolean) {
  const live = new Map<string, Live>();
  /** Workspaces whose team is being made or joined: until that is done they have none. */
  const binding = new Set<string>();
  const whileBinding = async <T>(workspaceId: string, run: () => Promise<T>): Promise<T> => {
    binding.add(workspaceId);
    try {
      return await run();
    } finally {
      binding.delete(workspaceId);
    }
  };
  const open = (workspaceId: string): Live => {
    const known = live.get(workspaceId);
    if (known !== undefined) return known;
    const opened: Live = { session: openSession(ports, workspaceId), loop: null, leases: null };
    live.set(workspaceId, opened);
    opened.session.catch(() => live.delete(workspaceId));
    return opened;
  };
  const sessionOf = (workspaceId: string): Promise<TeamSession> => open(workspaceId).session;
  const stop = async (workspaceId: string): Promise<void> => {
    const opened = live.get(workspaceId);
    live.delete(workspaceId);
    await opened?.leases?.end();
    await opened?.loop?.end();
  };
  /** Begins to follow the team of a workspace, where it has one. */
  const start = async (workspaceId: string): Promise<void> => {
    const { workspace } = await ports.host.findWorkspace(workspaceId);
    if (isReadOnly || workspace.team === undefined || binding.has(workspaceId)) return;
    const opened = open(workspaceId);
    const session = await opened.session;
    const userData = await ports.getUserData(workspaceId);
    opened.leases ??= followLeases(session, {
      now: () => ports.clock.now(),
      nextMs: nextClaimMs,
      isLive: () => opened.loop?.status().state === 'live',
      hasSentAll: async () => (await userData.call('countUnsent', { workspaceId })) === 0,
      onChanged: () => ports.onLeases(workspaceId),
    });
    opened.loop ??= keepLive(session, ports, createNews(session.client, opened.leases.hear));
  };
  const readStatus = async (workspaceId: string): Promise<TeamStatus> => {
    const { workspace } = await ports.host.findWorkspace(workspaceId);
    if (workspace.team === undefined || binding.has(workspaceId)) return null;
    const session = await sessionOf(workspaceId);
    const { loop } = open(workspaceId);
    const userData = await ports.getUserData(workspaceId);
    const { members } = session.log.state.members;
    const member = findMember(members, session.computer);
    const [invitation] = member === null ? await userData.call('listInvitations', { workspaceId }) : [];
    const certificate = await ports.host.certifyComputer({ workspaceId, team: session.team });
    const now = loop?.status() ?? {
      state: 'connecting' as const,
      problem: null,
      updatesBy: 'stream' as const,
    };
    return {
      ...{ server: session.server, ...now },
      unsent: await userData.call('countUnsent', { workspaceId }),
      refused: session.log.state.refused,
      otherLog: describeOtherLog(session.log.state),
      arriving: findArriving(session.log.state),
      role: member?.role ?? null,
      code: invitation === undefined ? null : codeOf(invitation, certificate.body),
    };
  };
  const byMember = async (workspaceId: string, run: (session: TeamSession) => Promise<void>) => {
    await run(await sessionOf(workspaceId));
    ports.onChanged(workspaceId);
    return isDone;
  };
  return {
    start,
    stop,
    sessionOf,
    listPeople: async (workspaceId: string) => {
      const { log, computer } = await sessionOf(workspaceId);
      return listPeople(log.state.members.members, computer);
    },
    stopAll: async (): Promise<void> => {
      await Promise.all([...live.keys()].map(stop));
    },
    /** The doctor's findings about the team's server. */
    diagnose: async (workspaceId: string): Promise<DoctorFinding[]> => {
      const session = await sessionOf(workspaceId).catch(() => null);
      return session === null ? [] : diagnoseTeam(session.client, ports.clock.now);
    },
    /** Null without a team, and before it is followed. */
    leasesOf: (workspaceId: string): FollowedLeases | null => live.get(workspaceId)?.leases ?? null,
    /** Something was done here, and is to be sent; records that other computers compare with theirs may have changed. */
    onEvent: ({ name, payload }: AnyEvent): void => {
      if (name === 'reviews:changed') live.get(payload.workspaceId)?.loop?.wake();
      if (name === 'sync:finished') live.get(payload.workspaceId)?.loop?.wake(true);
    },
    handlers: {
      ...createTeamSettingsHandlers(ports, sessionOf, (workspaceId) => live.get(workspaceId)?.loop?.wake()),
      'team:getStatus': async ({ workspaceId }: { workspaceId: string }) => {
        await start(workspaceId);
        return readStatus(workspaceId);
      },
      'team:create': async (wanted: { workspaceId: string; server: string; setupCode: string }) => {
        const created = await whileBinding(wanted.workspaceId, () => createTeam(ports, wanted));
        const session = await sessionOf(wanted.workspaceId);
        await session.exchange();
        await changeTeamSettings(ports, session, []);
        await start(wanted.workspaceId);
        ports.onChanged(wanted.workspaceId);
        return created;
      },
      'team:invite': async (wanted: { workspaceId: string; recoveryKey?: string | undefined }) => {
        const session = await sessionOf(wanted.workspaceId);
        await session.exchange();
        requireTriedKey(session.log.state.members, wanted.recoveryKey);
        return invite(ports, session);
      },
      'team:readInvitation': async ({ invitation }: { invitation: string }) => {
        const { server, service } = readInvitation(invitation);
        // The sample of another computer cannot be reached.
        if (!/^https?:/.test(service.address)) throw new DeskError('team.wrongInvitation');
        return { server, service };
      },
      'team:join': async (wanted: { workspaceId: string; invitation: string }) => {
        const joined = await whileBinding(wanted.workspaceId, () => joinTeam(ports, wanted));
        await start(wanted.workspaceId);
        ports.onChanged(wanted.workspaceId);
        return joined;
      },
      'team:recover': async (wanted: Parameters<typeof recoverTeam>[1]) => {
        await whileBinding(wanted.workspaceId, () => recoverTeam(ports, wanted));
        const session = await sessionOf(wanted.workspaceId);
        await session.exchange();
        await start(wanted.workspaceId);
        return readStatus(wanted.workspaceId);
      },
      'team:makeRecoveryKey': async ({ workspaceId }: { workspaceId: string }) => {
        const { server, team } = await sessionOf(workspaceId);
        return { recoveryKey: makeRecoveryKey().text, server, team };
      },
      'team:replaceRecoveryKey': async (wanted: {
        workspaceId: string;
        recoveryKey: string;
        shown?: string | undefined;
      }) => {
        const { workspaceId, recoveryKey, shown } = wanted;
        requireShownKey(recoveryKey, shown);
        const isNew = await replaceRecoveryKey(ports, await sessionOf(workspaceId), recoveryKey);
        if (isNew) await ports.auditAction(workspaceId, 'team.recoveryKeyReplaced', {});
        return { isNew };
      },
      'team:listJoins': async ({ workspaceId }: { workspaceId: string }) => ({
        joins: (await listJoins(ports, await sessionOf(workspaceId))).map(
          ({ certificate: _certificate, ...join }) => join,
        ),
      }),
      'team:approve': ({ workspaceId, ...wanted }: { workspaceId: string } & Parameters<typeof approve>[2]) =>
        byMember(workspaceId, (session) => approve(ports, session, wanted)),
      'team:listMembers': async ({ workspaceId }: { workspaceId: string }) => {
        const session = await sessionOf(workspaceId);
        const { members, certificates } = session.log.state.members;
        const byEmail = new Map<string, ReturnType<typeof listMembers>>();
        for (const one of members === null ? [] : listMembers(members))
          byEmail.set(one.email, [...(byEmail.get(one.email) ?? []), one]);
        return {
          members: [...byEmail].map(([email, computers]) => ({
            email,
            role: computers[0]?.role ?? 'reader',
            isYou: computers.some(({ computer }) => computer === session.computer),
            computers: computers.map(({ computer }) => ({
              computer,
              fingerprint: certificates.get(computer)?.signer.fingerprint ?? null,
              isThis: computer === session.computer,
            })),
          })),
        };
      },
      'team:setRole': ({ workspaceId, ...wanted }: { workspaceId: string } & Parameters<typeof setRole>[2]) =>
        byMember(workspaceId, (session) => setRole(ports, session, wanted)),
      'team:revoke': ({
        workspaceId,
        computer,
        email,
      }: {
        workspaceId: string;
        computer?: string | undefined;
        email?: string | undefined;
      }) => {
        const of = computer !== undefined ? { computer } : email !== undefined ? { email } : null;
        if (of === null) throw new DeskError('usage.invalid');
        return byMember(workspaceId, (session) => revoke(ports, session, of));
      },
      'team:leave': async ({ workspaceId }: { workspaceId: string }) => {
        await leave(ports, await sessionOf(workspaceId));
        await stop(workspaceId);
        ports.onChanged(workspaceId);
        return isDone;
      },
      'team:sync': async ({ workspaceId }: { workspaceId: string }) => {
        const session = await sessionOf(workspaceId);
        await session.exchange();
        return readStatus(workspaceId);
      },
    },
  };
}
