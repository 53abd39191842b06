import { teamFactKinds } from '../../../contract/review.ts';
import { maxPageBytes, maxPageEntries } from '../../../team-protocol/api.ts';
import { firstChainHash } from '../../../team-protocol/chain.ts';
import { headerOf, maxOpenedBytes } from '../../../team-protocol/entry.ts';
import { type NumberedEntry, readNumbered } from '../../../team-protocol/frame.ts';
import type { FiledEntry } from '../review/filed-entry.ts';
import type { KeptFact } from '../store/user-data/team-facts.ts';
import type { TeamPosition } from '../store/user-data/team-log.ts';
import { createDecidedMeanwhile } from './decided-meanwhile.ts';
import type { News } from './hear-news.ts';
import { judgePage, judgeRemoval } from './judge-page.ts';
import { describeRemovals } from './known-removals.ts';
import {
  isAhead,
  type LogState,
  maxTrustedMs,
  noneJudged,
  type OpenedLog,
  type PullPorts,
  type Reached,
  readNow,
  refuse,
} from './log-state.ts';
import { isWrongPart, openEntry } from './read-entry.ts';
import { readMemberships } from './read-log.ts';
import type { TeamClient } from './team-client.ts';
import { toKeptFacts } from './team-facts.ts';
import { readMembers, type TeamMembers } from './team-members.ts';
import { writePage } from './write-page.ts';

/** The length of a page as the server limits it. */
const countBytes = (page: readonly NumberedEntry[]): number =>
  page.reduce(
    (sum, { header, head, parts }) =>
      sum +
      Buffer.byteLength(header) +
      head.length +
      parts.reduce((all, part) => all + (part?.length ?? 0), 0),
    0,
  );
/** How many parts are fetched at once. */
const partsAtOnce = 4;

/** Facts of an event that waited, by the members before it. */
async function factsOf(
  { ports, userData }: OpenedLog,
  entry: NumberedEntry,
  filed: readonly FiledEntry[],
): Promise<KeptFact[]> {
  if (!teamFactKinds.includes(filed[0]?.kind ?? '')) return [];
  const { memberships } = await userData.call('readTeamLog', { workspaceId: ports.workspaceId });
  const before = await readMembers(
    memberships.filter(({ number }) => number < entry.number),
    ports.members,
  );
  return toKeptFacts(entry, filed, before.members, ports.members.computer);
}

/** The pages after a number, up to the `known` one where that is given; each is fetched while the one before is used. */
async function* readPages(
  client: TeamClient,
  from: number,
  known: News | null,
): AsyncGenerator<readonly NumberedEntry[]> {
  let ahead = known?.entries ?? [];
  let following: Promise<NumberedEntry[]> | null = null;
  for (let number = from; number !== known?.number; ) {
    const isAhead = ahead[0]?.number === number + 1;
    const page: readonly NumberedEntry[] = isAhead ? ahead : await (following ?? client.entries(number));
    ahead = [];
    const last = page.at(-1)?.number;
    if (last === undefined) return;
    // A page that is not full was the last one.
    const isLast = !isAhead && page.length < maxPageEntries && countBytes(page) < maxPageBytes;
    following = isAhead || isLast || known?.number === last ? null : client.entries(last);
    following?.catch(() => undefined);
    yield page;
    if (isLast) return;
    number = last;
  }
}

/** Reads new entries; each page is checked while the one before is written. Returns whether there were any. */
async function pullEntries(log: OpenedLog, known: News | null): Promise<boolean> {
  const { client, state } = log;
  let reached: Reached = { position: state.position, members: state.members };
  let writing: Promise<void> = Promise.resolve();
  let isNew = false;
  try {
    for await (const page of readPages(client, state.position.number, known)) {
      isNew = true;
      for (let rest = page; rest.length > 0; ) {
        // What a removal is about has to be written first, and what comes after it is judged by what it removed.
        const hasRemoval = rest.some((one) => headerOf(one)?.kind === 'removal');
        if (hasRemoval) await writing;
        const { number } = reached.position;
        const judged = await judgePage(log, rest, reached);
        await writing;
        const count = judged.position.number - number;
        writing = writePage(log, rest.slice(0, count), judged);
        writing.catch(() => undefined);
        if (hasRemoval) await writing;
        rest = rest.slice(count);
        reached = judged;
      }
    }
  } finally {
    await writing;
  }
  return isNew;
}

/**
 * Applies those of the `rest` of the waiting entries that are whole now, until what was opened is long. `isChanged`: some
 * have new parts. Returns whether there were any, and which are left.
 */
async function applyWaiting(log: OpenedLog, rest: readonly NumberedEntry[], isChanged: boolean) {
  const { state } = log;
  const judged = noneJudged(await readNow(log), state);
  let [opened, count] = [0, 0];
  for (const entry of rest) {
    if (opened > maxOpenedBytes) break;
    count += 1;
    const header = headerOf(entry);
    if (header?.kind === 'removal') {
      await judgeRemoval(log, entry, header, judged);
      continue;
    }
    const read = isAhead(header, judged.nowMs) ? null : openEntry(entry, state.members);
    if (read?.kind === 'event') {
      opened += read.length;
      const facts = await factsOf(log, entry, read.filed);
      judged.ready.push({ number: entry.number, entry, filed: read.filed, facts });
    } else if (read?.kind === 'refused' && read.isByAuthor) {
      refuse(log, entry, true);
      judged.refused.push(entry);
    } else judged.waiting.push(entry);
  }
  const isSome = judged.ready.length + judged.removals.length > 0;
  if (isChanged || isSome || judged.refused.length > 0) await writePage(log, [], judged);
  return { isSome, left: rest.slice(count).filter(({ number }) => state.waiting.has(number)) };
}

const findWaiting = ({ waiting }: LogState, id: string): NumberedEntry | undefined =>
  [...waiting.values()].find((one) => headerOf(one)?.id === id);

function keepPart(state: LogState, id: string, part: number, sealed: Uint8Array | undefined): void {
  const found = findWaiting(state, id);
  // A part that was not sent by its author may be wrong, and the right one may still come.
  if (found === undefined || sealed === undefined || isWrongPart(found, part, sealed, state.members)) return;
  // The same entry, whose header was read: that of a large act takes longer than one of its parts.
  Object.assign(found, { parts: found.parts.with(part, sealed) });
}

/** Fetches parts of entries that wait for them, and applies those that are complete. */
async function pullParts(log: OpenedLog): Promise<boolean> {
  const { client, state } = log;
  let isChanged = false;
  for (;;) {
    const arrived = await client.parts(state.position.parts);
    if (arrived.length === 0) break;
    for (let at = 0; at < arrived.length; at += partsAtOnce) {
      const missing = arrived
        .slice(at, at + partsAtOnce)
        .filter(({ id, part }) => findWaiting(state, id)?.parts[part] === null);
      const sealed = await Promise.all(missing.map(({ id, part }) => client.part(id, part)));
      for (const [index, { id, part }] of missing.entries()) keepPart(state, id, part, sealed[index]);
    }
    state.position = { ...state.position, parts: arrived.at(-1)?.after ?? state.position.parts };
    isChanged = true;
  }
  let isAny = false;
  for (let rest = [...state.waiting.values()]; rest.length > 0; ) {
    const { isSome, left } = await applyWaiting(log, rest, isChanged);
    isAny ||= isSome;
    rest = left;
  }
  return isAny;
}

/** Reads the log of a team from its server: checks every entry, and adds what it says to the reviews. */
export async function openLog(ports: PullPorts, client: TeamClient) {
  const { workspaceId, team } = ports;
  const userData = await ports.getUserData(workspaceId);
  const kept = await userData.call('readTeamLog', { workspaceId });
  const isSameTeam = kept.position?.team === team;
  const keptRemovals = await userData.call('readRemovals', { workspaceId });
  const start: TeamPosition = { team, number: 0, hash: firstChainHash, parts: 0, root: null };
  const state: LogState = {
    position: isSameTeam && kept.position !== null ? kept.position : start,
    members: await readMembers(isSameTeam ? kept.memberships : [], ports.members),
    waiting: new Map(
      (isSameTeam ? kept.waiting : [])
        .flatMap(({ frame }) => readNumbered(frame) ?? [])
        .map((entry) => [entry.number, entry]),
    ),
    removals: isSameTeam
      ? describeRemovals(keptRemovals.removals, keptRemovals.removedIds)
      : describeRemovals([], []),
    hasLost: true,
    refused: 0,
    refusedOf: new Set(),
    otherLog: null,
    decided: createDecidedMeanwhile(() => ports.clock.now()),
  };
  const log: OpenedLog = { ports, client, userData, state };

  /** The team keys of this computer, which was admitted after the entries that it reads first. */
  const readKeysAhead = async (): Promise<TeamMembers['keys']> =>
    (await readMembers(await readMemberships(client), ports.members)).keys;

  return {
    state,
    /** Whether the server's clock is further ahead than it counts here. */
    isServerAhead: async (): Promise<boolean> =>
      client.now() > ports.now(workspaceId) + maxTrustedMs && client.now() > (await readNow(log)),
    /**
     * Reads all new entries, up to the `known` one where that is given; returns whether there were any.
     *
     * @throws DeskError `team.*`, `store.*`
     */
    async pull(known: News | null = null): Promise<boolean> {
      const waiting = state.waiting.size;
      if (state.members.keys.size === 0) state.members = { ...state.members, keys: await readKeysAhead() };
      let isNew = await pullEntries(log, known);
      // Shown before the parts are read, which can take long: who sends a large act.
      if (state.waiting.size !== waiting) ports.onChanged(workspaceId);
      const { size } = state.waiting;
      if (size > 0 && (await pullParts(log))) isNew = true;
      if (state.waiting.size !== size) ports.onChanged(workspaceId);
      return isNew;
    },
    /** Goes back to an earlier number, after which the server's log has changed. */
    async rewind(number: number): Promise<void> {
      const [at] = await userData.call('readTeamHashes', { workspaceId, number, limit: 1 });
      const position = { ...state.position, number, hash: at?.hash ?? firstChainHash, parts: 0 };
      await userData.call('rewindTeam', { workspaceId, position });
      const again = await userData.call('readTeamLog', { workspaceId });
      state.position = position;
      state.members = await readMembers(again.memberships, ports.members);
      state.waiting = new Map([...state.waiting].filter(([waits]) => waits <= number));
      state.hasLost = true;
    },
    /** Reads again what is noted of removals. */
    async readRemovals(): Promise<void> {
      const again = await userData.call('readRemovals', { workspaceId });
      state.removals = describeRemovals(again.removals, again.removedIds);
    },
    readHashes: (number: number) => userData.call('readTeamHashes', { workspaceId, number, limit: 1 }),
  };
}

export type TeamLog = Awaited<ReturnType<typeof openLog>>;
