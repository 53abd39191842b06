import { reviewFactSchema } from '../../../../rules/review/event-kinds.ts';
import type { Database } from '../file/database.ts';

const knownKinds = reviewFactSchema.options.map(({ shape }) => shape.kind.value);

/**
 * The claims among these that are not decided or paid now. `newer`: with an event of a kind that only a newer version of Claimdesk
 * has; `unread`: colleagues' reviews of them are still to be read from a checkpoint, before whose early parts that may be
 * any claim.
 */
export function findLocked(
  database: Database,
  { workspaceId, claimIds }: { workspaceId: string; claimIds: readonly number[] },
): { newer: number[]; unread: number[] } {
  const among = JSON.stringify(claimIds);
  const newer = database
    .prepare(
      `SELECT DISTINCT c.claim_id FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq
       WHERE c.claim_id IN (SELECT value FROM json_each(?)) AND e.workspace_id=?
       AND e.kind NOT IN (SELECT value FROM json_each(?))`,
    )
    .pluck()
    .all(among, workspaceId, JSON.stringify(knownKinds)) as number[];
  const isBeforeEarly = database
    .prepare("SELECT parts<act->>'$.early' FROM team_behind WHERE workspace_id=?")
    .pluck()
    .get(workspaceId) as number | undefined;
  if (isBeforeEarly === undefined) return { newer, unread: [] };
  if (isBeforeEarly === 1) return { newer, unread: [...claimIds] };
  return { newer, unread: listUnread(database, workspaceId, claimIds) };
}

/** Of these claims, or of all, those whose reviews are in parts of a checkpoint that are still to be read. */
export const listUnread = (
  database: Database,
  workspaceId: string,
  claimIds: readonly number[] | null,
): number[] =>
  database
    .prepare(
      `SELECT u.claim_id FROM team_position p JOIN team_unread_claims u ON u.log=p.log WHERE p.workspace_id=:workspaceId
       ${claimIds === null ? '' : 'AND u.claim_id IN (SELECT value FROM json_each(:among))'}`,
    )
    .pluck()
    .all(claimIds === null ? { workspaceId } : { workspaceId, among: JSON.stringify(claimIds) }) as number[];

/** How many claims colleagues' reviews are still to be read of, once the early parts of a checkpoint were read. */
export const countUnread = (database: Database, { workspaceId }: { workspaceId: string }): number =>
  database
    .prepare(
      'SELECT count(*) FROM team_unread_claims WHERE log=(SELECT log FROM team_position WHERE workspace_id=?)',
    )
    .pluck()
    .get(workspaceId) as number;
