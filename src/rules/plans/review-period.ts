import { addDays } from '../days.ts';
import type { ReimbursementRules } from '../money/reimbursement.ts';
import { firstDayOfPlanYear, planYearOf } from './plan-year.ts';

/** Which claims are to be reviewed that nobody has decided. Days are `YYYY-MM-DD`. */
export interface ReviewPeriod {
  /** All with service from this day on: the day that was set by hand, else the first one of the current plan year. */
  readonly from: string;
  /**
   * Today, where no day was set by hand: earlier claims are to be reviewed as well while the run-out of their own plan year
   * lasts, and denials until their own day to appeal. Null: a day was set by hand, and alone decides.
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
 * The last day on which an undecided claim is to be reviewed: that of the run-out of its plan year, or by which a denial
 * can be appealed. Null: neither is known. `month` is when plan years of its employer begin.
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

/** Whether a claim that nobody decided is to be reviewed. `until`: from `findReviewUntil`. */
export const isToReview = (first: string | null, until: string | null, { from, on }: ReviewPeriod): boolean =>
  (first !== null && first >= from) || (on !== null && until !== null && until >= on);
