import { maxAheadMs } from '../../../team-protocol/api.ts';
import { type EntryHeader, readHeader } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import {
  isWaiting,
  type MembershipAct,
  readMembership,
  type TeamRole,
} from '../../../team-protocol/membership.ts';
import { dependsOnPosition, isInPosition } from '../../../team-protocol/place.ts';
import { type RemovalAct, readRemoval } from '../../../team-protocol/removal.ts';
import { isSignedBy, readSigningKey } from '../../../team-protocol/sign-entry.ts';
import { DeskError } from '../../lib/errors.ts';
import { isLowered, listAdmins, roleFor } from './kept-members.ts';
import type { OpenedLog } from './log-state.ts';
import { readMemberships } from './read-log.ts';
import type { TeamMembers } from './team-members.ts';

type Opened = Pick<OpenedLog, 'ports' | 'client' | 'userData' | 'state'>;

/** The act of an entry that changes the members or removes; null for an event, and for a head that can't be read. */
export const readAct = (header: EntryHeader, entry: NumberedEntry): MembershipAct | RemovalAct | null =>
  readMembership(header, entry.head) ?? readRemoval(header, entry.head);

/** The chain's hash after an entry of the log, as far as it was checked; undefined for another number. */
async function readHash(
  { ports, client, userData, state }: Opened,
  number: number,
): Promise<string | undefined> {
  const { workspaceId } = ports;
  const recent = state.recent.get(number);
  if (recent !== undefined) return recent;
  const [at] = await userData.call('readTeamHashes', { workspaceId, number, limit: 1 });
  if (at?.number === number) return at.hash;
  const { behind } = state;
  if (behind === null || number > state.position.number) return undefined;
  // Before a checkpoint, the server is asked; its answer is compared once the log is read up to that entry.
  const said = state.said.get(number) ?? (await client.entries(number - 1, { count: 1 }))[0]?.hash;
  if (said !== undefined) state.said.set(number, said);
  return said;
}

/** Whether an entry counts at its position (`place.ts`); `members`: those before it. */
export async function isPlaced(log: Opened, header: EntryHeader, members: TeamMembers): Promise<boolean> {
  const { seen } = header;
  if (seen === null) return false;
  const hash = await readHash(log, seen.number);
  return isInPosition(header, { membership: members.newest, hashAt: () => hash });
}

/** Whether an entry that depends on its position is at a different one. */
export const isMisplaced = async (
  log: Opened,
  header: EntryHeader,
  act: MembershipAct | RemovalAct | null,
  members: TeamMembers,
): Promise<boolean> => dependsOnPosition(act) && !(await isPlaced(log, header, members));

/**
 * Refuses to follow a log with an act by a computer that, as this one read before the server went back, was removed or
 * had its role lowered. The act is allowed if it was read before as well, or if admins have confirmed the log up to
 * there.
 * @throws DeskError `team.logContradicts`
 */
export async function requireFollowed(
  { ports, userData, state }: Opened,
  { number }: Pick<NumberedEntry, 'number'>,
  { id, computer }: EntryHeader,
  needed: TeamRole,
): Promise<void> {
  if (!isLowered(state.kept, computer, needed) || number <= (state.followed?.number ?? 0)) return;
  if (await userData.call('wasRead', { workspaceId: ports.workspaceId, id })) return;
  throw new DeskError('team.logContradicts', { details: { number, computer } });
}

/**
 * Refuses to follow a log in which the recovery key admits a computer before the time when this computer had read the
 * log to its end without that: the day in which an admin can refuse it would have begun unseen.
 * @throws DeskError `team.logContradicts`
 */
export async function requireRecent(
  { ports, userData, state }: Opened,
  { number }: Pick<NumberedEntry, 'number'>,
  { id, computer, at }: EntryHeader,
): Promise<void> {
  const isFollowed = number <= (state.followed?.number ?? 0);
  if (state.checkedMs === null || isFollowed || Date.parse(at) >= state.checkedMs - maxAheadMs) return;
  if (await userData.call('wasRead', { workspaceId: ports.workspaceId, id })) return;
  throw new DeskError('team.logContradicts', { details: { number, computer } });
}

export const isContradiction = (thrown: unknown): boolean =>
  thrown instanceof DeskError && thrown.code === 'team.logContradicts';

export const neededRole = (header: EntryHeader, act: MembershipAct | RemovalAct | null): TeamRole =>
  header.kind === 'event' ? 'reviewer' : roleFor(act);

/**
 * Whether admins have confirmed the server's log beyond a number: on two computers or, if the team has one computer of
 * an admin, with the recovery key. Then the log is followed from now on.
 */
export async function findFollowed({ client, state }: Opened, number: number): Promise<boolean> {
  const { members, certificates } = state.members;
  const admins = listAdmins(members, state.kept);
  const followByComputer = new Map<string, { number: number; hash: string }>();
  for (const entry of await readMemberships(client)) {
    const header = entry.number < number ? null : readHeader(entry.header);
    const act = header === null ? null : readMembership(header, entry.head);
    if (header === null || act?.act !== 'follow' || act.number < number) continue;
    const { computer } = header;
    const isKey = computer === members?.recovery.computer;
    const author = members?.computers.get(computer);
    if (author !== undefined && isWaiting(author, header.at)) continue;
    const key = isKey
      ? readSigningKey(Buffer.from(members.recovery.signingKey, 'base64url'))
      : admins.includes(computer)
        ? certificates.get(computer)?.key
        : undefined;
    if (key === undefined || header.team !== members?.team) continue;
    if (await isSignedBy(entry.header, Buffer.from(entry.signature, 'base64url'), key))
      followByComputer.set(computer, act);
  }
  const needed = admins.length > 1 ? 2 : 1;
  const confirmed = [...followByComputer].filter(
    ([computer]) => admins.length > 1 === admins.includes(computer),
  );
  if (confirmed.length < needed) return false;
  const [first] = confirmed.map(([, act]) => act).sort((act, other) => act.number - other.number);
  state.followed = first ?? null;
  return true;
}
