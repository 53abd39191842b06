import type { ReviewDetail } from '../../../../rules/review/folded-review.ts';
import type { ReviewedReceipt } from '../../../../rules/review/review.ts';
import type { Database } from '../file/database.ts';
import { queueEventSql } from './event-times.ts';
import { createKeptReader, type KeptClaim, unpackKept } from './kept-values.ts';
import { hasId } from './stored-events.ts';

/**
 * A colleague's reopening that was not compared with the record here, or is about a newer one; or what a rule did on
 * their computer.
 */
export interface Doubt {
  readonly id: string;
  readonly kind: 'reopened' | 'byRule';
  readonly claimId: number;
  readonly digest: string | null;
  readonly detail: ReviewDetail;
  /** The values stored with the review that it reopens; null where they are not here. */
  readonly base: KeptClaim | null;
  /** The values that its author's computer had. */
  readonly found: KeptClaim;
}

/** Whether the event in `review_events e` does not count yet (0), or the record here denies it (1); null: it counts. */
export const doubtSql = `CASE WHEN e.kind IN ('reopened', 'byRule') THEN
  (SELECT is_denied FROM team_doubts d WHERE d.workspace_id=e.workspace_id AND d.id=e.id) END`;

/**
 * Reopenings by colleagues, and acts of rules, that have to be compared with the records here: the next ones after this
 * ID. One that can't be read is left as it is, and its claim is in Exceptions.
 */
export function listDoubts(
  database: Database,
  { workspaceId, after, limit }: { workspaceId: string; after: string; limit: number },
): Doubt[] {
  const readKept = createKeptReader(database);
  const rows = database
    .prepare(
      `SELECT d.id, e.kind, c.claim_id, c.digest, c.detail, c.reviewed, e.receipt
       FROM team_doubts d CROSS JOIN review_events e ON ${hasId('e.packed_id', 'd.id')}
       CROSS JOIN review_event_claims c ON c.event_seq=e.seq
       WHERE d.workspace_id=? AND d.is_denied=0 AND d.id>?
         AND json_valid(ifnull(c.detail, '{}')) AND json_valid(ifnull(e.receipt, '{}')) ORDER BY d.id LIMIT ?`,
    )
    .raw()
    .all(workspaceId, after, limit) as [
    string,
    Doubt['kind'],
    number,
    string | null,
    string | null,
    Buffer | null,
    string | null,
  ][];
  return rows.map(([id, kind, claimId, digest, text, reviewed, receipt]) => {
    const detail = JSON.parse(text ?? '{}') as ReviewDetail;
    return {
      ...{ id, kind, claimId, digest, detail },
      base: detail.since === undefined ? null : readKept(workspaceId, claimId, detail.since),
      found: {
        reviewed: unpackKept(reviewed),
        receipt: receipt === null ? null : (JSON.parse(receipt) as ReviewedReceipt),
        isOwn: false,
      },
    };
  });
}

/** Ends doubts: the reopenings count from now on, or the record here denies them. */
export function resolveDoubts(
  database: Database,
  { workspaceId, resolved }: { workspaceId: string; resolved: readonly { id: string; isDenied: boolean }[] },
): null {
  const confirm = database.prepare('DELETE FROM team_doubts WHERE workspace_id=? AND id=?');
  const deny = database.prepare('UPDATE team_doubts SET is_denied=1 WHERE workspace_id=? AND id=?');
  const findSeq = database.prepare(`SELECT seq FROM stored_events WHERE ${hasId('id', ':id')}`).pluck();
  const queue = database.prepare(queueEventSql);
  database.transaction(() => {
    for (const { id, isDenied } of resolved) {
      (isDenied ? deny : confirm).run(workspaceId, id);
      queue.run(findSeq.get({ id }));
    }
  })();
  return null;
}
