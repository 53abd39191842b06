import type { EntryHeader } from './entry.ts';
import type { MembershipAct } from './membership.ts';
import type { RemovalAct } from './removal.ts';

/** The facts that decide whether an entry counts at its place: the log before it. */
interface PlaceInLog {
  /** The number of the newest change of the members, 0 before the first. */
  readonly membership: number;
  /** The chain's hash after the entry with this number; undefined where the log has none. */
  readonly hashAt: (number: number) => string | undefined;
}

/**
 * Returns whether an entry counts only at its position in the log: a change of the members, except the first entry, or
 * a removal, except an acknowledgement. A change of settings does as well, but only computers can read it.
 */
export const dependsOnPosition = (act: MembershipAct | RemovalAct | null): boolean =>
  act !== null && act.act !== 'create' && act.act !== 'done';

/** Returns whether the author had seen this log, which then has the entry whose number and hash are in the header. */
const isSeenLog = ({ seen }: Pick<EntryHeader, 'seen'>, { hashAt }: PlaceInLog): boolean =>
  seen !== null && hashAt(seen.number) === seen.hash;

/**
 * Returns whether an entry that depends on its position counts: its author had seen this log and, for a change of the
 * members, every earlier one. So after a rollback it counts if it is sent again in its order, and a lost change can't
 * follow others.
 */
export const isInPosition = (header: Pick<EntryHeader, 'seen' | 'kind'>, place: PlaceInLog): boolean =>
  isSeenLog(header, place) &&
  (header.kind !== 'membership' || (header.seen?.number ?? 0) >= place.membership);
