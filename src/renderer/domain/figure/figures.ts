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

/** Every figure on pages, charts and reports that is computed from claims. */
export const figures = {
  personYear: {
    name: 'Without rejected claims',
    holds: 'Claims whose first day of service is in this plan year.',
    counts: [condition('status', 'isNot', 'Rejected')],
  },
  personYearRejected: {
    name: 'Rejected claims',
    holds: 'Rejected claims have columns of their own and are in no other amount.',
    counts: [rejectedOnly],
  },
  planYears: {
    name: 'All claims',
    holds: 'All claims by their first day of service, rejected ones included.',
    counts: [],
  },
  planYearsRejected: {
    name: 'Of these rejected',
    holds: 'Rejected claims are in both.',
    counts: [rejectedOnly],
  },
  organizations: {
    name: 'Claims of employers and tenants',
    holds:
      'All claims, rejected ones included. A claim of two of these counts for both. Archived members aren’t counted.',
    counts: [],
  },
  byMonth: {
    name: 'By month of service',
    holds: 'All claims by the month of their first day of service, rejected ones included.',
    counts: [],
  },
  pendingByAge: {
    name: 'Pending claims by age',
    holds: 'Claims that the carrier has not processed, any year. Age since the last day of service.',
    counts: [condition('facts.pending_since', 'isNotEmpty')],
  },
  rejectedRemarks: {
    name: 'Carrier’s reasons for rejected claims',
    holds: 'Rejected claims only.',
    counts: [rejectedOnly],
  },
  byProvider: {
    name: 'Top providers',
    holds: 'All claims, rejected ones included.',
    counts: [],
  },
  byEmployer: {
    name: 'Top employers',
    holds: 'All claims, rejected ones included.',
    counts: [],
  },
  worklists: {
    name: 'Worklists',
    holds:
      'All claims of each worklist, rejected ones included, and the sum of the amount that is named. A claim may be in several.',
    counts: [],
  },
  openReviews: {
    name: 'Open claims',
    holds:
      'Claims of the review period that are still open, rejected ones included. Age since the last day of service.',
    counts: openClaims,
  },
  reviewedByYou: {
    name: 'Your reviews',
    holds: 'Claims that are done by your decision, by the day of that decision. A week begins on Monday.',
    counts: [condition('review.state', 'is', 'done')],
  },
  waitingReviews: {
    name: 'Waiting and escalated',
    holds: 'Claims that wait on someone, or that someone else decides.',
    counts: [condition('review.state', 'isOneOf', 'waiting', 'back', 'escalated')],
  },
  doneReviews: {
    name: 'Done by day and outcome',
    holds: 'A claim counts on each day it was done. Reopened: a sync changed it after that.',
    counts: [condition('review.decided_outcome', 'isNotEmpty')],
  },
  openByPerson: {
    name: 'Open by person',
    holds: 'Claims of the review period that are still open, by owner. Age since the last day of service.',
    counts: openClaims,
  },
  decidedByPerson: {
    name: 'Decided by person',
    holds:
      'Claims by the last decision that each person made on them in the period, rejected ones included; a claim that two people decided counts for both. What was undone doesn’t count. “Not verified” is what an unsigned file says of its author.',
    counts: [],
  },
  reopenedOfPerson: {
    name: 'Reopened',
    holds: 'Claims that a sync changed after the person’s decision, rejected ones included.',
    counts: [],
  },
  qualityChecks: {
    name: 'Quality checks',
    holds:
      'Claims whose decision by the person somebody else checked in the period, rejected ones included. Disagreed: those where one did.',
    counts: [],
  },
  decidedByDay: {
    name: 'Decided by day and person',
    holds:
      'Claims by the person’s last decision on each day, rejected ones included. A claim counts on each day.',
    counts: [],
  },
  planYearReport: {
    name: 'Reimbursed against eligible',
    holds:
      'Claims by plan year, rejected ones included, for your records. Claims without an employer or a plan year are under “Not known”. A claim of two employers counts for both. Each amount opens its claims.',
    counts: [],
  },
  decided: {
    name: 'Eligible as decided',
    holds: 'What is eligible of claims with a decision.',
    counts: [condition('review.outcome', 'isNotEmpty')],
  },
  undecided: {
    name: 'Not decided yet',
    holds: 'What the rules give for claims without a decision.',
    counts: [condition('review.outcome', 'isEmpty')],
  },
  declined: {
    name: 'Declined',
    holds: 'What the rules give, and a decision took off.',
    counts: [condition('facts.declined', 'isNotEmpty'), condition('facts.declined', 'isNot', 0)],
  },
  disputed: {
    name: 'Disputed',
    holds: 'What the rules give for claims that are disputed.',
    counts: [condition('review.outcome', 'is', 'disputed')],
  },
  reimbursed: {
    name: 'Reimbursed',
    holds: 'Recorded payments, also of claims no longer in the service.',
    counts: [condition('review.reimbursed', 'isNotEmpty')],
  },
  owedBack: {
    name: 'Owed back',
    holds:
      'What was reimbursed above what is eligible now, less what was written off. Disputed amounts, and claims of which it isn’t known what is eligible, are not in it.',
    counts: [condition('facts.owed', 'moreThan', 0)],
  },
  notKnown: {
    name: 'Not known',
    holds: 'Claims of which it isn’t known what is eligible; they are in none of the amounts.',
    counts: [condition('facts.eligible_by_rules', 'isEmpty')],
  },
} as const satisfies Readonly<Record<string, Figure>>;

/** Shown beside sums that could be mistaken for a plan's own. */
export const notAnAccumulator = 'Added up by Claimdesk; not an official accumulator.';
