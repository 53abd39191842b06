import type { Database } from '../file/database.ts';
import type { FoldedReview } from '../record/review-facts.ts';
import { countsBy } from './event-times.ts';
import { type FoldedEvent, foldReview } from './fold-review.ts';
import { readFact } from './read-fact.ts';

export type ClaimPayment = FoldedReview['payments'][number] & { readonly claimId: number };

type EventRow = Omit<FoldedEvent, 'fact' | 'detail'> & {
  readonly claimId: number;
  readonly fact: string;
  readonly detail: string | null;
};

/**
 * Reads the payments of claims that count: what was undone is left out, as everywhere. Every event of a claim is read,
 * since only those of the claim tell what was undone of it.
 */
export function createPaymentReader(database: Database, workspaceId: string) {
  const paid = database
    .prepare(
      `SELECT DISTINCT c.claim_id FROM review_events e CROSS JOIN review_event_claims c ON c.event_seq=e.seq
       WHERE e.workspace_id=? AND e.kind='payment'`,
    )
    .pluck();
  const eventsOf = database.prepare(
    `SELECT c.claim_id AS claimId, e.id, substr(${countsBy('e')}, 1, 24) AS at, e.author, e.fact, e.undoes,
       c.digest, c.detail
     FROM review_event_claims c JOIN review_events e ON e.seq=c.event_seq
     WHERE c.claim_id IN (SELECT value FROM json_each(?)) AND e.workspace_id=? ORDER BY ${countsBy('e')}, e.at, e.id`,
  );
  return {
    /** The claims that have, or had, a payment. */
    listPaid: (): Set<number> => new Set(paid.all(workspaceId) as number[]),
    /** In the order of the claims given; those of a claim by when they were recorded. */
    read(claimIds: readonly number[]): ClaimPayment[] {
      const events = new Map<number, FoldedEvent[]>(claimIds.map((claimId) => [claimId, []]));
      for (const { claimId, ...row } of eventsOf.all(JSON.stringify(claimIds), workspaceId) as EventRow[]) {
        const fact = readFact(row.fact);
        if (fact === null) continue;
        const detail = row.detail === null ? null : JSON.parse(row.detail);
        events.get(claimId)?.push({ ...row, fact, detail });
      }
      return [...events].flatMap(([claimId, ofClaim]) =>
        foldReview(claimId, ofClaim).payments.map((payment) => ({ ...payment, claimId })),
      );
    },
  };
}
