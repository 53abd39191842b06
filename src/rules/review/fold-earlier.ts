import type { ClaimFold, ClaimIdentity, FoldedReview } from './folded-review.ts';
import type { ClaimRun } from './run-facts.ts';

const keyOf = ({ uuid, number }: ClaimIdentity): string => uuid ?? number ?? '';

/**
 * Sets the payments and runs of a claim aside when the service gives its ID to another claim, and brings them back when
 * the earlier claim has the ID again. A payment therefore counts for the claim that had the ID when it was made.
 */
export function changeIdentity(
  fold: ClaimFold,
  { from, to }: { readonly from: ClaimIdentity; readonly to: ClaimIdentity },
): void {
  const { review } = fold;
  const before = fold.identity ?? from;
  fold.identity = to;
  if (keyOf(before) === keyOf(to)) return;
  const back = review.earlier.find(({ key }) => key === keyOf(to));
  const { payments } = review;
  review.earlier = review.earlier.filter((earlierClaim) => earlierClaim !== back);
  if (payments.length > 0 || review.runs.some(({ ofEarlier }) => ofEarlier === undefined))
    review.earlier.push({ key: keyOf(before), number: before.number, memberId: before.memberId, payments });
  review.payments = back?.payments ?? [];
  for (const run of review.runs) {
    if (run.ofEarlier === undefined) run.ofEarlier = keyOf(before);
    else if (run.ofEarlier === keyOf(to)) delete run.ofEarlier;
  }
  // Answers about the earlier claim and others do not apply to this one.
  review.duplicates = [];
}

/** Returns the payments that include those of a run: an earlier claim's, if the run paid that claim. */
export function paymentsOf(review: FoldedReview, run: ClaimRun | undefined): FoldedReview['payments'] {
  const earlier =
    run?.ofEarlier === undefined ? undefined : review.earlier.find(({ key }) => key === run.ofEarlier);
  return earlier?.payments ?? review.payments;
}

/** Leaves out a payment, whichever claim it belongs to. */
export function leavePaymentOut(
  review: FoldedReview,
  payment: { readonly id: string; readonly amount: number; readonly day: string } | null,
): void {
  for (const payments of [review.payments, ...review.earlier.map((earlierClaim) => earlierClaim.payments)]) {
    const place = payments.findIndex(
      (candidate) =>
        candidate.id === payment?.id && candidate.amount === payment.amount && candidate.day === payment.day,
    );
    if (place >= 0) {
      payments.splice(place, 1);
      return;
    }
  }
}
