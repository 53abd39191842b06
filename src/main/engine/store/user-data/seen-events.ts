import type { ReviewFact } from '../../../../contract/review.ts';
import type { Database } from '../file/database.ts';
import { type SeenEntry, unpackProof, unpackSeen } from '../file/packed-proofs.ts';

/** The kinds of events of which it matters whether they are of the team, and whether their authors had seen each other's. */
export const placedKinds: readonly ReviewFact['kind'][] = [
  'decision',
  'accept',
  'check',
  'judgeDuplicate',
  'payment',
  'settlePayments',
];

/**
 * Of `review_events e`: its entry was in the team's log before a removal. The log may have what is left of it in the
 * removal alone, where its server lost the entry itself.
 */
export const isListedInRemoval =
  'EXISTS (SELECT 1 FROM team_removed_entries r WHERE r.workspace_id=e.workspace_id AND r.id=e.id)';

/** Where an event of a team is in the team's log, and what its author had read of the log. */
export interface LogPosition {
  /**
   * Null: an event of this computer that is not in the log yet, so that nobody else has seen it; or one whose own entry
   * the server lost (`isListedInRemoval`).
   */
  readonly number: number | null;
  /** The last entry that its author had read; null: everything before it. */
  readonly seen: number | null;
  /**
   * Whether that entry is in the log. After the server was restored from a backup, another entry can have its number.
   */
  readonly isSameLog: boolean;
}

/** An event of a team, as far as `hasSeen` needs it. `order`: its place among the events of its claim. */
export interface PlacedEvent {
  readonly author: string;
  readonly at: string;
  readonly order: number;
  readonly place: LogPosition;
}

/**
 * Whether the author of an event had seen another one, with the same result on all computers of the team. Own events
 * count as seen. For events that a restored server may have lost, their times decide.
 */
export function hasSeen(event: PlacedEvent, other: PlacedEvent): boolean {
  if (event.author === other.author) return other.order < event.order;
  const { seen, isSameLog } = event.place;
  const { number } = other.place;
  if (seen === null) return other.order < event.order;
  return number !== null && number <= seen && (isSameLog || other.at < event.at);
}

/** Whether neither of the authors had seen the event of the other. */
export const areConcurrent = (one: PlacedEvent, other: PlacedEvent): boolean =>
  !hasSeen(one, other) && !hasSeen(other, one);

/**
 * Reads the places of events of a workspace; null for events that are not of its team, as those of files. Null where the
 * workspace has no team.
 */
export function createPlaceReader(
  database: Database,
  workspaceId: string,
): ((id: string) => LogPosition | null) | null {
  const hasTeam = database.prepare('SELECT 1 FROM team_position WHERE workspace_id=? AND number>0');
  if (hasTeam.get(workspaceId) === undefined) return null;
  const find = database.prepare(
    `SELECT is_imported=1 AND number IS NULL AND NOT ${isListedInRemoval} AS isOfFile, seen, proof, number
     FROM review_events e WHERE id=?`,
  );
  const hashAt = database
    .prepare(
      'SELECT t.hash FROM team_position p JOIN team_entries t ON t.log=p.log WHERE p.workspace_id=? AND t.number=?',
    )
    .pluck();
  const seenOf = ({ seen, proof }: { seen: Buffer | null; proof: Buffer | null }): SeenEntry | null => {
    if (proof !== null) return unpackProof(proof).seen;
    return seen === null ? null : unpackSeen(seen);
  };
  const read = (id: string): LogPosition | null => {
    const row = find.get(id) as
      | { isOfFile: number; seen: Buffer | null; proof: Buffer | null; number: number | null }
      | undefined;
    if (row === undefined || row.isOfFile === 1) return null;
    const seen = seenOf(row);
    return {
      number: row.number,
      seen: seen?.number ?? null,
      isSameLog:
        seen !== null &&
        (hashAt.get(workspaceId, seen.number) as Buffer | undefined)?.toString('base64url') === seen.hash,
    };
  };
  const known = new Map<string, LogPosition | null>();
  return (id) => {
    let place = known.get(id);
    if (place === undefined) {
      place = read(id);
      known.set(id, place);
    }
    return place;
  };
}
