import type { AccountStep } from '../../../contract/account-layers.ts';
import { readDays } from '../../../contract/date-range.ts';
import { decideAmounts } from '../../../contract/decided-amounts.ts';
import { type EligibleSource, eligibleByRules, explainEligible } from '../../../contract/eligible.ts';
import { reviewStartOf } from '../../../contract/plan-year.ts';
import { paidOf, rulesOf } from '../../../contract/reimbursement.ts';
import type { ClaimReview, ReviewState } from '../../../contract/review.ts';
import { compareReviewedValues, type ReviewedValues } from '../../../contract/reviewed-values.ts';
import type { SettingsOfService } from '../../lib/engine-protocol.ts';
import { type FoldedReview, stateOn } from '../store/record/review-facts.ts';
import type { KeptClaim } from '../store/user-data/kept-values.ts';
import { ageOf, findOlder } from './record-age.ts';

/** Whether a claim is to be reviewed by its first day of service, without anybody having chosen it. */
function isInScope(values: ReviewedValues | null, from: string): boolean {
  const days = values?.fields.date_of_service;
  const first = typeof days === 'string' ? (readDays(days)?.first ?? null) : null;
  return first !== null && first >= from;
}

export const describePayments = (payments: FoldedReview['payments']): ClaimReview['payments'] =>
  payments.map(({ fromFile: _fromFile, ...payment }) => payment);

/**
 * What a window shows of the review of one claim. `now` null: the claim is not on this computer. `reviewed` has the
 * values stored with the decision that counts, `compared` the values it was last compared with.
 */
export function describeReview(of: {
  readonly workspaceId: string;
  readonly review: FoldedReview;
  readonly now: (ReviewedValues & { readonly digest: string }) | null;
  /** The same claim in the form that the rules need. */
  readonly claim: {
    readonly employerId: number | null;
    readonly source: EligibleSource;
    readonly account: AccountStep | null;
  } | null;
  readonly reviewed: KeptClaim | null;
  readonly compared: KeptClaim | null;
  readonly settings: SettingsOfService;
  readonly today: string;
}): ClaimReview {
  const { review, now, claim, settings, today, workspaceId } = of;
  const from = reviewStartOf(settings, workspaceId, today);
  const state: ReviewState = stateOn(review, today) ?? (isInScope(now, from) ? 'todo' : 'notSelected');
  const rules = rulesOf(settings.reimbursementRules, settings.service, claim?.employerId ?? null);
  const paid = paidOf(review.payments);
  const { outcome } = review;
  const amounts = decideAmounts(claim === null ? null : eligibleByRules(claim.source, rules, claim.account), {
    outcome,
    kept: review.amounts,
    ...paid,
  });
  const [base, newest] = [of.reviewed, of.compared].map((kept) =>
    kept?.reviewed == null ? null : (JSON.parse(kept.reviewed) as ReviewedValues),
  ) as [ReviewedValues | null, ReviewedValues | null];
  const older =
    now === null || newest === null || now.digest === review.digest
      ? null
      : findOlder(ageOf(now, null), ageOf(newest, of.compared?.receipt ?? null));
  const latest = older === null ? now : newest;
  return {
    claimId: review.claimId,
    outcome,
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
    payments: describePayments(review.payments),
    runs: review.runs,
    decidedTwice: review.decidedTwice,
    paidTwice: review.paidTwice,
    state,
    receipt: of.reviewed?.receipt ?? null,
    olderRecord: older === null ? null : { here: older.here, reviewed: older.kept },
    changes: latest === null || base === null ? [] : compareReviewedValues(base, latest),
    // A decision that a sync reopened no longer counts.
    cause: outcome === null ? null : review.cause,
    partly: outcome === null ? null : review.partly,
    basis:
      claim === null
        ? null
        : { ...explainEligible(claim.source, rules), ...(claim.account && { account: claim.account }) },
    ...amounts,
    ...paid,
  };
}
