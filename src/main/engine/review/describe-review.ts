import { readDays } from '../../../contract/date-range.ts';
import { reviewsFromOf } from '../../../contract/plan-year.ts';
import { computeEligible, rulesOf, sumPayments } from '../../../contract/reimbursement.ts';
import type { ClaimReview, ReviewedReceipt, ReviewState } from '../../../contract/review.ts';
import { compareReviewedValues, type ReviewedValues } from '../../../contract/reviewed-values.ts';
import type { Settings } from '../../../contract/workspace.ts';
import { type FoldedReview, stateOn } from '../store/user-data/fold-review.ts';

/** Whether a claim is to be reviewed without anybody having chosen it: by its first day of service. */
function isInScope(values: ReviewedValues | null, from: string): boolean {
  const days = values?.fields.date_of_service;
  const first = typeof days === 'string' ? (readDays(days)?.first ?? null) : null;
  return first !== null && first >= from;
}

/** What a window shows of the review of one claim. `now` null: the claim is not on this computer. */
export function describeReview(of: {
  readonly workspaceId: string;
  readonly review: FoldedReview;
  readonly now: ReviewedValues | null;
  readonly reviewed: ReviewedValues | null;
  readonly receipt: ReviewedReceipt | null;
  readonly settings: Settings;
  readonly today: string;
}): ClaimReview {
  const { review, now, reviewed, settings, today, workspaceId } = of;
  const from = reviewsFromOf(settings, workspaceId, today);
  const state: ReviewState = stateOn(review, today) ?? (isInScope(now, from) ? 'todo' : 'notSelected');
  const employerId = now?.members.find((member) => member.employerId !== null)?.employerId ?? null;
  const eligible =
    now === null ? null : computeEligible(now, rulesOf(settings.reimbursementRules, workspaceId, employerId));
  const reimbursed = sumPayments(review.payments.map(({ payment, amount }) => ({ kind: payment, amount })));
  return {
    claimId: review.claimId,
    outcome: review.outcome,
    onWhom: review.onWhom,
    reason: review.reason,
    reminder: review.reminder,
    owner: review.owner,
    isFlagged: review.isFlagged,
    tags: review.tags,
    notes: review.notes,
    reviewedAt: review.reviewedAt,
    reviewedBy: review.reviewedBy,
    changedAt: review.changedAt,
    duplicates: review.duplicates.map(({ otherClaimId, isDuplicate, at }) => ({
      otherClaimId,
      isDuplicate,
      at,
    })),
    payments: review.payments,
    state,
    receipt: of.receipt,
    changes: now === null || reviewed === null ? [] : compareReviewedValues(reviewed, now),
    eligible,
    reimbursed,
    open: eligible === null ? null : eligible - reimbursed,
  };
}
