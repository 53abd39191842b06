import { kindsSql, teamFactKinds } from '../../../../rules/review/event-kinds.ts';
import type { Database } from '../file/database.ts';
import { removeUnusedTexts, storedKind, workspaceOf } from './stored-events.ts';

/** The number of events in the history of each claim. */
export const countReviews = (
  database: Database,
  { workspaceId }: { workspaceId: string },
): { readonly claimId: number; readonly count: number }[] =>
  database
    .prepare(
      `SELECT c.claim_id AS claimId, count(*) AS count
       FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq WHERE e.workspace_id=?
       GROUP BY c.claim_id`,
    )
    .all(workspaceId) as { claimId: number; count: number }[];

/**
 * Deletes the history of these claims; without `claimIds`, of the whole workspace. An event that is also about other
 * claims is kept for them, without the filter of its list, which may name a removed person.
 */
function deleteReviews(
  database: Database,
  request: { readonly workspaceId: string; readonly claimIds?: readonly number[] | undefined },
): void {
  const { workspaceId, claimIds } = request;
  const isOfWorkspace = `workspace=${workspaceOf(':workspaceId')}`;
  const ofWorkspace = `SELECT seq FROM stored_events WHERE ${isOfWorkspace}`;
  if (claimIds === undefined) {
    database.prepare(`DELETE FROM stored_claims WHERE event_seq IN (${ofWorkspace})`).run({ workspaceId });
    database.prepare(`DELETE FROM stored_events WHERE ${isOfWorkspace}`).run({ workspaceId });
    database.prepare('DELETE FROM certificates WHERE workspace_id=?').run(workspaceId);
    database.prepare('DELETE FROM claims_to_settle WHERE workspace_id=?').run(workspaceId);
    return;
  }
  const withoutFilter = database.prepare(
    `UPDATE stored_events SET filter=NULL WHERE filter IS NOT NULL AND ${isOfWorkspace}
     AND seq IN (SELECT event_seq FROM review_event_claims WHERE claim_id=:claimId)`,
  );
  const removeClaim = database.prepare(
    `DELETE FROM stored_claims WHERE claim_id=:claimId AND event_seq IN (${ofWorkspace})`,
  );
  const unqueueClaim = database.prepare(
    'DELETE FROM claims_to_settle WHERE claim_id=:claimId AND workspace_id=:workspaceId',
  );
  for (const claimId of claimIds)
    for (const statement of [withoutFilter, removeClaim, unqueueClaim])
      statement.run({ workspaceId, claimId });
  database
    .prepare(
      `DELETE FROM stored_events WHERE ${isOfWorkspace} AND seq NOT IN (SELECT event_seq FROM review_event_claims)
       AND ${storedKind('stored_events')} NOT IN (${kindsSql(teamFactKinds)})`,
    )
    .run({ workspaceId });
}

/**
 * Deletes like `deleteReviews`. The next event gets the number after the newest remaining one, so it is the first to be
 * sent to a team.
 */
export function forgetReviews(...[database, request]: Parameters<typeof deleteReviews>): void {
  deleteReviews(database, request);
  database.exec(removeUnusedTexts());
  database.exec(
    'UPDATE team_position SET sent_seq=min(sent_seq, (SELECT ifnull(max(seq), 0) FROM stored_events))',
  );
}
