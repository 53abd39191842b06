import { addDays } from '../days.ts';
import type { Condition, ListQuery, Operator, Sort } from '../query.ts';
import type { ExceptionKind } from './exceptions.ts';

/** Statuses of claims that the carrier has processed (docs/service.md, "What the claim fields mean"). */
export const processedStatuses = ['Processed', 'Partially Approved', 'Rejected', 'Adjusted'] as const;

/** A value of a condition relative to today: this many days before or after it. */
interface DayValue {
  readonly days: number;
}

/** One condition of a worklist on a column of claims. */
interface WorklistTerm {
  readonly field: string;
  readonly operator: Operator;
  readonly values: readonly (string | number | boolean | DayValue)[];
}

/**
 * A worklist: the claims that meet all of its terms and are in no earlier list (`placeClaim`). The engine's query, the
 * reason on a claim, the help and the tests are made from this table.
 */
interface WorklistRow<Id extends string> {
  readonly id: Id;
  readonly name: string;
  readonly sentence: string;
  /** Empty: the claims of all its parts. */
  readonly terms: readonly WorklistTerm[];
  /** Worklists whose claims are excluded, although they meet its terms. */
  readonly unless: readonly string[];
  /** The list that it is a part of, whose page shows each part as a chip. Null: it is itself a list. */
  readonly partOf: string | null;
  /** The order of its claims: a single column, so that its first rows are found quickly. */
  readonly sort: Sort;
  /** The column of amounts for its sum, and the label of the sum. */
  readonly amount: { readonly field: string; readonly label: string };
  readonly groupBy: string | null;
  /** The columns that show why a claim is in it, in their order in its rows. */
  readonly columns: readonly string[];
  /** Whether it contains claims that the service no longer returns. */
  readonly includesMissing: boolean;
  /** Whether only a team has claims in it. */
  readonly isOfTeam: boolean;
}
export type Worklist = WorklistRow<WorklistId>;

const term = (field: string, operator: Operator, ...values: WorklistTerm['values']): WorklistTerm => ({
  field,
  operator,
  values,
});
const isBlank = (field: string): WorklistTerm => term(field, 'isEmpty');
const hasValue = (field: string): WorklistTerm => term(field, 'isNotEmpty');

const largestFirst: Sort = { field: 'patient_responsibility', direction: 'desc' };
const oldestFirst = (field: string): Sort => ({ field, direction: 'asc' });

type Amount = WorklistRow<string>['amount'];
const responsibility: Amount = { field: 'patient_responsibility', label: 'Patient resp.' };
const open: Amount = { field: 'facts.open', label: 'Open' };

const notDone = term('review.state', 'isOneOf', 'todo', 'inReview', 'waiting', 'back', 'escalated');

/** Claims that no other claim replaces or reverses, and that do not wait for an answer about their chain. */
const isInPlay = term('facts.is_void', 'isNot', true);

const waitingColumns = ['review.on_whom', 'review.reason', 'review.reminder'];

const worklist = <Id extends string>(
  id: Id,
  name: string,
  sentence: string,
  terms: readonly WorklistTerm[],
  sort: Sort,
  more: Partial<
    Pick<
      WorklistRow<Id>,
      'unless' | 'partOf' | 'amount' | 'groupBy' | 'columns' | 'includesMissing' | 'isOfTeam'
    >
  > = {},
): WorklistRow<Id> => ({
  id,
  name,
  sentence,
  terms,
  sort,
  unless: [],
  partOf: null,
  amount: responsibility,
  groupBy: null,
  columns: [],
  includesMissing: false,
  isOfTeam: false,
  ...more,
});

/** A part of Exceptions: claims whose facts have this kind of exception. */
const oddPart = <Id extends string>(
  id: Id,
  kind: ExceptionKind,
  sentence: string,
  more: Parameters<typeof worklist<Id>>[5] = {},
): WorklistRow<Id> =>
  worklist(id, kind, sentence, [term('facts.exceptions', 'contains', kind)], largestFirst, {
    partOf: 'exceptions',
    columns: ['facts.exceptions_why'],
    includesMissing: true,
    ...more,
  });

const rows = [
  worklist(
    'toDecide',
    'To decide',
    'Claims still to be decided with an amount open, and corrections of claims: processed by the carrier, and in no other list.',
    [
      term('status', 'isOneOf', 'Processed', 'Partially Approved', 'Adjusted'),
      hasValue('facts.to_decide'),
      term('review.state', 'isOneOf', 'todo', 'inReview'),
    ],
    { field: 'facts.open', direction: 'desc' },
    { amount: open, columns: ['facts.open', 'facts.due_day'] },
  ),
  worklist(
    'new',
    'Not looked at yet',
    'Claims to decide that have no decision, note, or other entry yet.',
    [isBlank('review.last_event_at')],
    { field: 'facts.open', direction: 'desc' },
    { partOf: 'toDecide', amount: open, columns: ['facts.open', 'facts.due_day'] },
  ),
  worklist(
    'deadlineNear',
    'Deadline near',
    'Claims to decide whose deadline is in 30 days or fewer, overdue claims first.',
    [term('facts.due_day', 'atMost', { days: 30 })],
    oldestFirst('facts.due_day'),
    { partOf: 'toDecide', amount: open, columns: ['facts.due_kind', 'facts.due_day', 'facts.open'] },
  ),
  worklist(
    'changed',
    'Changed',
    'Claims that the service changed after their review, in a way that matters: first those with a blank amount, then the largest change of patient responsibility.',
    [hasValue('review.changed_at')],
    { field: 'review.changed_responsibility', direction: 'desc' },
    {
      columns: ['review.changed_fields', 'review.changed_responsibility'],
      includesMissing: true,
      unless: ['missing', 'otherClaims'],
    },
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
    { amount: open, groupBy: 'facts.to_pay', columns: ['review.outcome', 'facts.open', 'review.run'] },
  ),
  worklist(
    'rejectedByPayer',
    'Rejected by the payer',
    'Claims that whoever pays rejected in their last run, with an amount still open. Find out why, then add them to another run.',
    [hasValue('review.rejected'), term('facts.open', 'moreThan', 0)],
    { field: 'facts.open', direction: 'desc' },
    { amount: open, columns: ['review.rejected', 'facts.open', 'review.run'] },
  ),
  worklist(
    'owedBack',
    'Owed back',
    'Claims paid more than is eligible now, the largest amount first, also where a correction replaces the paid claim; then those whose eligible amount changed in another way.',
    [hasValue('facts.changed_since_paid')],
    { field: 'facts.owed', direction: 'desc' },
    {
      amount: { field: 'facts.owed', label: 'Owed back' },
      includesMissing: true,
      groupBy: 'facts.changed_since_paid',
      columns: ['facts.changed_since_paid', 'facts.owed', 'review.reimbursed'],
    },
  ),
  worklist(
    'waiting',
    'Waiting',
    'Claims that wait for someone, or that you handed to someone else to decide. Those whose reminder is due come first.',
    [term('review.state', 'isOneOf', 'waiting', 'back', 'escalated')],
    oldestFirst('review.reminder'),
    { columns: waitingColumns, includesMissing: true, groupBy: 'review.on_whom' },
  ),
  worklist(
    'back',
    'Due again',
    'Claims that were waiting and whose reminder is due, the oldest reminder first.',
    [term('review.state', 'is', 'back')],
    oldestFirst('review.reminder'),
    { partOf: 'waiting', columns: waitingColumns, includesMissing: true },
  ),
  worklist(
    'escalated',
    'Escalated',
    'Claims handed to someone else to decide, oldest first.',
    [term('review.state', 'is', 'escalated')],
    oldestFirst('review.at'),
    {
      partOf: 'waiting',
      columns: ['review.on_whom', 'review.reason', 'review.at'],
      includesMissing: true,
      groupBy: 'review.on_whom',
    },
  ),
  worklist(
    'denied',
    'Denied',
    'Claims that the carrier denied, approved in part, or does not cover in part. Plans often allow 180 days to appeal: check the plan.',
    [hasValue('facts.denial'), notDone, isInPlay],
    oldestFirst('facts.appeal_check_by'),
    {
      groupBy: 'facts.denial',
      columns: ['facts.denial', 'remarks', 'facts.appeal_check_by', 'review.appeal'],
    },
  ),
  worklist(
    'duplicates',
    'Duplicates',
    'Claims that are, or may be, the same as another one, pair by pair. The claim of a pair with less to reimburse is payable twice.',
    [term('facts.duplicate', 'isOneOf', 'Same claim twice', 'Exact', 'Suspected'), notDone, isInPlay],
    { field: 'facts.payable_twice', direction: 'desc' },
    {
      amount: { field: 'facts.payable_twice', label: 'Payable twice' },
      groupBy: 'facts.duplicate',
      columns: ['facts.duplicate', 'facts.payable_twice'],
    },
  ),
  worklist(
    'exceptions',
    'Exceptions',
    'Claims that can’t be decided like others: something is missing, does not add up, or is not clear.',
    [],
    largestFirst,
    {
      groupBy: 'facts.exception_parts',
      columns: ['facts.exception_parts'],
      includesMissing: true,
    },
  ),
  worklist(
    'noSplit',
    'Split missing',
    'Claims with patient responsibility, but without deductible, copay and coinsurance.',
    [term('facts.is_not_split', 'is', true), notDone, isInPlay],
    largestFirst,
    { partOf: 'exceptions' },
  ),
  worklist(
    'amountsDisagree',
    'Amounts disagree',
    'Claims whose lines, or the parts of whose patient responsibility, do not add up, the largest difference first. Blank amounts are not compared.',
    [hasValue('facts.amounts_disagree'), notDone, isInPlay],
    { field: 'facts.amounts_difference', direction: 'desc' },
    {
      partOf: 'exceptions',
      groupBy: 'facts.amounts_disagree',
      columns: ['facts.amounts_disagree', 'facts.amounts_difference'],
    },
  ),
  worklist(
    'notSubstantiated',
    'Not substantiated',
    'Processed claims that lack the patient, the provider, the dates, a description or the amount.',
    [hasValue('facts.missing_items'), isBlank('facts.pending_since'), notDone, isInPlay],
    largestFirst,
    { partOf: 'exceptions', groupBy: 'facts.missing_items', columns: ['facts.missing_items'] },
  ),
  worklist(
    'amountNotKnown',
    'Amount not known',
    'Processed claims whose open amount is not known: an amount is blank, or the amount by the plan rules is not known.',
    [
      term('status', 'isOneOf', 'Processed', 'Partially Approved', 'Adjusted'),
      isBlank('facts.open'),
      notDone,
      isInPlay,
    ],
    largestFirst,
    { partOf: 'exceptions' },
  ),
  worklist(
    'incomplete',
    'Incomplete record',
    'Claims that the service marks as incomplete: data is missing or was redacted.',
    [term('is_incomplete', 'is', true), notDone, isInPlay],
    largestFirst,
    { partOf: 'exceptions' },
  ),
  worklist(
    'otherInsurance',
    'Other insurance',
    'Claims that another plan paid in part.',
    [term('facts.has_other_insurance', 'is', true), notDone, isInPlay],
    { field: 'amount_paid_other', direction: 'desc' },
    {
      partOf: 'exceptions',
      amount: { field: 'amount_paid_other', label: 'Paid by other insurance' },
      columns: ['amount_paid_other'],
    },
  ),
  worklist(
    'pending',
    'Pending too long',
    'Claims that the carrier has not processed for 30 days or more.',
    [term('facts.pending_since', 'atMost', { days: -30 }), notDone, isInPlay],
    oldestFirst('facts.pending_since'),
    { partOf: 'exceptions', columns: ['facts.pending_since'] },
  ),
  oddPart(
    'adjustments',
    'Adjustment to judge',
    'Claims that share their number with others, where it is not clear whether they replace them.',
  ),
  oddPart(
    'missing',
    'Gone',
    'Claims that are no longer in the service, although they were worked on or due to be.',
  ),
  oddPart('oddPayments', 'Odd payment', 'Claims whose payments do not add up.'),
  oddPart(
    'otherClaims',
    'Another claim under its ID',
    'Claims under an ID that another claim had when it was reviewed.',
  ),
  oddPart('notComputed', 'Could not be computed', 'Claims for which something could not be computed.'),
  worklist(
    'carrierDisagrees',
    'Disagrees with the carrier',
    'Claims for which the carrier applied more to the deductible or out-of-pocket maximum than the plan rules left, or charged coinsurance before the deductible was met. The largest difference first. They stay in their lists.',
    [hasValue('facts.carrier_disagrees'), notDone, isInPlay],
    { field: 'facts.carrier_difference', direction: 'desc' },
    {
      amount: { field: 'facts.carrier_difference', label: 'Largest difference' },
      groupBy: 'facts.carrier_disagrees',
      columns: ['facts.carrier_deductible', 'facts.carrier_out_of_pocket', 'facts.carrier_difference'],
    },
  ),
  worklist(
    'highCost',
    'High cost',
    'Claims of people whose allowed amounts in a plan year are above the threshold of the employer. They stay in their lists.',
    [term('facts.is_high_cost', 'is', true), notDone, isInPlay],
    { field: 'facts.year_allowed', direction: 'desc' },
    { columns: ['facts.year_allowed', 'facts.high_cost_from'] },
  ),
  worklist(
    'lettersUntrue',
    'Letter no longer true',
    'Claims whose letter has a decision or an amount that has changed since, the oldest first. Make the letter again. They stay in their lists.',
    [hasValue('facts.letter_untrue')],
    oldestFirst('review.letter_day'),
    {
      groupBy: 'facts.letter_untrue',
      columns: ['facts.letter_untrue', 'review.letter_day', 'review.outcome'],
      includesMissing: true,
    },
  ),
  worklist(
    'nothingOpen',
    'Nothing open',
    'Undecided claims of the review period that the carrier has processed, with nothing left to reimburse.',
    [term('status', 'isOneOf', ...processedStatuses), notDone],
    largestFirst,
    { amount: open, columns: ['facts.open'] },
  ),
  worklist(
    'withCarrier',
    'With the carrier',
    'Undecided claims of the review period that the carrier has not processed yet, for less than 30 days.',
    [notDone],
    oldestFirst('facts.pending_since'),
    { columns: ['facts.pending_since'] },
  ),
  worklist(
    'decidedTwice',
    'Decided twice',
    'Claims that members of the team decided differently, without having seen the other decision. The later one counts until you confirm one.',
    [hasValue('review.decided_twice')],
    largestFirst,
    { columns: ['review.decided_twice', 'review.outcome'], includesMissing: true, isOfTeam: true },
  ),
  worklist(
    'paidTwice',
    'Paid twice',
    'Claims for which two members of the team recorded a payment without having seen the other’s, or the same payment, the largest amount at stake first.',
    [term('review.paid_twice', 'moreThan', 0)],
    { field: 'review.paid_twice', direction: 'desc' },
    {
      amount: { field: 'review.paid_twice', label: 'At stake' },
      columns: ['review.paid_twice', 'review.reimbursed'],
      includesMissing: true,
      isOfTeam: true,
    },
  ),
  worklist(
    'qualityCheck',
    'Quality check',
    'A fixed share of the claims that are done, more of large ones and of facility claims, without those that you reviewed.',
    [
      term('review.state', 'is', 'done'),
      term('facts.is_quality_sample', 'is', true),
      isBlank('review.second_by'),
    ],
    { field: 'review.outcome', direction: 'asc' },
    { columns: ['review.outcome', 'review.by'], isOfTeam: true },
  ),
  worklist(
    'due',
    'Deadlines',
    'Claims whose next deadline is in 30 days or fewer: to decide, to appeal a denial, to answer an appeal, or to reimburse an open amount. Overdue claims come first. They stay in their lists.',
    [term('facts.due_day', 'atMost', { days: 30 })],
    oldestFirst('facts.due_day'),
    {
      amount: open,
      groupBy: 'facts.due_kind',
      columns: ['facts.due_kind', 'facts.due_day', 'facts.open'],
    },
  ),
];

export type WorklistId = (typeof rows)[number]['id'];

/**
 * All worklists, in the order in which they are shown. The engine stores a worklist by its index, and computes all of
 * them again if the table changes.
 */
export const worklistTable: readonly Worklist[] = rows;
export const worklistIds: readonly WorklistId[] = rows.map(({ id }) => id);

/** The former IDs of worklists; stored views and events have them, and so may addresses and commands. */
const oldIds: Readonly<Record<string, WorklistId>> = {
  runOut: 'due',
  ready: 'toDecide',
  changedAfterReimbursement: 'owedBack',
};

/** Returns the current ID for a worklist's old ID; any other value is returned unchanged. */
export const currentWorklistId = (id: unknown): unknown =>
  typeof id === 'string' && Object.hasOwn(oldIds, id) ? oldIds[id] : id;

/** The worklist with this ID, or an old one; undefined: there is none. */
export const worklistIdOf = (id: unknown): WorklistId | undefined =>
  worklistIds.find((worklistId) => worklistId === currentWorklistId(id));

export const findWorklist = (id: WorklistId): Worklist => {
  const entry = worklistTable.find((candidate) => candidate.id === currentWorklistId(id));
  if (entry === undefined) throw new Error(`no worklist ${id}`);
  return entry;
};

/** A list in the sidebar, which is a page with tabs. */
export interface SidebarList {
  readonly name: string;
  /** Its tabs; the first one opens first. */
  readonly tabs: readonly [WorklistId, ...WorklistId[]];
  /** The number next to its name counts the claims of its first tab, or of all tabs together. */
  readonly counts: 'first' | 'all';
}

/** The lists of the sidebar, in their order. */
export const sidebarLists: readonly SidebarList[] = [
  { name: 'To decide', tabs: ['toDecide', 'withCarrier', 'nothingOpen'], counts: 'first' },
  { name: 'Changed', tabs: ['changed'], counts: 'first' },
  { name: 'To pay', tabs: ['toPay', 'rejectedByPayer', 'owedBack'], counts: 'first' },
  { name: 'Waiting', tabs: ['waiting'], counts: 'first' },
  { name: 'Denied', tabs: ['denied'], counts: 'first' },
  { name: 'Duplicates', tabs: ['duplicates'], counts: 'first' },
  {
    name: 'Exceptions',
    tabs: ['exceptions', 'carrierDisagrees', 'highCost', 'lettersUntrue'],
    counts: 'first',
  },
  { name: 'Second look', tabs: ['decidedTwice', 'paidTwice', 'qualityCheck'], counts: 'all' },
];

const partsById = new Map(worklistIds.map((id) => [id, worklistTable.filter(({ partOf }) => partOf === id)]));
/** The parts of a list, in their order. */
export const partsOf = (id: WorklistId): readonly Worklist[] => partsById.get(id) ?? [];

/** The worklist whose page shows this one: the list of a part, or the worklist itself. */
export const pageOf = (id: WorklistId): WorklistId => {
  const { partOf } = findWorklist(id);
  return worklistIds.find((worklistId) => worklistId === partOf) ?? id;
};

/** The name of a worklist outside of its list's page: "Exceptions: Split missing" for a part. */
export function fullNameOf(id: WorklistId): string {
  const list = pageOf(id);
  return list === id ? findWorklist(id).name : `${findWorklist(list).name}: ${findWorklist(id).name}`;
}

/** The list in the sidebar to which a worklist belongs; undefined: none does. */
export const sidebarListOf = (id: WorklistId): SidebarList | undefined =>
  sidebarLists.find(({ tabs }) => tabs.includes(pageOf(id)));

/**
 * An undecided claim of the review period is in exactly one of these lists: the first whose terms it meets, so that no
 * claim is worked on in two places.
 */
export const exclusiveIds = [
  'changed',
  'waiting',
  'exceptions',
  'duplicates',
  'denied',
  'toDecide',
  'nothingOpen',
  'withCarrier',
] as const satisfies readonly WorklistId[];
const exclusive = exclusiveIds.map(findWorklist);
const others = worklistTable.filter((worklist) => !exclusive.includes(worklist));

/** The worklists that a claim is in, from those whose terms it meets, its list first. */
export function placeClaim(met: ReadonlySet<WorklistId>): readonly WorklistId[] {
  const list = exclusive.find(({ id, terms, unless }) =>
    terms.length > 0
      ? met.has(id) && !(unless as readonly WorklistId[]).some((other) => met.has(other))
      : partsOf(id).some((part) => met.has(part.id)),
  )?.id;
  const placed: WorklistId[] = list === undefined ? [] : [list];
  for (const { id, partOf } of others)
    if (met.has(id) && (partOf === null || partOf === list)) placed.push(id);
  return placed;
}

/** The conditions of a worklist on a day (`YYYY-MM-DD`). */
export const conditionsOn = (entry: Worklist, day: string): Condition[] =>
  entry.terms.map(({ field, operator, values }) => ({
    field,
    operator,
    values: values.map((value) => (typeof value === 'object' ? (addDays(day, value.days) ?? day) : value)),
  }));

/** The claims of a worklist by owner: your own, those without an owner, or all. */
export const worklistShares = ['mine', 'unassigned', 'all'] as const;
export type WorklistShare = (typeof worklistShares)[number];

/** The condition on the owner of claims, for the user with this email. */
export function conditionsOfShare(share: WorklistShare, email: string): Condition[] {
  if (share === 'all') return [];
  return share === 'mine'
    ? [{ field: 'review.owner', operator: 'is', values: [email] }]
    : [{ field: 'review.owner', operator: 'isEmpty', values: [] }];
}

/** The user of a workspace with a team, for whom worklists are; null without a team. */
export const teamPersonOf = (workspace: {
  readonly team?: unknown;
  readonly email: string;
}): string | null => (workspace.team === undefined ? null : workspace.email);

/** The conditions of a worklist for a member of a team, who checks what others decided. */
export function worklistConditions(id: WorklistId, person: string | null): Condition[] {
  const all: Condition = { field: 'worklist', operator: 'is', values: [id] };
  return id === 'qualityCheck' && person !== null
    ? [all, { field: 'review.by', operator: 'isNot', values: [person] }]
    : [all];
}

/** A worklist as a list, which can be filtered further, sorted and exported. */
export function worklistQuery(
  id: WorklistId,
  share: readonly Condition[] = [],
  person: string | null = null,
): ListQuery {
  const { sort, includesMissing } = findWorklist(id);
  return {
    entity: 'claims',
    conditions: [...worklistConditions(id, person), ...share],
    sort: [sort],
    ...(includesMissing ? { includesMissing } : {}),
  };
}
