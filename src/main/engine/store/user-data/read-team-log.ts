import type { Database } from '../file/database.ts';
import { unsentOnly } from './list-events.ts';
import { hasId } from './stored-events.ts';
import {
  type KeptInvitation,
  type KeptMembership,
  ofLog,
  type TeamPosition,
  type WaitingEntry,
} from './team-log.ts';

/** The position, null before the first page, and the memberships and waiting entries in the order of their numbers. */
export function readTeamLog(database: Database, { workspaceId }: { workspaceId: string }) {
  const read = (sql: string): unknown[] => database.prepare(sql).all(workspaceId);
  const [position = null] = read(
    'SELECT team, number, hash, parts, root, is_read AS isRead FROM team_position WHERE workspace_id=?',
  ) as TeamPosition[];
  return {
    position,
    memberships: read(
      `SELECT number, header, signature, head FROM team_memberships WHERE workspace_id=? AND number>0
       ORDER BY number`,
    ) as KeptMembership[],
    waiting: read(
      'SELECT number, frame FROM team_waiting WHERE workspace_id=? ORDER BY number',
    ) as WaitingEntry[],
  };
}

/**
 * The next entries that the server lost and that are not in its log again, oldest first; for a membership also its
 * content. Lost entries get negative numbers in their old order.
 */
export const readLost = (
  database: Database,
  { workspaceId, limit }: { workspaceId: string; limit: number },
) =>
  database
    .prepare(
      `SELECT t.number, t.id, m.header, m.signature, m.head
       FROM team_entries t LEFT JOIN team_memberships m ON m.workspace_id=:workspaceId AND m.number=t.number
       WHERE ${ofLog} AND t.number<0
         AND NOT EXISTS (SELECT 1 FROM team_entries f WHERE f.log=t.log AND f.id=t.id AND f.number>0)
         AND NOT EXISTS (SELECT 1 FROM review_events e WHERE ${hasId('e.packed_id', 't.id')} AND e.number IS NOT NULL)
       ORDER BY t.number LIMIT :limit`,
    )
    .all({ workspaceId, limit }) as (Pick<KeptMembership, 'number'> & { id: string } & (
      | Omit<KeptMembership, 'number'>
      | { header: null }
    ))[];

/** The hashes of entries from this number down, newest first, to find where another log is still the same. */
export const readTeamHashes = (
  database: Database,
  { workspaceId, number, limit }: { workspaceId: string; number: number; limit: number },
) =>
  (
    database
      .prepare(
        `SELECT number, hash FROM team_entries WHERE ${ofLog} AND number BETWEEN 1 AND :number
         ORDER BY number DESC LIMIT :limit`,
      )
      .all({ workspaceId, number, limit }) as { number: number; hash: Buffer }[]
  ).map((entry) => ({ number: entry.number, hash: entry.hash.toString('base64url') }));

/** Whether an entry with this ID was in the log before the server lost it. */
export const wasRead = (
  database: Database,
  { workspaceId, id }: { workspaceId: string; id: string },
): boolean =>
  database
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM team_entries WHERE ${ofLog} AND id=:id AND number<0)
         OR EXISTS (SELECT 1 FROM review_events WHERE workspace_id=:workspaceId AND ${hasId('packed_id', ':id')})`,
    )
    .pluck()
    .get({ workspaceId, id }) === 1;

/** How many events of this computer are not in the team's log. */
export const countUnsent = (database: Database, { workspaceId }: { workspaceId: string }): number =>
  database
    .prepare(`SELECT count(*) FROM review_events e WHERE ${unsentOnly}`)
    .pluck()
    .get({ workspaceId }) as number;

export const listInvitations = (database: Database, { workspaceId }: { workspaceId: string }) =>
  database
    .prepare('SELECT digest, invitation, request, answer, nonce FROM team_invitations WHERE workspace_id=?')
    .all(workspaceId) as KeptInvitation[];
