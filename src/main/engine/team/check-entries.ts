import { nextChainHash } from '../../../team-protocol/chain.ts';
import { readCheckpoint } from '../../../team-protocol/checkpoint.ts';
import { type EntryHeader, headerOf, maxOpenedBytes } from '../../../team-protocol/entry.ts';
import { type NumberedEntry, writeNumbered } from '../../../team-protocol/frame.ts';
import { findMember } from '../../../team-protocol/membership.ts';
import { readRemoval } from '../../../team-protocol/removal.ts';
import { DeskError } from '../../lib/errors.ts';
import type { FiledEntry } from '../review/filed-entry.ts';
import {
  isContradiction,
  isMisplaced,
  isPlaced,
  neededRole,
  readAct,
  requireFollowed,
  requireRecent,
} from './check-place.ts';
import {
  type CheckedPage,
  isAhead,
  noneChecked,
  type OpenedLog,
  type Reached,
  readNow,
  refuse,
} from './log-state.ts';
import {
  checkAuthor,
  checkSignatures,
  openEntry,
  type ReadEntry,
  type SignatureCheck,
} from './read-event.ts';
import { toKeptMembership } from './read-log.ts';
import { mayRemove, openRemoval } from './read-removal.ts';
import { isSettings, needsAdmin, toKeptFacts } from './team-facts.ts';
import { addMembership, type TeamMembers } from './team-members.ts';

/** Reads an entry of kind removal whose signature was checked. */
export async function checkRemoval(
  log: Pick<OpenedLog, 'ports' | 'userData' | 'state'>,
  entry: NumberedEntry,
  header: EntryHeader,
  checked: CheckedPage,
): Promise<void> {
  const { ports, userData, state } = log;
  const { id } = header;
  const isRemoved = state.removals.removedIds.has(id) || checked.removedIds.has(id);
  const read = await openRemoval(entry, header, checked.members, isRemoved);
  if (read.kind === 'refused') refuse(log, entry, false);
  else if (read.kind === 'incomplete') checked.waiting.push(entry);
  else {
    const statement = read.kind === 'removal' ? read.statement : null;
    checked.removals.push({
      number: entry.number,
      id,
      frame: writeNumbered(entry),
      statement: statement && JSON.stringify(statement),
      isDue: statement?.isLast === false && header.computer === ports.members.computer,
    });
    if (read.kind !== 'removal') return;
    // Nothing from these is used; the report names the author of the removal.
    if (read.unproven > 0) refuse(log, entry, true);
    for (const removedId of read.removedIds) checked.removedIds.add(removedId);
    const byId = new Map<string, FiledEntry[]>();
    for (const rest of read.rests) byId.set(rest.id, [...(byId.get(rest.id) ?? []), rest]);
    const knownEntries = await userData.call('findKnownEntries', {
      workspaceId: ports.workspaceId,
      entries: [...byId.keys()].map((entryId) => ({ id: entryId, claimIds: [] })),
    });
    // Known events have been removed in part, or will be.
    for (const knownEntry of knownEntries) byId.delete(knownEntry.id);
    for (const filed of byId.values()) checked.ready.push({ entry, filed, facts: [] });
  }
}

/** Returns the computers with a newer membership in a change that was not read before. */
async function findSuperseded(
  { ports, userData, state }: Pick<OpenedLog, 'ports' | 'userData' | 'state'>,
  { id }: EntryHeader,
  before: TeamMembers,
  after: TeamMembers,
): Promise<string[]> {
  const stateOf = ({ members }: TeamMembers, computer: string): string => {
    const { role, until } = members?.computers.get(computer) ?? {};
    return `${role} ${until}`;
  };
  const changed = [...state.kept.keys()].filter(
    (computer) => stateOf(before, computer) !== stateOf(after, computer),
  );
  if (changed.length === 0) return [];
  return (await userData.call('wasRead', { workspaceId: ports.workspaceId, id })) ? [] : changed;
}

/** Records that the recovery key admitted a computer, on every computer that is a member by then. */
async function keepRecovery(
  { ports }: Pick<OpenedLog, 'ports'>,
  before: TeamMembers,
  { members }: TeamMembers,
): Promise<void> {
  const admitted = [...(members?.computers.values() ?? [])].find(
    ({ computer }) => before.members?.computers.has(computer) !== true,
  );
  if (admitted === undefined || findMember(before.members, ports.members.computer) === null) return;
  const { computer, email, role } = admitted;
  await ports.auditAction(ports.workspaceId, 'team.recovered', { computer, email, role });
}

/** Checks and applies a change to the members. */
async function checkMembership(
  log: OpenedLog,
  entry: NumberedEntry,
  header: EntryHeader,
  checked: CheckedPage,
  check: SignatureCheck,
): Promise<void> {
  const { members } = checked;
  const isFirst = members.members === null;
  const act = readAct(header, entry);
  const after = await addMembership(members, entry, log.ports.members);
  const refusal = await checkAuthor(entry, header, isFirst ? after : members, check);
  if (refusal !== null && isFirst) throw new DeskError('team.serverDiffers');
  if (refusal !== null) return refuse(log, entry, false);
  await requireFollowed(log, entry, header, neededRole(header, act));
  const isByKey = act?.act === 'admit' && members.members?.recovery.computer === header.computer;
  if (isByKey) await requireRecent(log, entry, header);
  if (await isMisplaced(log, header, act, members)) return refuse(log, entry, false);
  for (const [computer, { kept: certificate }] of after.certificates)
    if (members.certificates.get(computer)?.kept.id !== certificate.id)
      checked.certificates.push(certificate);
  checked.members = after;
  if (isByKey) await keepRecovery(log, members, after);
  checked.superseded.push(...(await findSuperseded(log, header, members, after)));
  checked.memberships.push(toKeptMembership(entry));
}

/** Checks and reads an event; returns the length of its opened texts. */
async function checkEvent(
  log: OpenedLog,
  entry: NumberedEntry,
  header: EntryHeader,
  checked: CheckedPage,
  check: SignatureCheck,
): Promise<number> {
  const { ports, state } = log;
  const { members } = checked;
  const refusal = await checkAuthor(entry, header, members, check);
  const read: ReadEntry =
    refusal === null ? openEntry(entry, members) : { kind: 'refused', isByAuthor: refusal === 'role' };
  const filed = read.kind === 'event' ? read.filed : [];
  const isOfAdmins = needsAdmin(filed, members.members);
  const isAdmin = findMember(members.members, header.computer)?.role === 'admin';
  if (read.kind === 'refused' || (isOfAdmins && !isAdmin)) {
    refuse(log, entry, read.kind !== 'refused' || read.isByAuthor);
    return 0;
  }
  await requireFollowed(log, entry, header, isOfAdmins ? 'admin' : 'reviewer');
  if (isSettings(filed) && !(await isPlaced(log, header, members))) refuse(log, entry, false);
  else if (state.removals.removedIds.has(header.id)) checked.removedIds.add(header.id);
  else if (read.kind === 'event' && !isAhead(header, checked.nowMs)) {
    const facts = toKeptFacts(entry, filed, members.members, ports.members.computer);
    checked.ready.push({ entry, filed, facts });
  } else checked.waiting.push(entry);
  return read.kind === 'event' ? read.length : 0;
}

/** Checks and reads an entry about checkpoints. */
async function checkCheckpoint(
  log: OpenedLog,
  entry: NumberedEntry,
  header: EntryHeader,
  checked: CheckedPage,
  check: SignatureCheck,
): Promise<void> {
  const act = readCheckpoint(header, entry.head);
  const { id, computer } = header;
  const isWriter = (findMember(checked.members.members, computer)?.role ?? 'reader') !== 'reader';
  if (act === null || !isWriter || (await checkAuthor(entry, header, checked.members, check)) !== null)
    return refuse(log, entry, false);
  await requireFollowed(log, entry, header, 'reviewer');
  checked.checkpoints.push({ entry: entry.number, id, computer, act: JSON.stringify(act) });
}

/** Checks and reads an entry that continues the chain; returns the length of its opened texts. */
async function checkEntry(
  log: OpenedLog,
  entry: NumberedEntry,
  checked: CheckedPage,
  check: SignatureCheck,
): Promise<number> {
  const header = headerOf(entry);
  const { members } = checked;
  if (members.members === null && header?.kind !== 'membership') throw new DeskError('team.serverDiffers');
  switch (header?.kind) {
    case undefined:
      refuse(log, entry, false);
      return 0;
    case 'event':
      return checkEvent(log, entry, header, checked, check);
    case 'membership':
      await checkMembership(log, entry, header, checked, check);
      return 0;
    case 'checkpoint':
      await checkCheckpoint(log, entry, header, checked, check);
      return 0;
    case 'removal': {
      const act = readRemoval(header, entry.head);
      const isAllowed = act !== null && mayRemove(act, header, members);
      const isValid = isAllowed && (await checkAuthor(entry, header, members, check)) === null;
      if (isValid) await requireFollowed(log, entry, header, neededRole(header, act));
      if (isValid && !(await isMisplaced(log, header, act, members)))
        await checkRemoval(log, entry, header, checked);
      else refuse(log, entry, false);
      return 0;
    }
  }
}

/**
 * Checks the chain and the entries of a page, and returns what to write. Stops before the end of the page if what it
 * opened is long, because a small page can contain very large texts; and before an entry that contradicts what was read
 * before.
 */
export async function checkPage(
  log: OpenedLog,
  page: readonly NumberedEntry[],
  before: Reached,
): Promise<CheckedPage> {
  const { state } = log;
  const checked = noneChecked(await readNow(log), before);
  const check = checkSignatures(page, before.members);
  let opened = 0;
  for (const entry of page) {
    if (opened > maxOpenedBytes) break;
    const { number, hash, root } = checked.position;
    state.recent.set(number, hash);
    if (entry.number !== number + 1 || nextChainHash(hash, entry.number, entry) !== entry.hash)
      throw new DeskError('team.serverDiffers');
    if (entry.number === 1 && root !== null && root !== entry.hash) throw new DeskError('team.serverDiffers');
    if ((state.said.get(entry.number) ?? entry.hash) !== entry.hash)
      throw new DeskError('team.serverDiffers');
    const { followed } = state;
    if (entry.number === followed?.number && entry.hash !== followed.hash)
      throw new DeskError('team.serverDiffers');
    try {
      opened += await checkEntry(log, entry, checked, check);
    } catch (thrown) {
      // The entries before it are written first.
      if (isContradiction(thrown) && number > before.position.number) break;
      throw thrown;
    }
    checked.position = { ...checked.position, number: entry.number, hash: entry.hash };
  }
  return checked;
}
