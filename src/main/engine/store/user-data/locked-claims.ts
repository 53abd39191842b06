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
  const among = { workspaceId, claimIds: JSON.stringify(claimIds) };
  const newer = database
    .prepare(
      `SELECT DISTINCT c.claim_id FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq
       WHERE c.claim_id IN (SELECT value FROM json_each(:claimIds)) AND e.workspace_id=:workspaceId
       AND e.kind NOT IN (SELECT value FROM json_each(:knownKinds))`,
    )
    .pluck()
    .all({ ...among, knownKinds: JSON.stringify(knownKinds) }) as number[];
  const unread = database
    .prepare(
      `SELECT value FROM json_each(:claimIds) WHERE EXISTS
         (SELECT 1 FROM team_behind WHERE workspace_id=:workspaceId AND parts<act->>'$.early')
       OR EXISTS (SELECT 1 FROM team_position p JOIN team_unread_claims u ON u.log=p.log
         WHERE p.workspace_id=:workspaceId AND u.claim_id=value)`,
    )
    .pluck()
    .all(among) as number[];
  return { newer, unread };
}

/** How many claims colleagues' reviews are still to be read of, once the early parts of a checkpoint were read. */
export const countUnread = (database: Database, { workspaceId }: { workspaceId: string }): number =>
  database
    .prepare(
      'SELECT count(*) FROM team_unread_claims WHERE log=(SELECT log FROM team_position WHERE workspace_id=?)',
    )
    .pluck()
    .get(workspaceId) as number;
