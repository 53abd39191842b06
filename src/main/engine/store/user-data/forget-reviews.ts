import type { Connection } from '../file/connection.ts';

/** A record that something was written about: version 0.1 had notes about members and dependents as well. */
export interface WrittenAbout {
  readonly target: string;
  readonly recordId: number;
}

/** How many entries the history of each record has. */
export function countReviews(
  connection: Connection,
  workspaceId: string,
): (WrittenAbout & { readonly count: number })[] {
  return connection
    .prepare(
      `SELECT 'claim' AS target, c.claim_id AS recordId, count(*) AS count
       FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq WHERE e.workspace_id=:workspaceId
       GROUP BY c.claim_id
       UNION ALL
       SELECT fact->>'target', fact->>'recordId', count(*) FROM review_events
       WHERE workspace_id=:workspaceId AND kind='oldNote' AND fact->>'target'<>'claim' GROUP BY 1, 2`,
    )
    .all({ workspaceId }) as (WrittenAbout & { count: number })[];
}

/**
 * Deletes the history of these records; without `about`, of all records of the workspace. An event that was about
 * others as well stays for them, without the filter of its list, which may name whom it was about.
 */
export function forgetReviews(
  connection: Connection,
  wanted: { readonly workspaceId: string; readonly about?: readonly WrittenAbout[] | undefined },
): void {
  const { workspaceId, about } = wanted;
  const ofWorkspace = 'SELECT seq FROM review_events WHERE workspace_id=:workspaceId';
  if (about === undefined) {
    connection
      .prepare(`DELETE FROM review_event_claims WHERE event_seq IN (${ofWorkspace})`)
      .run({ workspaceId });
    connection.prepare('DELETE FROM review_events WHERE workspace_id=?').run(workspaceId);
    connection.prepare('DELETE FROM claims_to_settle WHERE workspace_id=?').run(workspaceId);
    return;
  }
  const withoutFilter = connection.prepare(
    `UPDATE review_events SET filter=NULL WHERE filter IS NOT NULL AND workspace_id=:workspaceId
     AND seq IN (SELECT event_seq FROM review_event_claims WHERE claim_id=:recordId)`,
  );
  const removeClaim = connection.prepare(
    `DELETE FROM review_event_claims WHERE claim_id=:recordId AND event_seq IN (${ofWorkspace})`,
  );
  const removeUnsettled = connection.prepare(
    'DELETE FROM claims_to_settle WHERE claim_id=:recordId AND workspace_id=:workspaceId',
  );
  const removeOld = connection.prepare(
    `DELETE FROM review_events WHERE workspace_id=:workspaceId AND kind='oldNote'
     AND fact->>'target'=:target AND fact->>'recordId'=:recordId`,
  );
  for (const { target, recordId } of about) {
    if (target === 'claim') {
      withoutFilter.run({ workspaceId, recordId });
      removeClaim.run({ workspaceId, recordId });
      removeUnsettled.run({ workspaceId, recordId });
    } else removeOld.run({ workspaceId, target, recordId });
  }
  connection
    .prepare(
      `DELETE FROM review_events WHERE workspace_id=? AND seq NOT IN (SELECT event_seq FROM review_event_claims)
       AND (kind<>'oldNote' OR fact->>'target'='claim')`,
    )
    .run(workspaceId);
}
