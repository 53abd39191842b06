import { headerOf } from '../../../team-protocol/entry.ts';
import { type NumberedEntry, writeNumbered } from '../../../team-protocol/frame.ts';
import { DeskError } from '../../lib/errors.ts';
import { checkFile } from '../review/check-file.ts';
import type { Signer } from '../review/filed-entry.ts';
import { createRemovedFilter } from '../review/removed-reviews.ts';
import { readCertificates } from '../review/write-entries.ts';
import type { TeamPage, WaitingEntry } from '../store/user-data/team-log.ts';
import { leaveOut } from './kept-members.ts';
import { describeRemovals, findRemovedBy, type KnownRemoval, type TeamRemovals } from './known-removals.ts';
import { type CheckedPage, type OpenedLog, type Ready, refuse } from './log-state.ts';

const toDue = (removal: KnownRemoval): KnownRemoval =>
  removal.says === null ? removal : { ...removal, isDue: true };

/** Chooses the events that may be added. An event that changes one that has not arrived waits; others are refused. */
async function chooseEntries(log: OpenedLog, { ready, nowMs, members }: CheckedPage, removals: TeamRemovals) {
  const { ports, userData } = log;
  const { workspaceId, team } = ports;
  const signers = new Map<string, Signer>(
    [...members.certificates.values()].map(({ signer }) => [signer.certificate, signer]),
  );
  const store = await ports.getStore(workspaceId);
  const [kept, rules] = await Promise.all([
    readCertificates(userData, workspaceId),
    store.read('readRetention', null),
  ]);
  for (const [id, { signer }] of kept) signers.set(id, signer);
  const removed = createRemovedFilter(rules, findRemovedBy(removals, team, members.keys));
  const check = async (some: readonly Ready[]) => {
    const { leftOut } = await checkFile(
      some.flatMap(({ filed }) => filed),
      nowMs,
      (filedEntries) => userData.call('findKnownEntries', { workspaceId, entries: filedEntries }),
      removed.look,
      (id) => signers.get(id) ?? null,
      true,
    );
    return leftOut;
  };
  const allowed: Ready[] = [];
  const left: Ready[] = [];
  const refused = new Set<number>();
  try {
    const leftOut = await check(ready);
    for (const readyEntry of ready)
      (leftOut.has(readyEntry.filed[0]?.id ?? '') ? left : allowed).push(readyEntry);
  } catch (thrown) {
    if (!(thrown instanceof DeskError)) throw thrown;
    // One of them differs from the event here, or has an impossible time: they are checked one by one to find it.
    for (const candidate of ready) {
      const leftOut = await check([candidate]).catch(() => null);
      if (leftOut === null) {
        refuse(log, candidate.entry, true);
        refused.add(candidate.entry.number);
      } else (leftOut.size > 0 ? left : allowed).push(candidate);
    }
  }
  const looked = [...removed.claimIds()];
  if (looked.length > 0) {
    const here = await store.read('readReviewedClaims', { claimIds: looked });
    removed.keep(here.map(({ claimId }) => claimId));
  }
  const entries = allowed.flatMap(({ filed }) => filed.flatMap((entry) => removed.without(entry) ?? []));
  const facts = allowed.flatMap((allowedEntry) => allowedEntry.facts);
  return { entries, left, facts, refused, isDue: removed.claimsOfTeam() > 0 };
}

/** Leaves out parts that were sent separately: a start reads them again, and each write would repeat them. */
const toWaiting = (entry: NumberedEntry): WaitingEntry => {
  const parts = entry.parts.length > 1 ? entry.parts.map(() => null) : entry.parts;
  return { number: entry.number, frame: writeNumbered({ ...entry, parts }) };
};

/** Writes what was checked, with the position, which becomes this log's, and with the entries that waited for it. */
export async function writePage(
  log: OpenedLog,
  page: readonly NumberedEntry[],
  checked: CheckedPage,
  also: Pick<TeamPage, 'placed' | 'behind' | 'isBehind'> = {},
): Promise<void> {
  const { ports, userData, state } = log;
  const { workspaceId } = ports;
  const { removals } = checked;
  const knownIds = new Set(state.removals.all.map(({ id }) => id));
  const nextRemovals =
    removals.length === 0
      ? state.removals
      : describeRemovals(
          [
            ...state.removals.all,
            ...removals
              .filter(({ id }) => !knownIds.has(id))
              .map((removal) => ({ ...removal, isApplied: removal.statement === null })),
          ],
          [...state.removals.removedIds, ...checked.removedIds],
        );
  const { nowMs } = checked;
  const { entries, left, facts, refused, isDue } = await chooseEntries(log, checked, nextRemovals);
  /** Another entry with the ID of an event that is here does not determine that event's position in the log. */
  const idOf = (entry: NumberedEntry): string =>
    refused.has(entry.number) ? '' : (headerOf(entry)?.id ?? '');
  /** Whether an entry waited for content that was deleted, or for a removal to confirm the deletion. */
  const isReleased = (entry: NumberedEntry): boolean => {
    const header = headerOf(entry);
    return header?.kind === 'event' && nextRemovals.removedIds.has(header.id);
  };
  const isNew = (number: number): boolean => number >= (page[0]?.number ?? Number.POSITIVE_INFINITY);
  // An event that changes a waiting one waits as well; if no event waits, it is not allowed.
  const mayWait = state.waiting.size > 0 || checked.waiting.length > 0 || state.behind !== null;
  const held = mayWait ? left.map(({ entry }) => entry) : [];
  if (!mayWait) for (const { entry } of left) refuse(log, entry, true);
  const waiting = [...checked.waiting, ...held].filter((entry) => !isReleased(entry));
  const released = [...state.waiting.values()].filter(isReleased);
  const applied = [...checked.ready.map(({ entry }) => entry), ...removals, ...checked.refused, ...released]
    .map(({ number }) => number)
    .filter((number) => !isNew(number) && !held.some((entry) => entry.number === number));
  const kept = leaveOut(
    new Map([...state.kept].filter(([computer]) => !checked.superseded.includes(computer))),
    checked.members.members,
  );
  const position = { ...checked.position, isRead: checked.position.isRead ?? 0 };
  await userData.call('addTeamPage', {
    workspaceId,
    entries,
    nowMs,
    position,
    applied,
    certificates: checked.certificates,
    numbers: page.map((entry) => ({ number: entry.number, hash: entry.hash, id: idOf(entry) })),
    memberships: checked.memberships,
    checkpoints: checked.checkpoints,
    ...also,
    facts,
    waiting: waiting.map(toWaiting),
    removals: { removals, removedIds: [...checked.removedIds], isDue },
    ...(kept.size === state.kept.size ? {} : { kept: [...kept.values()] }),
  });
  state.kept = kept;
  state.checkpoints = [...state.checkpoints, ...checked.checkpoints];
  for (const { number } of page) state.recent.delete(number);
  [state.position, state.members] = [position, checked.members];
  for (const { entry, filed } of checked.ready)
    if (headerOf(entry)?.computer !== ports.members.computer) state.decided.add(filed);
  // The facts of other computers are listed with the members.
  if (facts.some(({ kind, is_own }) => kind === 'computer' && is_own === 0)) ports.onChanged(workspaceId);
  state.removals = isDue ? { ...nextRemovals, all: nextRemovals.all.map(toDue) } : nextRemovals;
  for (const number of applied) state.waiting.delete(number);
  for (const entry of waiting) state.waiting.set(entry.number, entry);
}
