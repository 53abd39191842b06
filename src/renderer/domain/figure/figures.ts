import { openClaims } from '../../../contract/people-report.ts';
import type { Condition } from '../../../rules/query.ts';

/** A count or sum of claims on a page. A name has one definition everywhere. */
export interface Figure {
  readonly name: string;
  /** A sentence that says what it counts. */
  readonly holds: string;
  /** Conditions on the page's claims that it counts; none: all of them. */
  readonly counts: readonly Condition[];
}

const condition = (
  field: string,
  operator: Condition['operator'],
  ...values: Condition['values']
): Condition => ({ field, operator, values });

const rejectedOnly = condition('status', 'is', 'Rejected');

const figure = (name: string, holds: string, counts: readonly Condition[] = []): Figure => ({
  name,
  holds,
  counts,
});

/** Every figure on pages, charts and reports that is computed from claims. */
export const figures = {
  personYear: figure('Without denied claims', 'Claims whose first day of service is in this plan year.', [
    condition('status', 'isNot', 'Rejected'),
  ]),
  personYearRejected: figure(
    'Denied claims',
    'Denied claims have separate columns and aren’t in any other amount.',
    [rejectedOnly],
  ),
  planYears: figure('All claims', 'All claims by their first day of service, denied ones included.'),
  planYearsRejected: figure('Of these denied', 'Denied claims are in both.', [rejectedOnly]),
  organizations: figure(
    'Claims of employers and tenants',
    'All claims, denied ones included. A claim of two of these counts for both. Archived members aren’t counted.',
  ),
  byMonth: figure(
    'By month of service',
    'All claims by the month of their first day of service, denied ones included.',
  ),
  pendingByAge: figure(
    'Pending claims by age',
    'Claims that the carrier has not processed, any year. Age since the last day of service.',
    [condition('facts.pending_since', 'isNotEmpty')],
  ),
  rejectedRemarks: figure('Carrier’s reasons for denied claims', 'Denied claims only.', [rejectedOnly]),
  byProvider: figure('Top providers', 'All claims, denied ones included.'),
  byEmployer: figure('Top employers', 'All claims, denied ones included.'),
  worklists: figure(
    'Worklists',
    'All claims of each worklist, denied ones included, and the sum of the named amount. A claim may be in several.',
  ),
  openReviews: figure(
    'Open claims',
    'Claims of the review period that are still open, denied ones included. Age since the last day of service.',
    openClaims,
  ),
  reviewedByYou: figure(
    'Your reviews',
    'Claims that are done by your decision, not by a rule, by the day of that decision. A week begins on Monday.',
    [condition('review.state', 'is', 'done')],
  ),
  waitingReviews: figure(
    'Waiting and escalated',
    'Claims that wait on someone, or that someone else decides.',
    [condition('review.state', 'isOneOf', 'waiting', 'back', 'escalated')],
  ),
  doneReviews: figure(
    'Done by day and outcome',
    'A claim counts on each day it was done. Reopened: a sync changed it after that.',
    [condition('review.decided_outcome', 'isNotEmpty')],
  ),
  openByPerson: figure(
    'Open by person',
    'Claims of the review period that are still open, by owner. Age since the last day of service.',
    openClaims,
  ),
  decidedByPerson: figure(
    'Decided by person',
    'Claims by the last decision that each person made on them in the period, denied ones included; a claim that two people decided counts for both. Undone decisions don’t count. “Not verified”: only an unsigned file names the author.',
  ),
  reopenedOfPerson: figure(
    'Reopened',
    'Claims that a sync changed after the person’s decision, denied ones included.',
  ),
  qualityChecks: figure(
    'Quality checks',
    'Claims that this person decided and a second person checked in the period, denied ones included. Disagreed: claims where that person disagreed.',
  ),
  decidedByDay: figure(
    'Decided by day and person',
    'Claims by the person’s last decision on each day, denied ones included. A claim counts on each day.',
  ),
  planYearReport: figure(
    'Reimbursed against eligible',
    'Claims by plan year, denied ones included, for your records. Claims without an employer or a plan year are under “Not known”. A claim of two employers counts for both. Each amount opens its claims.',
  ),
  decided: figure('Eligible as decided', 'The eligible amount of claims with a decision.', [
    condition('review.outcome', 'isNotEmpty'),
  ]),
  undecided: figure('Not decided yet', 'The amount by the rules of claims without a decision.', [
    condition('review.outcome', 'isEmpty'),
  ]),
  declined: figure('Declined', 'The part of the amount by the rules that a decision declined.', [
    condition('facts.declined', 'isNotEmpty'),
    condition('facts.declined', 'isNot', 0),
  ]),
  disputed: figure('Disputed', 'The amount by the rules of disputed claims.', [
    condition('review.outcome', 'is', 'disputed'),
  ]),
  reimbursed: figure('Reimbursed', 'Recorded payments, also of claims no longer in the service.', [
    condition('review.reimbursed', 'isNotEmpty'),
  ]),
  owedBack: figure(
    'Owed back',
    'The reimbursed amount above what is eligible now, minus write-offs. Disputed amounts, and claims whose eligible amount isn’t known, are not included.',
    [condition('facts.owed', 'moreThan', 0)],
  ),
  notKnown: figure('Not known', 'Claims whose eligible amount isn’t known; no amount includes them.', [
    condition('facts.eligible_by_rules', 'isEmpty'),
  ]),
} as const satisfies Readonly<Record<string, Figure>>;

/** Shown beside sums that could be mistaken for a plan's own. */
export const notAnAccumulator = 'Added up by Claimdesk; not an official accumulator.';
