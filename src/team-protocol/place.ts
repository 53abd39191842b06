import type { EntryHeader } from './entry.ts';
import type { MembershipAct } from './membership.ts';
import type { RemovalAct } from './removal.ts';

/** The facts that decide whether an entry counts at its place: the log before it. */
export interface PlaceInLog {
  /** The number of the newest change of the members, 0 before the first. */
  readonly membership: number;
  /** The chain's hash after the entry with this number; undefined where the log has none. */
  readonly hashAt: (number: number) => string | undefined;
}

/**
 * Whether the meaning of an entry depends on its place: of a change of the members, and of a removal. An
 * acknowledgement's does not, nor does the first entry's. A change of settings does as well, which only computers can
 * read.
 */
export const dependsOnPosition = (act: MembershipAct | RemovalAct | null): boolean =>
  act !== null && act.act !== 'create' && act.act !== 'done';

/** Whether the log is one that the author of an entry had seen: it has the same entry with the number in the header. */
export const isSeenLog = ({ seen }: Pick<EntryHeader, 'seen'>, { hashAt }: PlaceInLog): boolean =>
  seen !== null && hashAt(seen.number) === seen.hash;

/**
 * Whether an entry that depends on its place counts there: its author had seen this very log and, where it changes the
 * members, every change of them before it. So after a rollback it counts where it is given back in its order, and a change
 * that was lost can't be put after others.
 */
export const isInPosition = (header: Pick<EntryHeader, 'seen' | 'kind'>, place: PlaceInLog): boolean =>
  isSeenLog(header, place) &&
  (header.kind !== 'membership' || (header.seen?.number ?? 0) >= place.membership);
