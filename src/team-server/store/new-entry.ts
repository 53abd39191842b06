import type { EntryKind } from '../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../team-protocol/frame.ts';

/**
 * The counters of a team: the newest number and hash, the numbers of the newest membership and removal, the hash at that
 * membership, and the parts that came later.
 */
export interface TeamHead {
  readonly number: number;
  readonly hash: string;
  readonly membership: number;
  readonly membershipHash: string;
  readonly removal: number;
  readonly parts: number;
}

export interface NewEntry extends NumberedEntry {
  readonly id: string;
  readonly kind: EntryKind;
  /** Whether it removes content of other authors. */
  readonly removes?: boolean;
}
