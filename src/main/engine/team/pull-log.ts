import { teamFactKinds } from '../../../rules/review/event-kinds.ts';
import { maxPageBytes, maxPageEntries } from '../../../team-protocol/api.ts';
import { firstChainHash } from '../../../team-protocol/chain.ts';
import { headerOf, maxOpenedBytes } from '../../../team-protocol/entry.ts';
import { type NumberedEntry, readNumbered } from '../../../team-protocol/frame.ts';
import type { FiledEntry } from '../review/filed-entry.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { KeptFact } from '../store/user-data/kept-facts.ts';
import type { TeamPosition } from '../store/user-data/team-log.ts';
import { checkPage, checkRemoval } from './check-entries.ts';
import { findFollowed, isContradiction } from './check-place.ts';
import { createDecidedMeanwhile } from './decided-meanwhile.ts';
import { partsAtOnce, readPart } from './entry-parts.ts';
import { keepMembers } from './kept-members.ts';
import { describeRemovals } from './known-removals.ts';
import {
  isAhead,
  type LogState,
  maxTrustedMs,
  noneChecked,
  type OpenedLog,
  type PullPorts,
  type Reached,
  readNow,
  refuse,
} from './log-state.ts';
import { checkpointDiffers, createBehindReader } from './read-behind.ts';
import { actOf, beginAtCheckpoint, EndedCheckpoint, WrongCheckpoint } from './read-checkpoint.ts';
import { openEntry } from './read-event.ts';
import { readMemberships } from './read-log.ts';
import type { TeamClient } from './team-client.ts';
import { toKeptFacts } from './team-facts.ts';
import { readMembers, type TeamMembers } from './team-members.ts';
import type { News } from './wait-for-news.ts';
import { writePage } from './write-page.ts';

/** The length of a page, counted like the server's limit. */
const countBytes = (page: readonly NumberedEntry[]): number =>
  page.reduce(
    (sum, { header, head, parts }) =>
      sum +
      Buffer.byteLength(header) +
      head.length +
      parts.reduce((all, part) => all + (part?.length ?? 0), 0),
    0,
  );

/** The facts of an event that waited, by the members before it. */
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

/** The pages after a number, up to the head of `news` if given; each is fetched while the previous one is used. */
async function* readPages(
  client: TeamClient,
  from: number,
  news: News | null,
): AsyncGenerator<readonly NumberedEntry[]> {
  let ahead = news?.entries ?? [];
  let following: Promise<NumberedEntry[]> | null = null;
  for (let number = from; number !== news?.number; ) {
    const isAhead = ahead[0]?.number === number + 1;
    const page: readonly NumberedEntry[] = isAhead ? ahead : await (following ?? client.entries(number));
    ahead = [];
    const last = page.at(-1)?.number;
    if (last === undefined) return;
    // A page that is not full was the last one.
    const isLast = !isAhead && page.length < maxPageEntries && countBytes(page) < maxPageBytes;
    following = isAhead || isLast || news?.number === last ? null : client.entries(last);
    following?.catch(() => undefined);
    yield page;
    if (isLast) return;
    number = last;
  }
}

/** Reads new entries; each page is checked while the previous one is written. Returns whether there were any. */
async function pullEntries(log: OpenedLog, news: News | null): Promise<boolean> {
  const { client, state } = log;
  let reached: Reached = { position: state.position, members: state.members };
  let writing: Promise<void> = Promise.resolve();
  let isNew = false;
  try {
    for await (const page of readPages(client, state.position.number, news)) {
      isNew = true;
      for (let rest = page; rest.length > 0; ) {
        // A removal's events are written first; later entries are checked against what it removed.
        const hasRemoval = rest.some((entry) => headerOf(entry)?.kind === 'removal');
        if (hasRemoval) await writing;
        const { number } = reached.position;
        const checked = await checkPage(log, rest, reached);
        await writing;
        const count = checked.position.number - number;
        writing = writePage(log, rest.slice(0, count), checked);
        writing.catch(() => undefined);
        if (hasRemoval) await writing;
        rest = rest.slice(count);
        reached = checked;
      }
    }
  } finally {
    await writing;
  }
  return isNew;
}

/**
 * Applies the entries among the `rest` of the waiting ones that are complete now, until what was opened is long.
 * `isChanged`: some have new parts. Returns whether there were any, and which remain.
 */
async function applyWaiting(log: OpenedLog, rest: readonly NumberedEntry[], isChanged: boolean) {
  const { state } = log;
  const checked = noneChecked(await readNow(log), state);
  let [opened, count] = [0, 0];
  for (const entry of rest) {
    if (opened > maxOpenedBytes) break;
    count += 1;
    const header = headerOf(entry);
    if (header?.kind === 'removal') {
      await checkRemoval(log, entry, header, checked);
      continue;
    }
    const read = isAhead(header, checked.nowMs) ? null : openEntry(entry, state.members);
    if (read?.kind === 'event') {
      opened += read.length;
      const facts = await factsOf(log, entry, read.filed);
      checked.ready.push({ entry, filed: read.filed, facts });
    } else if (read?.kind === 'refused' && read.isByAuthor) {
      refuse(log, entry, true);
      checked.refused.push(entry);
    } else checked.waiting.push(entry);
  }
  const isSome = checked.ready.length + checked.removals.length > 0;
  if (isChanged || isSome || checked.refused.length > 0) await writePage(log, [], checked);
  return { isSome, left: rest.slice(count).filter(({ number }) => state.waiting.has(number)) };
}

const findWaiting = ({ waiting }: LogState, id: string): NumberedEntry | undefined =>
  [...waiting.values()].find((entry) => headerOf(entry)?.id === id);

/** Reads a part for which an entry waits. If it is not the one its author sent, that one may still arrive. */
async function keepPart({ client, state }: OpenedLog, id: string, part: number): Promise<void> {
  const entry = findWaiting(state, id);
  const header = entry === undefined ? null : headerOf(entry);
  if (entry?.parts[part] !== null || header === null) return;
  const sealed = await readPart(client, header, part, state.members.keys);
  // The same entry object, because reading the header of a large act takes longer than one of its parts.
  Object.assign(entry, { parts: entry.parts.with(part, sealed) });
}

/** Fetches parts of entries that wait for them, and applies those that are complete. */
async function pullParts(log: OpenedLog): Promise<boolean> {
  const { client, state } = log;
  let isChanged = false;
  for (;;) {
    const arrived = await client.parts(state.position.parts);
    if (arrived.length === 0) break;
    for (let at = 0; at < arrived.length; at += partsAtOnce)
      await Promise.all(arrived.slice(at, at + partsAtOnce).map(({ id, part }) => keepPart(log, id, part)));
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

/** The state of the log from the file; `isAgain`: it is read from its start because a checkpoint was wrong, or ended. */
async function readState(
  ports: PullPorts,
  userData: UserDataStore,
): Promise<{ state: LogState; isAgain: boolean }> {
  const { workspaceId, team } = ports;
  const kept = await userData.call('readTeamLog', { workspaceId });
  const isSameTeam = kept.position?.team === team;
  const keptRemovals = await userData.call('readRemovals', { workspaceId });
  const start: TeamPosition = { team, number: 0, hash: firstChainHash, parts: 0, root: null, isRead: 0 };
  const position = isSameTeam && kept.position !== null ? kept.position : start;
  const isAgain = position !== start && position.number === 0 && position.isRead === 0;
  const state: LogState = {
    position,
    members: await readMembers(isSameTeam ? kept.memberships : [], ports.members),
    waiting: new Map(
      (isSameTeam ? kept.waiting : [])
        .flatMap(({ frame }) => readNumbered(frame) ?? [])
        .map((entry) => [entry.number, entry]),
    ),
    removals: isSameTeam
      ? describeRemovals(keptRemovals.removals, keptRemovals.removedIds)
      : describeRemovals([], []),
    kept: new Map(
      (isSameTeam ? await userData.call('readKeptMembers', { workspaceId }) : []).map((member) => [
        member.computer,
        member,
      ]),
    ),
    followed: null,
    recent: new Map(),
    checkpoints: isSameTeam ? await userData.call('readCheckpoints', { workspaceId }) : [],
    behind: isSameTeam ? await userData.call('readBehindPosition', { workspaceId }) : null,
    ...{ said: new Map(), hasLost: true, checkedMs: null },
    misplaced: new Set(),
    refused: 0,
    forged: 0,
    refusedOf: new Set(),
    hasWentBack: true,
    decided: createDecidedMeanwhile(() => ports.clock.now()),
  };
  return { state, isAgain };
}

/** Reads the log of a team from its server: checks every entry, and adds its content to the reviews. */
export async function openLog(ports: PullPorts, client: TeamClient) {
  const { workspaceId } = ports;
  const userData = await ports.getUserData(workspaceId);
  const { state, isAgain } = await readState(ports, userData);
  const log: OpenedLog = { ports, client, userData, state };
  const behind = createBehindReader(log);
  /** Whether a checkpoint was wrong, or ended, so that the log is read from its start. */
  let isWithoutCheckpoint = isAgain;

  /** The team keys of this computer, which was admitted after the entries that it reads first. */
  const readKeysAhead = async (): Promise<TeamMembers['keys']> =>
    (await readMembers(await readMemberships(client), ports.members)).keys;

  /**
   * Goes back to an earlier number. `readUpTo`: if the server's log went back, the number up to which it was read;
   * `isForgotten`: what colleagues wrote is removed.
   */
  const rewind = async (
    number: number,
    readUpTo: number | null = null,
    isForgotten = false,
  ): Promise<void> => {
    const [at] = await userData.call('readTeamHashes', { workspaceId, number, limit: 1 });
    const isRead = isForgotten ? 0 : state.position.isRead;
    const position = { ...state.position, number, hash: at?.hash ?? firstChainHash, parts: 0, isRead };
    const { memberships } = await userData.call('readTeamLog', { workspaceId });
    const before = state.members;
    state.members = await readMembers(
      memberships.filter((membership) => membership.number <= number),
      ports.members,
    );
    state.kept = keepMembers(before.members, state.kept, state.members.members);
    const kept = [...state.kept.values()];
    await userData.call('rewindTeam', { workspaceId, position, readUpTo, kept, isForgotten });
    state.hasWentBack ||= readUpTo !== null;
    [state.position, state.followed] = [position, null];
    if (state.behind !== null && actOf(state.behind).number > number) {
      state.behind = null;
      behind.forget();
    }
    state.recent.clear();
    state.said.clear();
    state.checkpoints = state.checkpoints.filter(({ entry }) => entry <= number);
    state.waiting = new Map([...state.waiting].filter(([waits]) => waits <= number));
    state.hasLost = true;
  };
  /** Reads from a checkpoint, or from the log before it; if the checkpoint is wrong, the log is read from the start. */
  const readChecked = async (read: () => Promise<void>): Promise<void> => {
    try {
      await read();
    } catch (thrown) {
      if (!(thrown instanceof WrongCheckpoint)) throw thrown;
      isWithoutCheckpoint = true;
      const isWrong = !(thrown instanceof EndedCheckpoint);
      if (isWrong) ports.onFailed(checkpointDiffers());
      // Events of a wrong checkpoint may not be what their authors sent. Events of a checkpoint that ended stay visible
      // in the meantime.
      await rewind(0, null, isWrong);
      state.members = { ...state.members, keys: await readKeysAhead() };
    }
  };
  /** Begins with a checkpoint if nothing was read yet, and reads it. Returns whether it read anything. */
  const begin = async (): Promise<boolean> => {
    if (state.position.number === 0 && !isWithoutCheckpoint) await readChecked(() => beginAtCheckpoint(log));
    const isAny = behind.hasParts();
    while (behind.hasParts()) await readChecked(behind.read);
    return isAny;
  };

  return {
    state,
    rewind,
    /** Reads some of what this computer lacks of the log before its checkpoint; returns whether there is more. */
    async readBehind(): Promise<boolean> {
      if (state.behind !== null) await readChecked(behind.read);
      return state.behind !== null;
    },
    /** Whether the server's clock is further ahead than is trusted here. */
    isServerAhead: async (): Promise<boolean> =>
      client.now() > ports.now(workspaceId) + maxTrustedMs && client.now() > (await readNow(log)),
    /**
     * Reads all new entries, up to `known` if given; returns whether there were any.
     * @throws DeskError `team.*`, `store.*`
     */
    async pull(knownHead: News | null = null): Promise<boolean> {
      const waiting = state.waiting.size;
      if (state.members.keys.size === 0) state.members = { ...state.members, keys: await readKeysAhead() };
      const hasBegun = await begin();
      let isNew = await pullEntries(log, knownHead).catch(async (thrown) => {
        if (!isContradiction(thrown) || !(await findFollowed(log, state.position.number + 1))) throw thrown;
        return pullEntries(log, knownHead);
      });
      // Who sends a large act is shown before its parts are read, which can take long.
      if (state.waiting.size !== waiting) ports.onChanged(workspaceId);
      const { size } = state.waiting;
      if (size > 0 && (await pullParts(log))) isNew = true;
      if (state.waiting.size !== size) ports.onChanged(workspaceId);
      state.checkedMs = client.now();
      return isNew || hasBegun;
    },
    /** Records that lists contain what was read up to a head, so that reviews may be written from now on. */
    async keepRead(head: number): Promise<void> {
      const { number, isRead } = state.position;
      if (isRead === 1 || number < head) return;
      await userData.call('keepRead', { workspaceId });
      state.position = { ...state.position, isRead: 1 };
      ports.onChanged(workspaceId);
    },
    /** Reads the stored removals again. */
    async readRemovals(): Promise<void> {
      const again = await userData.call('readRemovals', { workspaceId });
      state.removals = describeRemovals(again.removals, again.removedIds);
    },
    readHashes: (number: number) => userData.call('readTeamHashes', { workspaceId, number, limit: 1 }),
  };
}

export type TeamLog = Awaited<ReturnType<typeof openLog>>;
