import { addDays } from './days.ts';
import type { Condition, ListQuery, Operator, Sort } from './query.ts';

/** Statuses that decide a claim (docs/service.md, "What the claim fields mean"). */
export const decidedStatuses = ['Processed', 'Partially Approved', 'Rejected', 'Adjusted'] as const;

/** A value of a condition that moves with the day: so many days before or after it. */
interface DayValue {
  readonly days: number;
}

/** One condition of a worklist on a column of claims. */
export interface WorklistTerm {
  readonly field: string;
  readonly operator: Operator;
  readonly values: readonly (string | number | boolean | DayValue)[];
}

/**
 * A worklist: the claims that meet every one of its terms. The one table that the engine's query, the reason on a claim,
 * the help and the tests are made from.
 */
interface WorklistRow<Id extends string> {
  readonly id: Id;
  readonly name: string;
  /** What is in it, in one sentence. */
  readonly sentence: string;
  readonly terms: readonly WorklistTerm[];
  /** The order in which it is worked through: one column, by which its first rows are found at once. */
  readonly sort: Sort;
  /** The column of amounts that its sum is of, and what the sum is called. */
  readonly amount: { readonly field: string; readonly label: string };
  readonly groupBy: string | null;
  /** Claims that the service no longer returns are in it too. */
  readonly includesMissing: boolean;
}
export type Worklist = WorklistRow<WorklistId>;

const term = (field: string, operator: Operator, ...values: WorklistTerm['values']): WorklistTerm => ({
  field,
  operator,
  values,
});
const isBlank = (field: string): WorklistTerm => term(field, 'isEmpty');
const hasValue = (field: string): WorklistTerm => term(field, 'isNotEmpty');
const today: DayValue = { days: 0 };

const largestFirst: Sort = { field: 'patient_responsibility', direction: 'desc' };
const oldestFirst = (field: string): Sort => ({ field, direction: 'asc' });

type Amount = WorklistRow<string>['amount'];
const responsibility: Amount = { field: 'patient_responsibility', label: 'Patient resp.' };
const open: Amount = { field: 'facts.open', label: 'Open' };

/** Claims that nobody is done with. */
const notDone = term('review.state', 'isOneOf', 'todo', 'inReview', 'waiting', 'back', 'escalated');

const worklist = <Id extends string>(
  id: Id,
  name: string,
  sentence: string,
  terms: readonly WorklistTerm[],
  sort: Sort,
  more: Partial<Pick<WorklistRow<Id>, 'amount' | 'groupBy' | 'includesMissing'>> = {},
): WorklistRow<Id> => ({
  ...{ id, name, sentence, terms, sort },
  ...{ amount: responsibility, groupBy: null, includesMissing: false },
  ...more,
});

const rows = [
  worklist(
    'new',
    'New',
    'Claims in scope that nobody has worked on.',
    [term('review.state', 'is', 'todo'), isBlank('review.last_event_at')],
    largestFirst,
  ),
  worklist(
    'changed',
    'Changed',
    'Reviewed claims that a sync changed in a way that matters. First those whose patient responsibility was or became blank, then the largest change in it.',
    [hasValue('review.changed_at')],
    { field: 'review.change_size', direction: 'desc' },
    { includesMissing: true },
  ),
  worklist(
    'ready',
    'Ready to review',
    'Claims still to be decided with an amount open: processed by the carrier, complete, substantiated, and without an open duplicate or other insurance.',
    [
      term('status', 'isOneOf', 'Processed', 'Partially Approved', 'Adjusted'),
      term('is_incomplete', 'isNot', true),
      isBlank('facts.missing_items'),
      term('facts.open', 'moreThan', 0),
      isBlank('facts.duplicate'),
      term('facts.has_other_insurance', 'isNot', true),
      term('review.state', 'isOneOf', 'todo', 'inReview', 'back'),
    ],
    { field: 'facts.open', direction: 'desc' },
    { amount: open },
  ),
  worklist(
    'toPay',
    'To pay',
    'Claims decided as eligible, or partly, with an amount still open. Those whose eligible amount is not known come last: decide how much it is.',
    [
      term('review.state', 'is', 'done'),
      term('review.outcome', 'isOneOf', 'eligible', 'partlyEligible'),
      hasValue('facts.to_pay'),
    ],
    { field: 'facts.open', direction: 'desc' },
    { amount: open, groupBy: 'facts.to_pay' },
  ),
  worklist(
    'changedAfterReimbursement',
    'Changed after reimbursement',
    'Reimbursed claims whose eligible amount changed since, or that are no longer in the service.',
    [term('review.reimbursed', 'moreThan', 0), hasValue('facts.changed_since_paid')],
    { field: 'review.reimbursed', direction: 'desc' },
    {
      amount: { field: 'review.reimbursed', label: 'Reimbursed' },
      includesMissing: true,
      groupBy: 'facts.changed_since_paid',
    },
  ),
  worklist(
    'back',
    'Back',
    'Claims that were waiting: the reminder is due, or the claim changed.',
    [term('review.state', 'is', 'back')],
    oldestFirst('review.at'),
    { includesMissing: true },
  ),
  worklist(
    'waiting',
    'Waiting',
    'Claims waiting on someone, oldest first.',
    [term('review.state', 'is', 'waiting')],
    oldestFirst('review.at'),
    { includesMissing: true, groupBy: 'review.on_whom' },
  ),
  worklist(
    'escalated',
    'Escalated',
    'Claims handed to someone else to decide, oldest first.',
    [term('review.state', 'is', 'escalated')],
    oldestFirst('review.at'),
    { includesMissing: true, groupBy: 'review.on_whom' },
  ),
  worklist(
    'denied',
    'Denied',
    'Rejected, partly approved or not covered in part. Plans often allow 180 days to appeal: check the plan.',
    [hasValue('facts.denial'), notDone],
    oldestFirst('facts.appeal_check_by'),
    { groupBy: 'facts.denial' },
  ),
  worklist(
    'pending',
    'Pending too long',
    'Claims without a decision for 30 days or more.',
    [term('facts.pending_since', 'atMost', { days: -30 }), notDone],
    oldestFirst('facts.pending_since'),
  ),
  worklist(
    'notSubstantiated',
    'Not substantiated',
    'Decided claims that lack the patient, the provider, the dates, a description or the amount.',
    [hasValue('facts.missing_items'), isBlank('facts.pending_since'), notDone],
    largestFirst,
    { groupBy: 'facts.missing_items' },
  ),
  worklist(
    'noSplit',
    'No split',
    'Claims with patient responsibility, but without deductible, copay and coinsurance.',
    [term('facts.is_not_split', 'is', true), notDone],
    largestFirst,
  ),
  worklist(
    'amountsDisagree',
    'Amounts disagree',
    'Claims whose lines, or the parts of whose patient responsibility, do not add up. Blank amounts are not compared.',
    [hasValue('facts.amounts_disagree'), notDone],
    largestFirst,
    { groupBy: 'facts.amounts_disagree' },
  ),
  worklist(
    'otherInsurance',
    'Other insurance',
    'Claims of which another plan paid a part.',
    [term('facts.has_other_insurance', 'is', true), notDone],
    { field: 'amount_paid_other', direction: 'desc' },
    { amount: { field: 'amount_paid_other', label: 'Paid by other insurance' } },
  ),
  worklist(
    'highCost',
    'High cost',
    'Claims of people whose allowed amounts in a plan year are above the threshold of the employer.',
    [term('facts.is_high_cost', 'is', true), notDone],
    { field: 'facts.year_allowed', direction: 'desc' },
  ),
  worklist(
    'duplicates',
    'Duplicates',
    'Claims that are, or may be, the same as another one, most payable twice first. Of a pair, the claim with less to reimburse has the amount, the other one 0.',
    [term('facts.duplicate', 'isOneOf', 'Same claim twice', 'Exact', 'Suspected'), notDone],
    { field: 'facts.payable_twice', direction: 'desc' },
    { amount: { field: 'facts.payable_twice', label: 'Payable twice' }, groupBy: 'facts.duplicate' },
  ),
  worklist(
    'runOut',
    'Run-out',
    'Claims with an open amount, decided or not, whose plan year has ended, with 30 days or fewer left to reimburse.',
    [
      term('facts.plan_year_end', 'atMost', today),
      term('facts.run_out_day', 'between', today, { days: 30 }),
      // Also of claims that are decided and not paid, and of those before the scope, which begins with this plan year.
      term('facts.open', 'moreThan', 0),
    ],
    oldestFirst('facts.run_out_day'),
    { amount: open },
  ),
  worklist(
    'qualityCheck',
    'Quality check',
    'A fixed share of the claims that are done, more of large ones and of facility claims, for a second person.',
    [
      term('review.state', 'is', 'done'),
      term('facts.is_quality_sample', 'is', true),
      isBlank('review.second_by'),
    ],
    largestFirst,
  ),
];

export type WorklistId = (typeof rows)[number]['id'];

/**
 * All worklists, in the order in which they are shown. The engine stores a worklist by its index, and works all of them
 * out again when the table changed.
 */
export const worklistTable: readonly Worklist[] = rows;
export const worklistIds: readonly WorklistId[] = rows.map(({ id }) => id);

export const findWorklist = (id: WorklistId): Worklist => {
  const found = worklistTable.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no worklist ${id}`);
  return found;
};

/** The conditions of a worklist on a day, `YYYY-MM-DD`. */
export function conditionsOn(of: Worklist, day: string): Condition[] {
  return of.terms.map(({ field, operator, values }) => ({
    field,
    operator,
    values: values.map((value) => (typeof value === 'object' ? (addDays(day, value.days) ?? day) : value)),
  }));
}

/** A worklist as a list: filtered further, sorted and exported like any other. */
export function worklistQuery(id: WorklistId): ListQuery {
  const { sort, includesMissing } = findWorklist(id);
  return {
    entity: 'claims',
    conditions: [{ field: 'worklist', operator: 'is', values: [id] }],
    sort: [sort],
    ...(includesMissing ? { includesMissing } : {}),
  };
}
