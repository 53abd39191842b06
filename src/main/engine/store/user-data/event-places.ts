import type { LogPosition } from '../../../../rules/review/seen-events.ts';
import type { Database } from '../file/database.ts';
import { certificateOf, type SeenEntry, unpackProof, unpackSeen } from '../file/packed-proofs.ts';
import { readComputers } from './certificates.ts';
import { hasId } from './stored-events.ts';

/**
 * A term on `review_events e`: the event's entry was in the team's log before a removal. Where the server lost the
 * entry itself, the log may have only what the removal left of it.
 */
export const isListedInRemoval =
  'EXISTS (SELECT 1 FROM team_removed_entries r WHERE r.workspace_id=e.workspace_id AND r.id=e.id)';

/**
 * Reads the positions of events of a workspace in its team's log; null for events that are not the team's, such as
 * those of files. Null where the workspace has no team.
 */
export function createPlaceReader(
  database: Database,
  workspaceId: string,
): ((id: string) => LogPosition | null) | null {
  const hasTeam = database.prepare('SELECT 1 FROM team_position WHERE workspace_id=? AND number>0');
  if (hasTeam.get(workspaceId) === undefined) return null;
  const find = database.prepare(
    `SELECT is_imported=1 AND number IS NULL AND NOT ${isListedInRemoval} AS isOfFile, is_imported, seen, proof, number
     FROM review_events e WHERE ${hasId('packed_id', ':id')}`,
  );
  const computers = readComputers(database, workspaceId);
  const keyOf = (proof: Uint8Array | null): string =>
    proof === null ? '' : (computers.get(certificateOf(proof))?.key ?? '');
  const hashAt = database
    .prepare(
      'SELECT t.hash FROM team_position p JOIN team_entries t ON t.log=p.log WHERE p.workspace_id=? AND t.number=?',
    )
    .pluck();
  const behind = database
    .prepare("SELECT number, act ->> '$.number' AS upTo FROM team_behind WHERE workspace_id=?")
    .get(workspaceId) as { number: number; upTo: number } | undefined;
  /** Whether the log contains this entry. An entry before a checkpoint that was not read yet counts as contained. */
  const isInLog = ({ number, hash }: SeenEntry): boolean => {
    const here = hashAt.get(workspaceId, number) as Buffer | undefined;
    if (here !== undefined) return here.toString('base64url') === hash;
    return behind !== undefined && number > behind.number && number <= behind.upTo;
  };
  const seenOf = ({ seen, proof }: { seen: Buffer | null; proof: Buffer | null }): SeenEntry | null => {
    if (proof !== null) return unpackProof(proof).seen;
    return seen === null ? null : unpackSeen(seen);
  };
  const read = (id: string): LogPosition | null => {
    const row = find.get({ id }) as
      | {
          isOfFile: number;
          is_imported: number;
          seen: Buffer | null;
          proof: Buffer | null;
          number: number | null;
        }
      | undefined;
    if (row === undefined || row.isOfFile === 1) return null;
    const seen = seenOf(row);
    return {
      number: row.number,
      seen: seen?.number ?? null,
      // Events of this computer have no proof here.
      computer: keyOf(row.proof),
      isSameLog: seen !== null && isInLog(seen),
    };
  };
  const placeById = new Map<string, LogPosition | null>();
  return (id) => {
    let place = placeById.get(id);
    if (place === undefined) {
      place = read(id);
      placeById.set(id, place);
    }
    return place;
  };
}
