import { addDays } from '../days.ts';
import type { ReimbursementRules } from '../money/reimbursement.ts';
import { firstDayOfPlanYear, planYearOf } from './plan-year.ts';

/** The period whose undecided claims need a review. Days are `YYYY-MM-DD`. */
export interface ReviewPeriod {
  /**
   * The day from which all claims with service need a review: the day that was set by hand, otherwise the first day of
   * the current plan year.
   */
  readonly from: string;
  /**
   * Today, if no day was set by hand: earlier claims need a review as well during the run-out of their plan year, and
   * denials until their last day to appeal. Null: only the day that was set counts.
   */
  readonly on: string | null;
}

export function reviewPeriodOf(
  settings: { readonly planYearStart: number; readonly reviewsFrom: Readonly<Record<string, string>> },
  workspaceId: string,
  today: string,
): ReviewPeriod {
  const byHand = settings.reviewsFrom[workspaceId];
  return byHand === undefined
    ? { from: firstDayOfPlanYear(today, settings.planYearStart), on: today }
    : { from: byHand, on: null };
}

/**
 * Returns the last day on which an undecided claim needs a review: the end of its plan year's run-out, or the last day
 * to appeal a denial. Null: neither is known. `month` is when its employer's plan years begin.
 */
export function findReviewUntil(
  claim: { readonly first: string | null; readonly isDenied: boolean; readonly processed: string | null },
  rules: Pick<ReimbursementRules, 'runOutDays' | 'appealDays'>,
  month: number,
): string | null {
  const { first, isDenied, processed } = claim;
  const { runOutDays, appealDays } = rules;
  const end = first === null ? null : (planYearOf(first, month).end ?? '9999-12-31');
  const runOut = end === null ? null : (addDays(end, runOutDays - 1) ?? '9999-12-31');
  const appeal =
    isDenied && processed !== null && appealDays !== null ? addDays(processed, appealDays) : null;
  return [runOut, appeal].reduce((last, day) => (last === null || (day !== null && day > last) ? day : last));
}

/** Returns whether an undecided claim needs a review. `until`: from `findReviewUntil`. */
export const isToReview = (first: string | null, until: string | null, { from, on }: ReviewPeriod): boolean =>
  (first !== null && first >= from) || (on !== null && until !== null && until >= on);
