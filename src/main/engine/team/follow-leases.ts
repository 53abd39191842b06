import { setTimeout as wait } from 'node:timers/promises';
import {
  createSendingTags,
  createTagger,
  type Leases,
  leaseMs,
  maxLeasesOfComputer,
  maxWantedLeases,
  type TagOf,
} from '../../../team-protocol/leases.ts';
import { findMember } from '../../../team-protocol/membership.ts';
import { newestKey } from './team-members.ts';
import type { TeamSession } from './team-ports.ts';

/**
 * The longest time that the next claim waits for the server. After that the claim is shown without the lease, and the
 * next ones do not wait until the server has answered, so that a slow server delays the user only once.
 */
export const nextClaimMs = 1_000;
/** A claim that was left stays this computer's until the decision on it is in the log, within these limits. */
const lingerMs = 1_000;
const maxLingerMs = 10_000;
/** A page without a heartbeat for this long counts as closed. */
const forgottenMs = leaseMs;
/** The same leases are not sent again within this time. */
const repeatMs = 10_000;
/** A list's rows can be from this long before it was opened. */
const listedBeforeMs = 5_000;
/** How long the end of the program waits to give leases back. */
const endMs = 500;

interface LeasePorts {
  readonly now: () => number;
  /** Whether all of this computer's acts are in the team's log. */
  readonly hasSentAll: () => Promise<boolean>;
  readonly isLive: () => boolean;
  /** The longest time that the next claim waits for the server. */
  readonly nextMs: number;
  readonly onChanged: () => void;
  /** Called when the result of `findSending` changes. */
  readonly onSending: () => void;
}

interface Page {
  readonly claimId: number;
  readonly at: number;
}

interface LeasesState {
  readonly session: TeamSession;
  readonly ports: LeasePorts;
  readonly ended: AbortController;
  /** Null while the server can't be reached. */
  received: Leases | null;
  /** Whether the server took longer than `nextMs` and has not answered since: then nothing waits for it. */
  isSlow: boolean;
  readonly pages: Map<string, Page>;
  /** Claims that were left, and when. */
  readonly left: Map<number, number>;
  tags: {
    readonly generation: number;
    readonly tagOf: TagOf;
    readonly sending: ReturnType<typeof createSendingTags>;
  } | null;
  /** The leases in the last request. */
  kept: readonly string[];
  /** The last request with the leases. */
  sendingLeases: Promise<unknown>;
  /** How many claims the act has that this computer is sending, and when that was reported to the server. */
  sendingHere: { readonly claims: number; readonly at: number } | null;
}

function readTags(state: LeasesState) {
  const { computer, log } = state.session;
  const key = newestKey(log.state.members, computer);
  if (key === null) return null;
  const { generation } = key;
  if (state.tags?.generation !== generation)
    state.tags = { generation, tagOf: createTagger(key.key), sending: createSendingTags(key.key) };
  return state.tags;
}

const readTagger = (state: LeasesState): TagOf | null => readTags(state)?.tagOf ?? null;

/** Lists which claims other computers have open, by the claims' tags. */
const listOthers = ({ session: { computer }, received }: LeasesState): ReadonlyMap<string, string> =>
  new Map(
    received?.leases
      .filter((lease) => lease.computer !== computer)
      .map((lease) => [lease.tag, lease.computer]) ?? [],
  );

function holderOf(state: LeasesState): (claimId: number) => string | null {
  const tagOf = readTagger(state);
  const others = listOthers(state);
  return tagOf === null || others.size === 0 ? () => null : (claimId) => others.get(tagOf(claimId)) ?? null;
}

/** Lists the claims open here: those of pages with a recent heartbeat, and claims that were left just now. */
function listOpen({ ports, pages, left }: LeasesState): number[] {
  const now = ports.now();
  for (const [page, { at }] of pages) if (now - at > forgottenMs) pages.delete(page);
  const shown = [...pages.values()].sort((page, other) => other.at - page.at);
  return [...new Set([...shown.map(({ claimId }) => claimId), ...[...left.keys()].reverse()])];
}

/** Lists the wanted leases; a shown claim that another computer has open gets a second one, which notifies it. */
function listKept(state: LeasesState, tagOf: TagOf): string[] {
  const { pages, sendingHere } = state;
  const { computer } = state.session;
  const holder = holderOf(state);
  const shown = new Set([...pages.values()].map(({ claimId }) => claimId));
  const ofClaims = listOpen(state).flatMap((claimId) => [
    tagOf(claimId),
    ...(shown.has(claimId) && holder(claimId) !== null ? [tagOf(claimId, computer)] : []),
  ]);
  const sending =
    sendingHere === null ? undefined : readTags(state)?.sending.tagOf(computer, sendingHere.claims);
  return [...(sending === undefined ? [] : [sending]), ...ofClaims].slice(0, maxLeasesOfComputer - 1);
}

/** Sends the open claims, one request after another; null if the server did not answer, or refused. */
function sendLeases(state: LeasesState, takes: readonly number[] = []) {
  const { session, ports, left } = state;
  const { client, computer, log } = session;
  const run = async () => {
    const tagOf = readTagger(state);
    // Readers decide nothing, so their open claims stay free for others.
    const isReader = findMember(log.state.members.members, computer)?.role === 'reader';
    if (tagOf === null || isReader || !ports.isLive()) return null;
    const keeps = listKept(state, tagOf);
    state.kept = keeps;
    const leases = { keeps, takes: takes.map((claimId) => tagOf(claimId)) };
    const reply = await client.takeLeases(leases, state.ended.signal);
    const taken = takes.find((claimId) => tagOf(claimId) === reply.taken) ?? null;
    // Kept until its page shows it, even if leases are sent before that.
    if (taken !== null) left.set(taken, ports.now());
    return { taken, number: reply.number };
  };
  const sendingLeases = state.sendingLeases.then(run).catch(() => null);
  state.sendingLeases = sendingLeases;
  return sendingLeases;
}

/** Gives a claim back once the decision on it is in the log, where others read it before they take the claim. */
async function leave(state: LeasesState, claimId: number): Promise<void> {
  const { ports, pages, left } = state;
  const { signal } = state.ended;
  const at = ports.now();
  left.set(claimId, at);
  const isOver = (): boolean => ports.now() - at >= maxLingerMs;
  do {
    const isEnded = await wait(lingerMs, false, { signal }).catch(() => true);
    // It may have been opened and left again since.
    if (isEnded || (left.get(claimId) ?? at) !== at) return;
    if (!isOver() && !(await ports.hasSentAll())) continue;
    left.delete(claimId);
    if ([...pages.values()].some((page) => page.claimId === claimId) || (await sendLeases(state)) !== null)
      return;
  } while (!isOver());
}

function setPage(state: LeasesState, page: string, claimId: number | null): void {
  const { ports, pages } = state;
  const before = pages.get(page);
  if (claimId === null) pages.delete(page);
  else pages.set(page, { claimId, at: ports.now() });
  if (before !== undefined && before.claimId !== claimId) void leave(state, before.claimId);
}

/** Takes the first claim that is free, and reads what was decided before it became free. */
async function take(
  state: LeasesState,
  claimIds: readonly number[],
  sinceMs: number,
): Promise<number | null | 'failed'> {
  const { session, left } = state;
  const { log } = session;
  let candidates = claimIds;
  for (;;) {
    if (candidates.length === 0) return null;
    const reply = await sendLeases(state, candidates);
    if (reply === null) return 'failed';
    const { taken, number } = reply;
    if (taken === null) return null;
    const { position } = log.state;
    if (number > position.number) await session.exchange({ number, parts: position.parts }).catch(() => null);
    if (!log.state.decided.isSince(taken, sinceMs)) return taken;
    left.delete(taken);
    candidates = candidates.slice(candidates.indexOf(taken) + 1);
  }
}

/** The largest act on many claims that another computer is sending: its author and number of claims; null: none. */
function findSending(state: LeasesState): { email: string; claims: number } | null {
  const { computer, log } = state.session;
  const sending = readTags(state)?.sending;
  let largest: { email: string; claims: number } | null = null;
  for (const { tag, computer: sender } of state.received?.leases ?? []) {
    const claims = sender === computer ? null : (sending?.claimsOf(sender, tag) ?? null);
    const email = log.state.members.members?.computers.get(sender)?.email;
    if (claims !== null && email !== undefined && claims > (largest?.claims ?? 0))
      largest = { email, claims };
  }
  return largest;
}

/** Reports that this computer is sending an act on this many claims; null: it no longer is. */
function reportSending(state: LeasesState, claims: number | null): void {
  const { ports } = state;
  const before = state.sendingHere;
  if (claims === before?.claims && ports.now() - before.at < repeatMs) return;
  state.sendingHere = claims === null ? null : { claims, at: ports.now() };
  if (claims !== null || before !== null) void sendLeases(state);
}

/** Handles the server's list of who has which claim open; null: the server can't be reached. */
function receive(state: LeasesState, leases: Leases | null): void {
  const { ports, pages } = state;
  const isSame = leases?.version === state.received?.version;
  const before = findSending(state);
  state.received = leases;
  if (isSame) return;
  ports.onChanged();
  if (findSending(state)?.claims !== before?.claims) ports.onSending();
  // Another computer opened a claim that is shown here, or left it.
  const tagOf = readTagger(state);
  if (tagOf === null || pages.size === 0) return;
  if (listKept(state, tagOf).sort().join() !== state.kept.toSorted().join()) void sendLeases(state);
}

function show(state: LeasesState, page: string, claimId: number | null): void {
  const { ports, pages } = state;
  const before = pages.get(page);
  const isSent = before?.claimId === claimId && ports.now() - before.at < repeatMs;
  setPage(state, page, claimId);
  if (!isSent && claimId !== null) void sendLeases(state);
}

async function next(
  state: LeasesState,
  page: string,
  claimIds: readonly number[],
  listedAt: number,
): Promise<{ claimId: number | null; open: number }> {
  const { ports, left } = state;
  const { decided } = state.session.log.state;
  const sinceMs = listedAt - listedBeforeMs;
  const holder = holderOf(state);
  const undecided = claimIds.filter((claimId) => !decided.isSince(claimId, sinceMs));
  const free = undecided.filter((claimId) => holder(claimId) === null).slice(0, maxWantedLeases);
  const first = free[0] ?? null;
  const open = undecided.length - free.length;
  if (first === null) return { claimId: null, open };
  const showClaim = (claimId: number) => {
    setPage(state, page, claimId);
    left.delete(claimId);
    return { claimId, open };
  };
  const showAnyway = () => {
    const shown = showClaim(first);
    void sendLeases(state);
    return shown;
  };
  if (state.isSlow || !ports.isLive()) return showAnyway();
  const taking = take(state, free, sinceMs);
  const late = wait(ports.nextMs, 'late' as const, { signal: state.ended.signal }).catch(
    () => 'late' as const,
  );
  const answered = await Promise.race([taking, late]);
  if (answered === 'failed') return showAnyway();
  if (answered === null) return { claimId: null, open: undecided.length };
  if (answered !== 'late') return showClaim(answered);
  state.isSlow = true;
  void taking.then((taken) => {
    state.isSlow = false;
    if (typeof taken !== 'number' || taken === first) return;
    left.delete(taken);
    void sendLeases(state);
  });
  return showAnyway();
}

/** Lists which of these claims other computers have open; `isFirst`: opened first. */
function list(
  state: LeasesState,
  claimIds: readonly number[],
): { claimId: number; computer: string; isFirst: boolean }[] {
  const tagOf = readTagger(state);
  const others = listOthers(state);
  if (tagOf === null || others.size === 0) return [];
  const computers = [...new Set(others.values())];
  return claimIds.flatMap((claimId) => {
    const holder = others.get(tagOf(claimId));
    const also = computers.filter((computer) => others.has(tagOf(claimId, computer)));
    return [
      ...(holder === undefined ? [] : [{ claimId, computer: holder, isFirst: true }]),
      ...also.map((otherComputer) => ({ claimId, computer: otherComputer, isFirst: false })),
    ];
  });
}

/** Gives all leases back, as far as the server answers. */
async function end(state: LeasesState): Promise<void> {
  const { pages, left } = state;
  const hasAny = listOpen(state).length > 0 || state.sendingHere !== null;
  state.sendingHere = null;
  pages.clear();
  left.clear();
  if (hasAny) await Promise.race([sendLeases(state), wait(endMs)]);
  state.ended.abort();
}

/** Reports to a team which claims are open here, and tracks which others have open. It never fails. */
export function followLeases(session: TeamSession, ports: LeasePorts) {
  const state: LeasesState = {
    session,
    ports,
    ended: new AbortController(),
    received: null,
    isSlow: false,
    pages: new Map(),
    left: new Map(),
    tags: null,
    kept: [],
    sendingLeases: Promise.resolve(),
    sendingHere: null,
  };
  return {
    findSending: () => findSending(state),
    reportSending: (claims: number | null) => reportSending(state, claims),
    receive: (leases: Leases | null) => receive(state, leases),
    show: (page: string, claimId: number | null) => show(state, page, claimId),
    next: (page: string, claimIds: readonly number[], listedAt: number) =>
      next(state, page, claimIds, listedAt),
    list: (claimIds: readonly number[]) => list(state, claimIds),
    end: () => end(state),
  };
}

export type FollowedLeases = ReturnType<typeof followLeases>;
