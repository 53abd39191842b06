import { nextChainHash } from '../../../team-protocol/chain.ts';
import {
  type CheckpointAct,
  chooseCheckpoint,
  digestEvents,
  digestMemberships,
  type MadeCheckpoint,
  readCheckpoint,
} from '../../../team-protocol/checkpoint.ts';
import { createClaimTags } from '../../../team-protocol/claim-tags.ts';
import { type EntryHeader, headerOf, readHeader } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import { listMembers } from '../../../team-protocol/membership.ts';
import { readRemoval } from '../../../team-protocol/removal.ts';
import { isSignedBy } from '../../../team-protocol/sign-entry.ts';
import { DeskError } from '../../lib/errors.ts';
import type { BehindPosition } from '../store/user-data/team-checkpoints.ts';
import { checkRemoval } from './check-entries.ts';
import { type CheckpointReader, lineEnd, type OpenEvent, readEventLines } from './checkpoint-lines.ts';
import { readOpenPart, readParts } from './entry-parts.ts';
import { type CheckedPage, noneChecked, type OpenedLog, type Ready, readNow } from './log-state.ts';
import { checkAuthor } from './read-event.ts';
import { readKind, toKeptMembership } from './read-log.ts';
import { mayRemove } from './read-removal.ts';
import { needsAdmin, toKeptFacts } from './team-facts.ts';
import { addMembership, noMembers, type TeamMembers } from './team-members.ts';
import { writePage } from './write-page.ts';

// A computer that joins reads the changes to the members, the removals, and the newest checkpoint that another member
// confirmed, then the log after it. It reads the log before it later (`read-behind.ts`).

/** The members over time, and the memberships whose authors could write them. */
class SignedMembers {
  readonly states: TeamMembers[] = [];
  readonly accepted: NumberedEntry[] = [];
  readonly at = (number: number): TeamMembers =>
    this.states.findLast(({ newest }) => newest <= number) ?? noMembers;
}

/** Checks all memberships of the server; null where the first is not the one of the invitation. */
async function readSignedMembers({ client, ports, state }: OpenedLog): Promise<SignedMembers | null> {
  const entries = await readKind(client, 'membership');
  const [first] = entries;
  const { root, hash } = state.position;
  if (first?.number !== 1 || nextChainHash(hash, 1, first) !== first.hash) return null;
  if (root !== null && root !== first.hash) return null;
  const read = new SignedMembers();
  for (const entry of entries) {
    const header = headerOf(entry);
    const before = read.states.at(-1) ?? noMembers;
    const after = await addMembership(before, entry, ports.members);
    const authority = before.members === null ? after : before;
    if (header === null || (await checkAuthor(entry, header, authority)) !== null) continue;
    read.accepted.push(entry);
    read.states.push({ ...after, newest: entry.number });
  }
  return read;
}

/** Returns what these entries state about checkpoints, if a member who may write has signed it. */
async function readSigned(entries: readonly NumberedEntry[], members: SignedMembers) {
  const read = await Promise.all(
    entries.map(async (entry) => {
      const header = headerOf(entry);
      const act = header === null ? null : readCheckpoint(header, entry.head);
      const { members: then, certificates } = members.at(entry.number);
      const member = then?.computers.get(header?.computer ?? '');
      const key = certificates.get(header?.computer ?? '')?.key;
      if (header === null || act === null || member === undefined || key === undefined) return [];
      const isWriter = member.until === null && member.role !== 'reader' && header.team === then?.team;
      if (!isWriter || !(await isSignedBy(entry.header, entry.signature, key))) return [];
      const { computer, email } = member;
      return [{ id: header.id, entry: entry.number, computer, email, act, header: entry.header }];
    }),
  );
  return read.flat();
}

/** Checks the removals up to a checkpoint. */
async function checkRemovals(
  log: OpenedLog,
  entries: readonly NumberedEntry[],
  members: SignedMembers,
  checked: CheckedPage,
): Promise<void> {
  for (const entry of entries) {
    const header = headerOf(entry);
    const act = header === null ? null : readRemoval(header, entry.head);
    const then = members.at(entry.number);
    if (header === null || act === null || !mayRemove(act, header, then)) continue;
    if ((await checkAuthor(entry, header, then)) !== null) continue;
    // The rests of events may be in parts that were sent separately.
    const parts = await readParts(log.client, header, entry.parts, checked.members.keys);
    await checkRemoval(log, Object.assign(entry, { parts }), header, checked);
  }
}

/** The events of the next parts of a checkpoint, from a part on, once they are checked, and the part after them. */
interface OpenedParts {
  readonly from: number;
  readonly ready: readonly Promise<readonly Ready[]>[];
  readonly next: number;
}

/** The numbers of events and the chain's hashes after them, in a third of the memory. */
interface PackedHashes {
  readonly numbers: readonly number[];
  readonly hashes: Buffer;
}
const packHashes = (ready: readonly Ready[]): PackedHashes => ({
  numbers: ready.map(({ entry }) => entry.number),
  hashes: Buffer.concat(ready.map(({ entry }) => Buffer.from(entry.hash, 'base64url'))),
});
const digestPacked = (events: readonly PackedHashes[]): string =>
  digestEvents(
    events.flatMap(({ numbers }) => numbers),
    Buffer.concat(events.map(({ hashes }) => hashes)),
  );

/** The parts of a checkpoint that were read since the start: from which part on, and what is opened ahead. */
interface PartsRead {
  readonly from: number;
  events: readonly PackedHashes[];
  /** Null where that failed, so that it is tried again, and after the last one. */
  readonly ahead: Promise<OpenedParts | null>[];
}
/** While one is written, the next ones are opened: one is opened while signatures of the previous one are checked. */
const openedAhead = 2;
const partsRead = new WeakMap<OpenedLog['state'], PartsRead>();

/** If the log is empty here, begins with a checkpoint if there is one. @throws DeskError `team.*`, `store.*` */
export async function beginAtCheckpoint(log: OpenedLog): Promise<void> {
  const { client, state } = log;
  const sent = await readKind(client, 'checkpoint');
  if (sent.length === 0) return;
  const members = await readSignedMembers(log);
  const newest = members?.states.at(-1);
  if (members === null || newest === undefined || newest.members === null) return;
  const removals = await readKind(client, 'removal');
  const isRemoval = (entry: NumberedEntry): boolean => {
    const header = headerOf(entry);
    return header !== null && readRemoval(header, entry.head)?.act === 'remove';
  };
  const emails = new Set(listMembers(newest.members).map(({ email }) => email));
  const signed = await readSigned(sent, members);
  const chosen = chooseCheckpoint(signed, {
    removal: removals.findLast(isRemoval)?.number ?? 0,
    isAlone: emails.size < 2,
  });
  if (chosen === null) return;
  const { act, id } = chosen;
  const memberships = members.accepted.filter(({ number }) => number <= act.number).map(toKeptMembership);
  if (digestMemberships(memberships) !== act.members) return;
  const before = members.at(act.number);
  const checked = noneChecked(await readNow(log), {
    position: { ...state.position, number: act.number, hash: act.hash },
    members: { ...before, keys: newest.keys },
  });
  checked.memberships.push(...memberships);
  for (const { kept } of newest.certificates.values()) checked.certificates.push(kept);
  await checkRemovals(
    log,
    removals.filter(({ number }) => number <= act.number),
    members,
    checked,
  );
  const header = signed.find((checkpoint) => checkpoint.id === id)?.header ?? '';
  const behind = { header, act: JSON.stringify(act), parts: 0, number: 0, hash: state.position.hash };
  partsRead.delete(state);
  // Set before it is written, so that what it changes may wait for the rest.
  state.behind = behind;
  await writePage(log, [], checked, { behind });
}

export const actOf = ({ act }: BehindPosition): MadeCheckpoint => JSON.parse(act) as MadeCheckpoint;
export const isMade = (act: CheckpointAct): act is MadeCheckpoint => act.act === 'make';

/** Thrown if a checkpoint has different content than it should; the log is read from the start instead. */
export class WrongCheckpoint extends Error {}

/** Thrown if the server no longer has its parts: a removal ended it, or the server lost it. The log is read instead. */
export class EndedCheckpoint extends WrongCheckpoint {}

function createReader(
  { ports, state }: OpenedLog,
  membersAt: CheckpointReader['membersAt'],
): CheckpointReader {
  const firstKey = state.members.keys.get(1);
  if (firstKey === undefined) throw new DeskError('team.notMember');
  return { team: ports.team, tagOf: createClaimTags(firstKey, ports.team), membersAt };
}

/** The facts of settings and computers whose authors were allowed to write them. @throws WrongCheckpoint */
function withFacts({ ports }: OpenedLog, { membersAt }: CheckpointReader, ready: Ready): Ready {
  const { members } = membersAt(ready.entry.number);
  const role = members?.computers.get(ready.filed[0]?.signer?.computer ?? '')?.role;
  if (needsAdmin(ready.filed, members) && role !== 'admin') throw new WrongCheckpoint();
  return { ...ready, facts: toKeptFacts(ready.entry, ready.filed, members, ports.members.computer) };
}

/** Creates a reader of the members at a number, from the memberships that are here. */
export async function createMembersAt({
  ports,
  userData,
}: OpenedLog): Promise<CheckpointReader['membersAt']> {
  const { memberships } = await userData.call('readTeamLog', { workspaceId: ports.workspaceId });
  const read = new SignedMembers();
  for (const entry of memberships)
    read.states.push({
      ...(await addMembership(read.states.at(-1) ?? noMembers, entry, ports.members)),
      newest: entry.number,
    });
  return read.at;
}

/**
 * Opens a part and the parts after it into which an event continues. @throws WrongCheckpoint; `ready` may reject with
 * it as well
 */
async function openParts(
  { client, state }: OpenedLog,
  header: EntryHeader,
  reader: CheckpointReader,
  from: number,
): Promise<OpenedParts> {
  const ready: Promise<Ready[]>[] = [];
  let [open, next]: [OpenEvent | null, number] = [null, from];
  do {
    const content =
      next < header.parts.length ? await readOpenPart(client, header, next, state.members.keys) : null;
    if (content === null) throw next < header.parts.length ? new EndedCheckpoint() : new WrongCheckpoint();
    const read: ReturnType<typeof readEventLines> = readEventLines(reader, content.text.split(lineEnd), open);
    const checked = read.ready.catch(() => {
      throw new WrongCheckpoint();
    });
    // It is awaited when its turn comes.
    checked.catch(() => undefined);
    ready.push(checked);
    [open, next] = [read.open, next + 1];
  } while (open !== null);
  return { from, ready, next };
}

/**
 * Reads the next parts of the checkpoint; the parts after them are opened while these are written.
 * @throws WrongCheckpoint if its author, or the authors of events, did not sign it in this form
 */
export async function readNextPart(log: OpenedLog, membersAt: CheckpointReader['membersAt']): Promise<void> {
  const { state } = log;
  const { behind } = state;
  const header = behind === null ? null : readHeader(behind.header);
  if (behind === null || header === null) return;
  const act = actOf(behind);
  const { parts } = behind;
  const read = partsRead.get(state) ?? { from: parts, events: [], ahead: [] };
  partsRead.set(state, read);
  const reader = createReader(log, membersAt);
  const open = (from: number): Promise<OpenedParts> => openParts(log, header, reader, from);
  const isLast = ({ next }: Pick<OpenedParts, 'next'>): boolean => next >= header.parts.length;
  const ahead = await read.ahead.shift();
  if (ahead?.from !== parts) read.ahead.length = 0;
  const opened = ahead?.from === parts ? ahead : await open(parts);
  while (read.ahead.length < openedAhead) {
    const before = read.ahead.at(-1) ?? Promise.resolve(opened);
    const next = before.then((previous) =>
      previous === null || isLast(previous) ? null : open(previous.next),
    );
    read.ahead.push(next.catch(() => null));
  }
  const { next } = opened;
  const [nowMs, ...checked] = await Promise.all([readNow(log), ...opened.ready]);
  const ready = checked.flat();
  const page = noneChecked(nowMs, state);
  page.ready.push(...ready.map((entry) => withFacts(log, reader, entry)));
  const events = [...read.events, packHashes(ready)];
  const placed = page.ready.map(({ entry, filed }) => ({ number: entry.number, id: filed[0]?.id ?? '' }));
  if (isLast(opened) && read.from === 0 && digestPacked(events) !== act.events) throw new WrongCheckpoint();
  const reached = { ...behind, parts: next };
  await writePage(log, [], page, { placed, behind: reached });
  state.behind = reached;
  if (read.from === 0) read.events = events;
}
