import { formatTenThousandths } from '../../../rules/money/format-amount.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import { outcomeLabels } from '../../../rules/review/review-labels.ts';

/** The state that keeping an undecided claim gives. */
function sayState({ state, onWhom }: Pick<ClaimReview, 'state' | 'onWhom'>): string {
  const whom = onWhom === null ? '' : ` on ${onWhom}`;
  if (state === 'waiting' || state === 'back') return `Keep Waiting${whom}`;
  if (state === 'escalated') return `Keep Escalated${onWhom === null ? '' : ` to ${onWhom}`}`;
  return 'Keep as it is';
}

/** "declined $918.92 → $1,005.55"; null where nothing is declined. */
function sayDeclined({ declined, declinedBefore }: NonNullable<ClaimReview['ifKept']>): string | null {
  if (declined === null || (declined === 0 && (declinedBefore ?? 0) === 0)) return null;
  const now = formatTenThousandths(declined);
  return declinedBefore === null || declinedBefore === declined
    ? `declined ${now}`
    : `declined ${formatTenThousandths(declinedBefore)} → ${now}`;
}

/**
 * What keeping the decision on a changed claim gives: "Keep Partly eligible, $1,500.00", with the amount of before where a
 * share comes to another one now, and what is declined then. `label`
 * null: it cannot be kept, and `refusal` says why.
 */
export function sayKeep(
  review: Pick<ClaimReview, 'ifKept' | 'state' | 'onWhom' | 'byRules'>,
): { label: string; detail: string | null; refusal: null } | { label: null; refusal: string } {
  const { ifKept, byRules } = review;
  if (ifKept === null || ifKept.outcome === null)
    return { label: sayState(review), detail: null, refusal: null };
  const { outcome, eligible, eligibleBefore, refused } = ifKept;
  const before = eligible === null ? '' : `, ${formatTenThousandths(eligible)},`;
  if (refused === 'tooMuch')
    return {
      label: null,
      refusal: `${outcomeLabels[outcome]}${before} can’t be kept: ${byRules === null ? 'patient responsibility is less now' : `the rules give ${formatTenThousandths(byRules)} now`}.`,
    };
  if (refused === 'notKnown')
    return {
      label: null,
      refusal: `${outcomeLabels[outcome]} can’t be kept: the rules give no amount for this claim now.`,
    };
  const isOfAmount = outcome === 'eligible' || outcome === 'partlyEligible';
  const was =
    eligibleBefore === null || eligibleBefore === eligible
      ? ''
      : `${formatTenThousandths(eligibleBefore)} → `;
  const amount = isOfAmount && eligible !== null ? `, ${was}${formatTenThousandths(eligible)}` : '';
  return {
    label: `Keep ${outcomeLabels[outcome]}${amount}`,
    detail: outcome === 'noAction' ? null : sayDeclined(ifKept),
    refusal: null,
  };
}

/** "Use $1,586.63", what the rules give now; null where they give nothing, or what the decision gives as well. */
export function sayUse({ ifKept, byRules }: Pick<ClaimReview, 'ifKept' | 'byRules'>): string | null {
  const isKept = ifKept?.outcome === 'eligible' || ifKept?.eligible === byRules;
  return byRules === null || byRules === 0 || isKept ? null : `Use ${formatTenThousandths(byRules)}`;
}
