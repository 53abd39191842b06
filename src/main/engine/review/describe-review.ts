import { readDays } from '../../../rules/date-range.ts';
import { keepDecision } from '../../../rules/money/decided-amounts.ts';
import { eligibleByRules, explainEligible } from '../../../rules/money/eligible.ts';
import type { EligibleSource } from '../../../rules/money/eligible-source.ts';
import { paidOf, type ReimbursementRules, rulesOf } from '../../../rules/money/reimbursement.ts';
import type { AccountStep } from '../../../rules/plans/account-layers.ts';
import { planYearMonthOf } from '../../../rules/plans/plan-year.ts';
import {
  findReviewUntil,
  isToReview,
  type ReviewPeriod,
  reviewPeriodOf,
} from '../../../rules/plans/review-period.ts';
import { isOverturned } from '../../../rules/review/appeals.ts';
import type { FoldedReview } from '../../../rules/review/folded-review.ts';
import { showDecided } from '../../../rules/review/predict-review.ts';
import { type ClaimReview, shownRuleSchema } from '../../../rules/review/review.ts';
import { compareReviewedValues, type ReviewedValues } from '../../../rules/review/reviewed-values.ts';
import type { SettingsOfService } from '../../lib/engine-protocol.ts';
import type { KeptClaim } from '../store/user-data/kept-values.ts';
import { findDenial } from '../store/worklists/claim-facts.ts';
import { ageOf, findOlder, readHere } from './record-age.ts';

/** Whether an undecided claim needs a review, computed as for lists (`claim-facts.ts`). */
function isInPeriod(
  now: ReviewedValues | null,
  claim: { readonly employerId: number | null; readonly source: EligibleSource } | null,
  options: { rules: ReimbursementRules; settings: SettingsOfService; period: ReviewPeriod },
): boolean {
  const { date_of_service: days, processed_on, eob_date } = now?.fields ?? {};
  const span = typeof days === 'string' ? readDays(days) : null;
  const first = span?.first ?? span?.last ?? null;
  const processed = processed_on ?? eob_date ?? null;
  const month = planYearMonthOf(options.settings, options.settings.service, claim?.employerId ?? null);
  const until = findReviewUntil(
    {
      first,
      isDenied: claim !== null && findDenial(claim.source) !== null,
      processed: processed === null ? null : String(processed).slice(0, 10),
    },
    options.rules,
    month,
  );
  return isToReview(span?.first ?? null, until, options.period);
}

/** Whether the last decision no longer counts because a second person sent it back, or overturned it on appeal. */
function isSentBack({ checks, appeals, reviewedAt }: FoldedReview): boolean {
  const disagreed = checks.filter(({ agrees }) => !agrees).map(({ at }) => at);
  const overturned = appeals.filter(isOverturned).map(({ answered }) => answered?.at ?? '');
  return [...disagreed, ...overturned].some((at) => at > (reviewedAt ?? ''));
}

export const describePayments = (payments: FoldedReview['payments']): ClaimReview['payments'] =>
  payments.map(({ fromFile: _fromFile, ...payment }) => payment);

/** The payments of other claims that had this ID before, as a window shows them. */
export const describeEarlier = (earlier: FoldedReview['earlier']): ClaimReview['earlier'] =>
  earlier.flatMap(({ number, memberId, payments }) =>
    payments.length === 0 ? [] : [{ number, memberId, payments: describePayments(payments) }],
  );

/**
 * Describes the review of one claim for a window. `now` null: the claim is not on this computer. `reviewed`
 * has the values stored with the decision that counts, `compared` the values it was last compared with.
 */
export function describeReview(facts: {
  readonly workspaceId: string;
  readonly review: FoldedReview;
  readonly now: (ReviewedValues & { readonly digest: string }) | null;
  /** The same claim in the form that the rules need. */
  readonly claim: {
    readonly employerId: number | null;
    readonly source: EligibleSource;
    readonly account: AccountStep | null;
  } | null;
  /** Its chain; null: it is in no chain. */
  readonly chain: ClaimReview['chain'];
  readonly reviewed: KeptClaim | null;
  readonly compared: KeptClaim | null;
  readonly settings: SettingsOfService;
  readonly today: string;
}): ClaimReview {
  const { review, now, claim, settings, today, workspaceId } = facts;
  const rules = rulesOf(settings.reimbursementRules, settings.service, claim?.employerId ?? null);
  const period = reviewPeriodOf(settings, workspaceId, today);
  const paid = paidOf(review.payments);
  const byRules = claim === null ? null : eligibleByRules(claim.source, rules, claim.account);
  const [base, newest] = [facts.reviewed, facts.compared].map((kept) =>
    kept?.reviewed == null ? null : (JSON.parse(kept.reviewed) as ReviewedValues),
  ) as [ReviewedValues | null, ReviewedValues | null];
  const older =
    now === null || newest === null || now.digest === review.digest
      ? null
      : findOlder(ageOf(now, readHere), ageOf(newest, facts.compared ?? readHere));
  const latest = older === null ? now : newest;
  const { decidedOutcome, partly, amounts: before } = review;
  const isKept = review.changedAt !== null && review.reviewedIn !== null && !isSentBack(review);
  return {
    claimId: review.claimId,
    ...showDecided(review, {
      byRules,
      chain: facts.chain,
      today,
      ...paid,
      undecided: () => (isInPeriod(now, claim, { rules, settings, period }) ? 'todo' : 'notSelected'),
    }),
    notes: review.notes,
    letters: review.letters,
    documents: review.documents,
    reviewedAt: review.reviewedAt,
    reviewedBy: review.reviewedBy,
    ifKept: isKept
      ? keepDecision(
          { outcome: decidedOutcome, partly, before },
          claim?.source ?? null,
          rules,
          claim?.account ?? null,
          facts.chain?.role,
        )
      : null,
    appeals: review.appeals,
    duplicates: review.duplicates.map(({ otherClaimId, isDuplicate, at }) => ({
      otherClaimId,
      isDuplicate,
      at,
    })),
    payments: describePayments(review.payments),
    earlier: describeEarlier(review.earlier),
    runs: review.runs,
    decidedTwice: review.decidedTwice,
    ...(review.rule !== null && { rule: shownRuleSchema.parse(review.rule) }),
    receipt: facts.reviewed?.receipt ?? null,
    olderRecord: older === null ? null : { here: older.here, reviewed: older.kept },
    changes: latest === null || base === null ? [] : compareReviewedValues(base, latest),
    basis:
      claim === null
        ? null
        : { ...explainEligible(claim.source, rules), ...(claim.account && { account: claim.account }) },
    ...paid,
    chain: facts.chain,
  };
}
