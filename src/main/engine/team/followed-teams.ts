import type { AnyEvent } from '../../../contract/events.ts';
import type { TeamStatus } from '../../../contract/team.ts';
import { findMember, listMembers, type Members, type TeamRole } from '../../../team-protocol/membership.ts';
import { readOwnCode } from './advance-join.ts';
import { diagnoseTeam } from './diagnose-team.ts';
import { findArriving } from './find-arriving.ts';
import { type FollowedLeases, followLeases, nextClaimMs } from './follow-leases.ts';
import { keepLive } from './keep-live.ts';
import { findEarlier } from './read-behind.ts';
import { isReader, listHeld, requireRead, requireWriter } from './require-writer.ts';
import { readKnownLogs } from './rewound-logs.ts';
import { listPeople } from './team-members.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';
import { openSession } from './team-session.ts';
import { createNews } from './wait-for-news.ts';

interface FollowedTeam {
  readonly session: Promise<TeamSession>;
  loop: ReturnType<typeof keepLive> | null;
  leases: FollowedLeases | null;
}

interface FollowedTeamsState {
  readonly ports: TeamPorts;
  readonly isReadOnly: boolean;
  /** The followed teams, by workspace. */
  readonly teams: Map<string, FollowedTeam>;
  /** Workspaces whose team is being made or joined; until that is done, they have none. */
  readonly binding: Set<string>;
}

async function whileBinding<T>(
  { binding }: FollowedTeamsState,
  workspaceId: string,
  run: () => Promise<T>,
): Promise<T> {
  binding.add(workspaceId);
  try {
    return await run();
  } finally {
    binding.delete(workspaceId);
  }
}

function openTeam({ ports, teams }: FollowedTeamsState, workspaceId: string): FollowedTeam {
  const team = teams.get(workspaceId);
  if (team !== undefined) return team;
  const session = openSession(ports, workspaceId, (claims) => opened.leases?.reportSending(claims));
  const opened: FollowedTeam = { session, loop: null, leases: null };
  teams.set(workspaceId, opened);
  opened.session.catch(() => teams.delete(workspaceId));
  return opened;
}

async function stop({ teams }: FollowedTeamsState, workspaceId: string): Promise<void> {
  const opened = teams.get(workspaceId);
  teams.delete(workspaceId);
  await opened?.leases?.end();
  await opened?.loop?.end();
}

async function start(state: FollowedTeamsState, workspaceId: string): Promise<void> {
  const { ports, isReadOnly, binding } = state;
  const { workspace } = await ports.main.findWorkspace(workspaceId);
  if (isReadOnly || workspace.team === undefined || binding.has(workspaceId)) return;
  const opened = openTeam(state, workspaceId);
  const session = await opened.session;
  const userData = await ports.getUserData(workspaceId);
  opened.leases ??= followLeases(session, {
    now: () => ports.clock.now(),
    nextMs: nextClaimMs,
    isLive: () => opened.loop?.status().state === 'live',
    hasSentAll: async () => (await userData.call('countUnsent', { workspaceId })) === 0,
    onChanged: () => ports.onLeases(workspaceId),
    onSending: () => ports.onChanged(workspaceId),
  });
  opened.loop ??= keepLive(session, ports, createNews(session.client, opened.leases.receive));
}

/** Describes to admins other logs than the one that is read here. */
async function describeLogs(ports: TeamPorts, workspaceId: string, role: TeamRole | undefined) {
  if (role !== 'admin') return { otherLog: null, wentBack: null };
  const { wentBack, unexplained } = await readKnownLogs(ports, workspaceId);
  const [other] = unexplained;
  return {
    otherLog: other === undefined ? null : { email: other.author, number: other.number },
    wentBack: wentBack && {
      email: wentBack.author,
      at: wentBack.at,
      from: wentBack.from,
      to: wentBack.to,
    },
  };
}

/** The members who wrote refused entries, as far as they signed what is wrong with them. */
const describeRefused = ({ refusedOf, members }: TeamSession['log']['state']): string[] => [
  ...new Set([...refusedOf].map((computer) => members.members?.computers.get(computer)?.email ?? '')),
];

const listRecovered = (members: Members | null, now: string) =>
  (members === null ? [] : listMembers(members)).flatMap(({ computer, email, waitsUntil: from }) =>
    from === null || from <= now ? [] : [{ computer, email, from }],
  );

async function readStatus(state: FollowedTeamsState, workspaceId: string): Promise<TeamStatus> {
  const { ports, binding } = state;
  const { workspace } = await ports.main.findWorkspace(workspaceId);
  if (workspace.team === undefined || binding.has(workspaceId)) return null;
  const session = await openTeam(state, workspaceId).session;
  const { loop, leases } = openTeam(state, workspaceId);
  const userData = await ports.getUserData(workspaceId);
  const { members } = session.log.state.members;
  const member = findMember(members, session.computer);
  const now = loop?.status() ?? {
    state: 'connecting' as const,
    problem: null,
    updatesBy: 'stream' as const,
  };
  return {
    ...{ server: session.server, ...now },
    unsent: isReader(session) ? 0 : await userData.call('countUnsent', { workspaceId }),
    documents: await session.documents.status(),
    held: (await listHeld(session, userData)).length,
    refused: session.log.state.refused,
    refusedOf: describeRefused(session.log.state),
    ...(await describeLogs(ports, workspaceId, member?.role)),
    arriving: findArriving(session.log.state) ?? leases?.findSending() ?? null,
    earlier: findEarlier(session.log.state),
    role: member?.role ?? null,
    formerAdmins: [...(members?.formerAdmins ?? [])],
    isRecoveryUnsealed: members?.recovery.isSealed === false,
    recovered: listRecovered(members, new Date(ports.now(workspaceId)).toISOString()),
    code: member === null ? await readOwnCode(ports, workspaceId) : null,
  };
}

/** Exchanges entries with the teams of all workspaces that have one. */
export function createFollowedTeams(ports: TeamPorts, isReadOnly: boolean) {
  const teams: FollowedTeamsState['teams'] = new Map();
  const state: FollowedTeamsState = { ports, isReadOnly, teams, binding: new Set() };
  const sessionOf = (workspaceId: string): Promise<TeamSession> => openTeam(state, workspaceId).session;
  return {
    ports,
    sessionOf,
    /** Begins to follow the team of a workspace, if it has one. */
    start: start.bind(null, state),
    stop: stop.bind(null, state),
    stopAll: async (): Promise<void> => {
      await Promise.all([...teams.keys()].map((workspaceId) => stop(state, workspaceId)));
    },
    readStatus: readStatus.bind(null, state),
    /** Makes or joins a team; in the meantime, the workspace has none. */
    whileBinding: <T>(workspaceId: string, run: () => Promise<T>) => whileBinding(state, workspaceId, run),
    /** @throws DeskError `team.readOnly`, `team.stillReading` */
    requireWriter: async (workspaceId: string) => requireWriter(await sessionOf(workspaceId)),
    /** @throws DeskError `team.stillReading` */
    requireRead: async (workspaceId: string) => requireRead(await sessionOf(workspaceId)),
    listPeople: async (workspaceId: string) => {
      const { log, computer } = await sessionOf(workspaceId);
      return listPeople(log.state.members.members, computer);
    },
    /** The doctor's findings about the team's server; null where its session can't be opened. */
    diagnose: async (workspaceId: string) => {
      const session = await sessionOf(workspaceId).catch(() => null);
      return session && diagnoseTeam(session.client, ports.clock.now);
    },
    /** Null without a team, or before it is followed. */
    leasesOf: (workspaceId: string): FollowedLeases | null => teams.get(workspaceId)?.leases ?? null,
    /** Sends now what was done here. */
    wake: (workspaceId: string): void => teams.get(workspaceId)?.loop?.wake(),
    /** Sends what was done here, and the state of the records, which other computers compare with theirs. */
    onEvent: ({ name, payload }: AnyEvent): void => {
      if (name === 'reviews:changed') teams.get(payload.workspaceId)?.loop?.wake();
      if (name === 'sync:finished') teams.get(payload.workspaceId)?.loop?.wake(true);
    },
  };
}

export type FollowedTeams = ReturnType<typeof createFollowedTeams>;
