import type { ServerResponse } from 'node:http';
import { writeNumbered } from '../team-protocol/frame.ts';
import type { Leases } from '../team-protocol/leases.ts';
import { findMember, type Members } from '../team-protocol/membership.ts';
import type { TeamHead } from './store/new-entry.ts';
import type { TeamStore } from './store/team-store.ts';

/** Up to this size in bytes, entries are sent along with a new head. */
const maxSentBytes = 256_000;
const maxSentEntries = 100;
/** A listener that reads too slowly is disconnected when this many bytes wait for it. */
const maxUnsentBytes = 2_000_000;

interface Listener {
  readonly computer: string;
  /** The last head that was sent to this listener. */
  head: TeamHead;
  /** Gets a new head, and the entries since its last one if these are small. */
  onHead(head: TeamHead, entries: string | null): void;
  /** The leases: once at the start if there are any, and whenever they change. */
  onLeases?(leases: Leases): void;
  /** Called when the computer is no longer a member, or the server shuts down. */
  ended(): void;
}

interface WatchedTeam {
  readonly listeners: Set<Listener>;
  leases: Leases | null;
  /** The check in progress, and whether another has to follow it. */
  looking: Promise<void> | null;
  isDue: boolean;
}

interface LiveState {
  readonly store: Pick<TeamStore, 'readEntries'>;
  readonly readState: (team: string) => Promise<{ head: TeamHead; members: Members } | null>;
  readonly readLeases: (team: string, members: Members) => Promise<Leases>;
  readonly teams: Map<string, WatchedTeam>;
}

function end({ listeners }: WatchedTeam, listener: Listener): void {
  listeners.delete(listener);
  listener.ended();
}

const isMember = (members: Members, computer: string): boolean =>
  findMember(members, computer) !== null || members.recovery.computer === computer;

async function lookOnce(live: LiveState, team: string, watched: WatchedTeam): Promise<void> {
  const state = await live.readState(team);
  for (const listener of watched.listeners)
    if (state === null || !isMember(state.members, listener.computer)) end(watched, listener);
  if (state === null) return;
  await reportHead(live, team, watched, state.head);
  await lookAtLeases(live, team, watched, state.members);
}

const isSameHead = (head: TeamHead, other: TeamHead): boolean =>
  head.number === other.number && head.hash === other.hash && head.parts === other.parts;

async function reportHead({ store }: LiveState, team: string, { listeners }: WatchedTeam, head: TeamHead) {
  const pages = new Map<number, string | null>();
  const behind = [...listeners].filter((listener) => !isSameHead(listener.head, head));
  for (const { head: before } of behind) {
    // An event of entries does not have the number of parts.
    const hasEntriesOnly = head.number > before.number && head.parts === before.parts;
    if (hasEntriesOnly && !pages.has(before.number))
      pages.set(before.number, await readNew(store, team, before.number, head.number));
  }
  for (const listener of behind) {
    if (!listeners.has(listener)) continue;
    const { number, parts } = listener.head;
    listener.head = head;
    listener.onHead(head, head.parts === parts ? (pages.get(number) ?? null) : null);
  }
}

async function lookAtLeases(
  { readLeases }: LiveState,
  team: string,
  watched: WatchedTeam,
  members: Members,
): Promise<void> {
  const leases = await readLeases(team, members);
  const before = watched.leases;
  watched.leases = leases;
  if (before === null ? leases.leases.length === 0 : leases.version === before.version) return;
  for (const { computer, onLeases } of watched.listeners)
    if (findMember(members, computer) !== null) onLeases?.(leases);
}

async function readNew(
  store: LiveState['store'],
  team: string,
  after: number,
  until: number,
): Promise<string | null> {
  if (until - after > maxSentEntries) return null;
  const page = await store.readEntries(team, after, { count: until - after, bytes: maxSentBytes });
  const bytes = Buffer.concat(page.map(writeNumbered));
  return page.at(-1)?.number === until && bytes.length <= maxSentBytes ? bytes.toString('base64url') : null;
}

async function look(live: LiveState, team: string): Promise<void> {
  const watched = live.teams.get(team);
  if (watched === undefined) return;
  if (watched.looking !== null) {
    watched.isDue = true;
    return watched.looking;
  }
  const run = async (): Promise<void> => {
    do {
      watched.isDue = false;
      // If the database did not answer, the next check asks again.
      await lookOnce(live, team, watched).catch(() => undefined);
    } while (watched.isDue);
  };
  watched.looking = run().finally(() => {
    watched.looking = null;
  });
  return watched.looking;
}

/** Calls the listener from this head on, until the returned function is called. */
function listen(live: LiveState, team: string, head: TeamHead, given: Omit<Listener, 'head'>): () => void {
  const { teams } = live;
  const listener: Listener = { ...given, head };
  const watched: WatchedTeam = teams.get(team) ?? {
    listeners: new Set(),
    leases: null,
    looking: null,
    isDue: false,
  };
  teams.set(team, watched);
  watched.listeners.add(listener);
  // There may be a newer head since the caller read this one, or the caller may no longer be a member.
  void look(live, team);
  if (listener.onLeases !== undefined) {
    const { leases } = watched;
    // Once the caller is ready.
    if (leases !== null && leases.leases.length > 0) queueMicrotask(() => listener.onLeases?.(leases));
  }
  return () => {
    watched.listeners.delete(listener);
    if (watched.listeners.size === 0 && teams.get(team) === watched) teams.delete(team);
  };
}

/** Sends new heads to listeners. `look` is called after each change in this process, when notified, and by a timer. */
export function createLive(
  store: LiveState['store'],
  readState: LiveState['readState'],
  readLeases: LiveState['readLeases'],
) {
  const teams: LiveState['teams'] = new Map();
  const live: LiveState = { store, readState, readLeases, teams };
  let hasEnded = false;

  return {
    look: (team: string) => look(live, team),
    lookAtAll: async (): Promise<void> => {
      await Promise.all([...teams.keys()].map((team) => look(live, team)));
    },
    listen: listen.bind(null, live),
    countListeners: (computer?: string): number =>
      [...teams.values()]
        .flatMap(({ listeners }) => [...listeners])
        .filter((listener) => computer === undefined || listener.computer === computer).length,
    /** Whether the server is shutting down and accepts no more listeners. */
    hasEnded: (): boolean => hasEnded,
    endAll(): void {
      hasEnded = true;
      for (const watched of teams.values()) for (const listener of watched.listeners) end(watched, listener);
      teams.clear();
    },
  };
}

export type Live = ReturnType<typeof createLive>;

/** Writes events to a response, and closes it if the client does not read them. */
export function openEventStream(response: ServerResponse) {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    // Otherwise nginx would buffer events.
    'x-accel-buffering': 'no',
  });
  const write = (text: string): void => {
    // A stream that was ended stays open until the other side has read everything.
    if (response.writableEnded) return;
    if (response.writableLength > maxUnsentBytes) response.destroy();
    else response.write(text);
  };
  return {
    send: (event: string, data: string): void => write(`event: ${event}\ndata: ${data}\n\n`),
    beat: (): void => write(':\n\n'),
  };
}
