import type { ServerResponse } from 'node:http';
import { writeNumbered } from '../team-protocol/frame.ts';
import type { Leases } from '../team-protocol/leases.ts';
import { findMember, type Members } from '../team-protocol/membership.ts';
import type { TeamHead } from './store/entry-store.ts';
import type { TeamStore } from './store/team-store.ts';

/** Entries are sent along with a new head up to this many bytes. */
const maxSentBytes = 256_000;
const maxSentEntries = 100;
/** A listener that takes no data is disconnected beyond this many bytes. */
const maxUnsentBytes = 2_000_000;

/** A receiver of a team's new heads. */
interface Listener {
  readonly computer: string;
  /** Gets a new head, and the entries since the previous head where these are small. */
  told(head: TeamHead, entries: string | null): void;
  /** The leases: once at the start if there are any, and whenever they change. */
  toldLeases?(leases: Leases): void;
  /** The computer is no longer a member, or the server ends. */
  ended(): void;
}

interface WatchedTeam {
  readonly listeners: Set<Listener>;
  head: TeamHead;
  leases: Leases | null;
  /** The look in progress, and whether another has to follow it. */
  looking: Promise<void> | null;
  isDue: boolean;
}

export type Live = ReturnType<typeof createLive>;

/** Sends new heads to listeners. `look` is called after each change in this process, when notified, and by a timer. */
export function createLive(
  store: Pick<TeamStore, 'readEntries'>,
  readState: (team: string) => Promise<{ head: TeamHead; members: Members } | null>,
  readLeases: (team: string, members: Members) => Promise<Leases>,
) {
  const teams = new Map<string, WatchedTeam>();
  let hasEnded = false;

  const end = ({ listeners }: WatchedTeam, listener: Listener): void => {
    listeners.delete(listener);
    listener.ended();
  };
  const lookOnce = async (team: string, watched: WatchedTeam): Promise<void> => {
    const state = await readState(team);
    const before = watched.head;
    if (state === null) return;
    const { head, members } = state;
    watched.head = head;
    if (before.number !== head.number || before.parts !== head.parts)
      await tellHead(team, watched, before, members);
    await lookAtLeases(team, watched, members);
  };
  const tellHead = async (
    team: string,
    watched: WatchedTeam,
    before: TeamHead,
    members: Members,
  ): Promise<void> => {
    const { head } = watched;
    if (head.membership !== before.membership)
      for (const listener of watched.listeners)
        if (findMember(members, listener.computer) === null) end(watched, listener);
    // An event of entries does not have the number of parts.
    const hasEntriesOnly = head.number > before.number && head.parts === before.parts;
    const entries = hasEntriesOnly ? await readNew(team, before.number, head.number) : null;
    for (const listener of watched.listeners) listener.told(head, entries);
  };
  const lookAtLeases = async (team: string, watched: WatchedTeam, members: Members): Promise<void> => {
    const leases = await readLeases(team, members);
    const before = watched.leases;
    watched.leases = leases;
    if (before === null ? leases.leases.length === 0 : leases.version === before.version) return;
    for (const { computer, toldLeases } of watched.listeners)
      if (findMember(members, computer) !== null) toldLeases?.(leases);
  };
  const readNew = async (team: string, after: number, until: number): Promise<string | null> => {
    if (until - after > maxSentEntries) return null;
    const page = await store.readEntries(team, after, { count: until - after, bytes: maxSentBytes });
    const bytes = Buffer.concat(page.map(writeNumbered));
    return page.at(-1)?.number === until && bytes.length <= maxSentBytes ? bytes.toString('base64url') : null;
  };

  const look = async (team: string): Promise<void> => {
    const watched = teams.get(team);
    if (watched === undefined) return;
    if (watched.looking !== null) {
      watched.isDue = true;
      return watched.looking;
    }
    const run = async (): Promise<void> => {
      do {
        watched.isDue = false;
        // A database that does not answer is asked again at the next look.
        await lookOnce(team, watched).catch(() => undefined);
      } while (watched.isDue);
    };
    watched.looking = run().finally(() => {
      watched.looking = null;
    });
    return watched.looking;
  };

  return {
    look,
    /** Looks at each team that somebody listens to. */
    lookAtAll: async (): Promise<void> => {
      await Promise.all([...teams.keys()].map(look));
    },
    /** Calls the listener from this head on, until the returned function is called. */
    listen(team: string, head: TeamHead, listener: Listener): () => void {
      const watched: WatchedTeam = teams.get(team) ?? {
        ...{ listeners: new Set(), head, leases: null, looking: null, isDue: false },
      };
      teams.set(team, watched);
      watched.listeners.add(listener);
      // Others were told of a newer head since the caller read this one: they hear of it again.
      if (watched.head.number !== head.number || watched.head.parts !== head.parts) {
        watched.head = head;
        void look(team);
      }
      if (listener.toldLeases !== undefined) {
        const { leases } = watched;
        if (leases === null) void look(team);
        // Once the caller is ready.
        else if (leases.leases.length > 0) queueMicrotask(() => listener.toldLeases?.(leases));
      }
      return () => {
        watched.listeners.delete(listener);
        if (watched.listeners.size === 0 && teams.get(team) === watched) teams.delete(team);
      };
    },
    countListeners: (computer?: string): number =>
      [...teams.values()]
        .flatMap(({ listeners }) => [...listeners])
        .filter((one) => computer === undefined || one.computer === computer).length,
    /** Whether the server ends: nobody can listen any more. */
    hasEnded: (): boolean => hasEnded,
    endAll(): void {
      hasEnded = true;
      for (const watched of teams.values()) for (const listener of watched.listeners) end(watched, listener);
      teams.clear();
    },
  };
}

/** Writes events to a response; one that takes no data is closed. */
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
