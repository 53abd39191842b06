import { formatCountOf } from '../count.ts';
import { daysBetween } from '../days.ts';
import { claimKinds, type FieldKind } from '../list-fields.ts';
import { disagreementLabels, joinFindings } from '../plans/accumulators.ts';
import { sayDaysLeft } from '../plans/deadlines.ts';
import type { Cell, Row } from '../query.ts';
import { reviewedFields } from '../review/reviewed-fields.ts';
import type { WorklistId } from './worklist-table.ts';

/** The values of a claim from which a reason is made, as a sentence shows them. */
interface ClaimValues<Field extends string> {
  /** Null: the field is blank. */
  readonly text: (field: Field) => string | null;
  /** Days from today to the day in the field, negative if it is in the past; null: the field is blank. */
  readonly daysTo: (field: Field) => number | null;
}

interface Reason {
  readonly fields: readonly string[];
  readonly say: (claim: ClaimValues<string>) => string;
}

const reason = <const Field extends string>(
  fields: readonly Field[],
  say: (claim: ClaimValues<Field>) => string,
): Reason => ({ fields, say });

const inSentence = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
const startSentence = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const join = (...parts: (string | null | false)[]): string =>
  parts.filter((part) => part !== null && part !== false).join('');
/** Joins a value with a text before and after it; null if it is blank. */
const put = (before: string, value: string | null, after = ''): string | null =>
  value === null ? null : `${before}${value}${after}`;

/** "Patient responsibility +$388.31, status": the changed fields, by the names in `review.changed_fields`. */
function sayChanged(names: string | null, difference: string | null): string {
  const changed = (names ?? '').split(' ').filter((name) => name !== '');
  const isKnown = difference !== null && changed.includes('patient_responsibility');
  const signed = difference?.startsWith('−') ? difference : `+${difference}`;
  const others = changed.filter((name) => !isKnown || name !== 'patient_responsibility');
  const labels = others.map((name) => reviewedFields.find((field) => field.name === name)?.label ?? name);
  const all = [...(isKnown ? [`patient responsibility ${signed}`] : []), ...labels.map(inSentence)];
  return startSentence(all.join(', ') || 'changed since reviewed');
}

/** Describes by how much the deductible is too high (minus: too low), and the out-of-pocket maximum is exceeded. */
function sayDisagreements(deductible: string | null, outOfPocket: string | null): string {
  const { deductibleOver, deductibleShort, outOfPocketOver } = disagreementLabels;
  const isShort = deductible?.startsWith('−') === true;
  return joinFindings([
    ...(deductible === null
      ? []
      : [isShort ? deductibleShort.say(deductible.slice(1)) : deductibleOver.say(deductible)]),
    ...(outOfPocket === null ? [] : [outOfPocketOver.say(outOfPocket)]),
  ]);
}

const duplicateLabels: Readonly<Record<string, string>> = {
  Exact: 'Exact duplicate',
  Suspected: 'Suspected duplicate',
};

const whyOdd = reason(
  ['facts.exceptions_why'],
  ({ text }) => text('facts.exceptions_why') ?? 'Something is odd',
);

const sayDeadline = reason(['facts.due_kind', 'facts.due_day', 'facts.open'], ({ text, daysTo }) => {
  const kind = text('facts.due_kind') ?? '';
  const days = daysTo('facts.due_day') ?? 0;
  return startSentence(
    join(
      sayDaysLeft(kind, days),
      put(days < 0 ? ', due ' : ', by ', text('facts.due_day')),
      kind === 'Reimburse' && put(', open ', text('facts.open')),
    ),
  );
});

const deniedFields = [
  'facts.denial',
  'facts.appeal_check_by',
  'remarks',
  'review.appeal',
  'review.appeal_day',
  'review.appeal_due',
];

/** Describes the appeal: ", appeal sent 10/02/2026, answer due in 12 days", or ", appeal upheld"; null: none. */
function sayAppealOf(text: (field: string) => string | null, daysToDue: number | null): string | null {
  const state = text('review.appeal')?.toLowerCase();
  if (state === undefined) return null;
  if (daysToDue === null) return `, appeal ${state}`;
  const due =
    daysToDue < 0
      ? `${formatCountOf(-daysToDue, 'day')} overdue`
      : `due in ${formatCountOf(daysToDue, 'day')}`;
  return `, appeal ${state} ${text('review.appeal_day')}, answer ${due}`;
}

/** Why a claim is in each worklist. The claim's page, the worklist's rows and commands all use these sentences. */
const reasons: Readonly<Record<WorklistId, Reason>> = {
  new: reason([], () => 'Not looked at yet'),
  changed: reason(['review.changed_fields', 'review.changed_responsibility'], ({ text }) =>
    sayChanged(text('review.changed_fields'), text('review.changed_responsibility')),
  ),
  toDecide: reason(['facts.open', 'facts.to_decide', 'facts.owed'], ({ text }) =>
    text('facts.to_decide') === 'Correction'
      ? join(
          'Corrects another claim',
          isOwed(text('facts.owed')) && put(', ', text('facts.owed'), ' owed back'),
        )
      : `Open ${text('facts.open')}, nothing missing`,
  ),
  toPay: reason(['facts.open', 'review.outcome'], ({ text }) =>
    join(
      put('Open ', text('facts.open')) ?? 'Open amount not known',
      put(', reviewed as ', text('review.outcome')?.toLowerCase() ?? null),
    ),
  ),
  rejectedByPayer: reason(['review.rejected', 'review.run', 'facts.open'], ({ text }) =>
    join(
      put('Rejected in the run ', text('review.run')),
      put(': ', text('review.rejected')),
      put('; open ', text('facts.open')),
    ),
  ),
  decidedTwice: reason(['review.decided_twice', 'review.outcome'], ({ text }) =>
    join(
      put('Decided differently by ', text('review.decided_twice')),
      put('; counts as ', text('review.outcome')?.toLowerCase() ?? null),
    ),
  ),
  paidTwice: reason(['review.paid_twice', 'review.reimbursed'], ({ text }) =>
    join(
      put('Two people recorded payments, ', text('review.paid_twice'), ' at stake'),
      put(', ', text('review.reimbursed'), ' reimbursed in all'),
    ),
  ),
  owedBack: reason(
    ['facts.changed_since_paid', 'review.reimbursed', 'facts.eligible', 'facts.owed'],
    ({ text }) =>
      join(
        text('facts.changed_since_paid'),
        put(': ', text('review.reimbursed'), ' reimbursed'),
        put(', ', text('facts.eligible'), ' eligible now'),
        isOwed(text('facts.owed')) && put(', ', text('facts.owed'), ' owed back'),
      ),
  ),
  back: reason(['review.on_whom', 'review.reason', 'review.reminder', 'review.changed_at'], ({ text }) =>
    join(
      text('review.changed_at') === null
        ? put('Reminder of ', text('review.reminder'), ' is due')
        : `Changed on ${text('review.changed_at')}`,
      put(', was waiting on ', text('review.on_whom')),
      put(': ', text('review.reason')),
    ),
  ),
  waiting: reason(['review.on_whom', 'review.at', 'review.reminder', 'review.reason'], ({ text }) =>
    join(
      put('Waiting on ', text('review.on_whom')),
      put(' since ', text('review.at')),
      put(' until ', text('review.reminder')),
      put(': ', text('review.reason')),
    ),
  ),
  escalated: reason(['review.on_whom', 'review.at', 'review.reason'], ({ text }) =>
    join(
      put('Escalated to ', text('review.on_whom')),
      put(' on ', text('review.at')),
      put(': ', text('review.reason')),
    ),
  ),
  denied: reason(deniedFields, ({ text, daysTo }) => {
    const days = daysTo('facts.appeal_check_by');
    return join(
      text('facts.denial'),
      sayAppealOf(text, daysTo('review.appeal_due')),
      days !== null &&
        (days < 0 ? ', time to appeal may be over' : `, ${formatCountOf(days, 'day')} left to appeal`),
      put(': ', text('remarks')),
    );
  }),
  pending: reason(['facts.pending_since'], ({ daysTo }) =>
    join('Not processed by the carrier', put(' for ', sayAge(daysTo('facts.pending_since')))),
  ),
  notSubstantiated: reason(
    ['facts.missing_items'],
    ({ text }) => `Missing: ${(text('facts.missing_items') ?? '').toLowerCase()}`,
  ),
  noSplit: reason(
    ['patient_responsibility'],
    ({ text }) => `${text('patient_responsibility')} without deductible, copay, and coinsurance`,
  ),
  amountsDisagree: reason(
    ['facts.amounts_disagree', 'facts.line_difference', 'facts.parts_sum', 'patient_responsibility'],
    ({ text }) => {
      const which = text('facts.amounts_disagree') ?? '';
      const parts = [
        which.includes('Lines') && sayLineDifference(text('facts.line_difference') ?? ''),
        which.includes('Patient') &&
          `deductible, copay, and coinsurance are ${text('facts.parts_sum')} of ${text('patient_responsibility')} patient responsibility`,
      ];
      return startSentence(parts.filter((part) => part !== false).join('; '));
    },
  ),
  carrierDisagrees: reason(['facts.carrier_deductible', 'facts.carrier_out_of_pocket'], ({ text }) =>
    sayDisagreements(text('facts.carrier_deductible'), text('facts.carrier_out_of_pocket')),
  ),
  exceptions: reason(['facts.exception_parts', 'facts.exceptions_why'], ({ text }) =>
    join(text('facts.exception_parts'), put(': ', text('facts.exceptions_why'))),
  ),
  amountNotKnown: reason([], () => 'The open amount is not known'),
  incomplete: reason([], () => 'Data is missing or was redacted by the service'),
  adjustments: whyOdd,
  missing: whyOdd,
  otherClaims: whyOdd,
  oddPayments: whyOdd,
  notComputed: whyOdd,
  lettersUntrue: reason(['facts.letter_untrue', 'review.letter_day'], ({ text }) =>
    join(
      'Letter no longer true: ',
      (text('facts.letter_untrue') ?? '').toLowerCase(),
      put(', last one of ', text('review.letter_day')),
    ),
  ),
  nothingOpen: reason([], () => 'Processed by the carrier, with nothing left to reimburse'),
  withCarrier: reason(['facts.pending_since'], ({ daysTo }) =>
    join('Not processed by the carrier yet', put(', for ', sayAge(daysTo('facts.pending_since')))),
  ),
  otherInsurance: reason(
    ['amount_paid_other'],
    ({ text }) => `Another plan paid ${text('amount_paid_other')}`,
  ),
  highCost: reason(['facts.year_allowed', 'facts.plan_year', 'facts.high_cost_from'], ({ text }) =>
    join(
      `${text('facts.year_allowed')} allowed`,
      put(' in plan year ', text('facts.plan_year')),
      put(', more than ', text('facts.high_cost_from')),
    ),
  ),
  duplicates: reason(['facts.duplicate', '$equalClaims', 'facts.payable_twice'], ({ text }) => {
    const kind = text('facts.duplicate') ?? '';
    return join(
      duplicateLabels[kind] ?? kind,
      put(', one of ', text('$equalClaims'), ' equal claims'),
      put(', ', text('facts.payable_twice'), ' payable twice'),
    );
  }),
  due: sayDeadline,
  deadlineNear: sayDeadline,
  qualityCheck: reason(['review.outcome', 'review.by', 'review.at'], ({ text }) =>
    join(text('review.outcome'), put(', reviewed by ', text('review.by')), put(' on ', text('review.at'))),
  ),
};

const isOwed = (amount: string | null): boolean => amount !== null && /[1-9]/.test(amount);
const sayAge = (days: number | null): string | null =>
  days === null || days > 0 ? null : formatCountOf(-days, 'day');

const sayLineDifference = (difference: string): string =>
  difference.startsWith('−')
    ? `lines are ${difference.slice(1)} below the claim`
    : `lines are ${difference} above the claim`;

/** The fields of claims that a worklist's reason needs; only `worklists:why` also gives `$equalClaims`. */
export const fieldsOfReason = (id: WorklistId): readonly string[] =>
  reasons[id].fields.filter((field) => !field.startsWith('$'));

/**
 * Why a claim is in a worklist, as one sentence without its period: "Open $6,351.51, nothing missing". `values` has the
 * fields of `fieldsOfReason`. `today` is `YYYY-MM-DD`. `format` converts a value that is not blank to text; a date-time
 * becomes its day.
 */
export function sayReason(
  id: WorklistId,
  values: Row,
  today: string,
  format: (field: string, value: Cell, kind: FieldKind) => string,
): string {
  const read = (field: string): Cell => (values[field] === '' ? null : (values[field] ?? null));
  return reasons[id].say({
    text: (field) => {
      const value = read(field);
      return value === null ? null : format(field, value, claimKinds.get(field) ?? 'text');
    },
    daysTo: (field) => daysBetween(today, String(read(field)).slice(0, 10)),
  });
}
