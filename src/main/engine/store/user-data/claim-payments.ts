import type { Database } from '../file/database.ts';
import type { FoldedReview } from '../record/review-facts.ts';
import { foldReviews } from './fold-claims.ts';

export type ClaimPayment = FoldedReview['payments'][number] & { readonly claimId: number };

/** Reads the payments of claims that count: what was undone is left out, as everywhere. */
export function createPaymentReader(database: Database, workspaceId: string) {
  const paid = database
    .prepare(
      `SELECT DISTINCT c.claim_id FROM review_events e CROSS JOIN review_event_claims c ON c.event_seq=e.seq
       WHERE e.workspace_id=? AND e.kind='payment'`,
    )
    .pluck();
  return {
    /** The claims that have, or had, a payment. */
    listPaid: (): Set<number> => new Set(paid.all(workspaceId) as number[]),
    /** In the order of the claims given; those of a claim by when they were recorded. */
    read(claimIds: readonly number[]): ClaimPayment[] {
      const reviews = foldReviews(database, { workspaceId, claimIds });
      const paymentsOf = new Map(reviews.map(({ claimId, payments }) => [claimId, payments]));
      return claimIds.flatMap((claimId) =>
        (paymentsOf.get(claimId) ?? []).map((payment) => ({ ...payment, claimId })),
      );
    },
  };
}
