import { localDayOf } from '../../../../rules/days.ts';
import { letterTable } from '../../../../rules/letters/letter-kinds.ts';
import { compareAnswers, findCurrent } from '../../../../rules/letters/letter-said.ts';
import type { ChainRelation } from '../../../../rules/money/chain-claim.ts';
import type { KeptAmounts } from '../../../../rules/money/decided-amounts.ts';
import { findOddPayments } from '../../../../rules/money/odd-payments.ts';
import { paidOf } from '../../../../rules/money/reimbursement.ts';
import {
  findOpenAppeal,
  findShownAppeal,
  isSentToCarrier,
  sayAppealState,
} from '../../../../rules/review/appeals.ts';
import { type FoldedReview, stateOn } from '../../../../rules/review/folded-review.ts';
import { runStateLabels } from '../../../../rules/review/run-facts.ts';
import type { Spellings } from '../../../../rules/review/spellings.ts';

/** Values of a review's row that are not in its events: the day, and values computed from those stored with events. */
interface RowContext {
  readonly today: string;
  /** JSON text: the values that gave the eligible amount at the last payment; null where none were stored. */
  readonly paidValues: string | null;
  /** The size of the change for a claim whose patient responsibility was or became blank; null for others. */
  readonly blankChange: number | null;
  /** The spellings in which the names that claims wait on are shown; absent: as written. */
  readonly spellings?: Spellings;
}

interface ReviewFactSpec<Value extends string | number | null> {
  /** Its column in `claim_reviews`. */
  readonly column: string;
  /** The column of lists, filters and commands that shows this value (`rules/list-fields.ts`); null: none does. */
  readonly path: string | null;
  /** Its value in the row. Amounts are ten-thousandths of a dollar, times ISO date-times. */
  readonly read: (review: FoldedReview, context: RowContext) => Value;
}

const fact = <Value extends string | number | null>(
  column: string,
  path: string | null,
  read: ReviewFactSpec<Value>['read'],
): ReviewFactSpec<Value> => ({ column, path, read });

const orNull = (texts: readonly string[], separator: string): string | null =>
  texts.length === 0 ? null : texts.join(separator);

/** The amounts of a decision that counts; null where it was reopened or undone. */
const amountsOf = ({ outcome, amounts }: FoldedReview): KeptAmounts | null =>
  outcome === null ? null : amounts;

/** Each fact of a review that lists can show, sort or filter by, or that worklists depend on. */
export const reviewFacts = {
  /** Lists compute the state with an expression, because a claim without a review is to do or out of scope. */
  state: fact<string | null>('state', null, (review, { today }) => stateOn(review, today)),
  outcome: fact<string | null>('outcome', 'review.outcome', (review) => review.outcome),
  decidedOutcome: fact<string | null>(
    'decided_outcome',
    'review.decided_outcome',
    (review) => review.decidedOutcome,
  ),
  onWhom: fact('on_whom', 'review.on_whom', ({ onWhom }, { spellings }) =>
    onWhom === null ? null : (spellings?.get(onWhom) ?? onWhom),
  ),
  reason: fact('reason', 'review.reason', (review) => review.reason),
  cause: fact('cause', 'review.cause', (review) => (review.outcome === null ? null : review.cause)),
  /** The amount of a partly eligible decision, and the amount by the rules at that time. */
  keptEligible: fact('kept_eligible', null, (review) => amountsOf(review)?.eligible ?? null),
  keptByRules: fact('kept_by_rules', null, (review) => amountsOf(review)?.byRules ?? null),
  /** The rule that decided; null where a user accepted its proposal. */
  rule: fact('rule', 'review.rule', ({ rule }) => (rule?.how === 'done' ? rule.name : null)),
  ruleId: fact('rule_id', null, ({ rule }) => (rule?.how === 'done' ? rule.id : null)),
  /** The percentage of the rule's decisions that a second person checks; null where a user decided. */
  secondLook: fact('second_look', null, ({ rule }) => (rule?.how === 'done' ? rule.secondLook : null)),
  reminder: fact('reminder', 'review.reminder', (review) => review.reminder),
  owner: fact('owner', 'review.owner', (review) => review.owner),
  flag: fact('is_flagged', 'review.flag', (review) => (review.isFlagged ? 1 : null)),
  tags: fact('tags', 'review.tags', (review) => orNull(review.tags, ', ')),
  note: fact('note', 'review.note', (review) => review.notes.at(-1)?.text ?? null),
  reviewedAt: fact('reviewed_at', 'review.at', (review) => review.reviewedAt),
  reviewedBy: fact('reviewed_by', 'review.by', (review) => review.reviewedBy),
  secondBy: fact('second_by', 'review.second_by', (review) => review.secondBy),
  lastEventAt: fact('last_event_at', 'review.last_event_at', (review) => review.lastEventAt),
  changedAt: fact('changed_at', 'review.changed_at', (review) => review.changedAt),
  /** Names of fields of the service, with a space between them. */
  changedFields: fact('changed_fields', 'review.changed_fields', (review) =>
    orNull(review.changedFields, ' '),
  ),
  changedResponsibility: fact(
    'changed_responsibility',
    'review.changed_responsibility',
    (review) => review.changedResponsibility,
  ),
  /** The sort key of changed claims; null: the claim did not change. */
  changeSize: fact('change_size', null, (review, { blankChange }) =>
    review.changedAt === null ? null : (blankChange ?? Math.abs(review.changedResponsibility ?? 0)),
  ),
  /** Null: nothing was recorded. */
  reimbursed: fact('reimbursed', 'review.reimbursed', ({ payments }) =>
    payments.length === 0 ? null : paidOf(payments).reimbursed,
  ),
  /** Null: nothing was written off. */
  writtenOff: fact(
    'written_off',
    'review.written_off',
    ({ payments }) => paidOf(payments).writtenOff || null,
  ),
  paidOn: fact('paid_on', null, ({ payments }) =>
    payments.reduce<string | null>((last, { day }) => (last === null || day > last ? day : last), null),
  ),
  /** JSON text: the members of the other claims that had the ID before and have recorded payments; null: none. */
  earlierPaid: fact<string | null>('earlier_paid', null, ({ earlier }) => {
    const paid = earlier.filter(({ payments }) => payments.length > 0);
    return paid.length === 0 ? null : JSON.stringify(paid.map(({ memberId }) => memberId));
  }),
  failure: fact('failure', null, (review) => review.failure),
  /** The problems of its payments, as phrases; null: none. */
  oddPayment: fact('odd_payment', null, ({ payments }) => orNull(findOddPayments(payments), '; ')),
  missingAnswer: fact<string | null>('gone_answer', null, ({ missing }) => missing?.answer ?? null),
  missingAnsweredAt: fact('gone_answered_at', null, ({ missing }) => missing?.at ?? null),
  /** The people whose decisions differ. */
  decidedTwice: fact('decided_twice', 'review.decided_twice', ({ decidedTwice }) =>
    orNull(decidedTwice.map(({ author }) => author).sort(), ', '),
  ),
  paidTwice: fact('paid_twice', 'review.paid_twice', ({ paidTwice }) => paidTwice?.stake ?? null),
  run: fact('run', 'review.run', ({ runs }) => runs.at(-1)?.name ?? null),
  runAmount: fact('run_amount', 'review.run_amount', ({ runs }) => runs.at(-1)?.amount ?? null),
  runState: fact<string | null>('run_state', 'review.run_state', ({ runs }) => {
    const last = runs.at(-1);
    return last === undefined ? null : runStateLabels[last.state];
  }),
  /** The payer's reason for the rejection, where that was its last run. */
  rejected: fact('rejected', 'review.rejected', ({ runs }) => {
    const last = runs.at(-1);
    return last?.state === 'left' && last.isRejected === true && last.ofEarlier === undefined
      ? (last.reason ?? '')
      : null;
  }),
  /** The state and the day of the open appeal, or of the newest if none is open. `appealDue` is only of an open one. */
  appeal: fact('appeal', 'review.appeal', (review) => {
    const shown = findShownAppeal(review);
    return shown === undefined ? null : sayAppealState(shown);
  }),
  appealDay: fact('appeal_day', 'review.appeal_day', (review) => findShownAppeal(review)?.day ?? null),
  appealDue: fact('appeal_due', 'review.appeal_due', (review) => findOpenAppeal(review)?.due ?? null),
  isSubstantiated: fact('is_substantiated', null, ({ documents }) =>
    documents.some(({ sufficient }) => sufficient !== null) ? 1 : null,
  ),
  appealSent: fact<number | null>('appeal_sent', null, ({ appeals }) =>
    appeals.some(isSentToCarrier) ? 1 : null,
  ),
  /** The last letter: its kind and day. `letterSaid`: what letters said, as JSON text, for the fact `letter_untrue`. */
  letter: fact('letter', 'review.letter', ({ letters }) => {
    const last = letters.at(-1);
    return last === undefined ? null : letterTable[last.letter].label;
  }),
  letterDay: fact('letter_day', 'review.letter_day', ({ letters }) => {
    const last = letters.at(-1);
    return last === undefined ? null : localDayOf(new Date(last.at));
  }),
  letterSaid: fact('letter_said', null, ({ letters, appeals }) => {
    const current = findCurrent(letters).map(({ letter, said }) => ({ letter, said }));
    return current.length === 0 ? null : JSON.stringify(compareAnswers(current, appeals));
  }),
  paidValues: fact('paid_values', null, (_review, { paidValues }) => paidValues),
  /** Identifies the record that was last compared (`recordDigestSql`). */
  digest: fact('digest', null, (review) => review.digest),
};

type FactValues = {
  readonly [Name in keyof typeof reviewFacts]: ReturnType<(typeof reviewFacts)[Name]['read']>;
};

export interface ClaimReviewRow extends FactValues, Pick<FoldedReview, 'decisions' | 'checks' | 'runs'> {
  readonly claimId: number;
  /**
   * The claims that users compared with this one as possible duplicates, with the hash of what was compared.
   */
  readonly judged: readonly {
    readonly otherClaimId: number;
    readonly fingerprint: string;
    readonly isDuplicate: boolean;
    /** Which of the two is marked as the duplicate. */
    readonly markedId: number | null;
    readonly eventId: string;
  }[];
  /** The users' answers about how this claim relates to others with its number. */
  readonly related: readonly {
    readonly otherClaimId: number;
    readonly relation: ChainRelation;
    readonly isOfThis: boolean;
    readonly eventId: string;
  }[];
}

/** The row of a review in lists. */
export function toReviewRow(review: FoldedReview, context: RowContext): ClaimReviewRow {
  const facts = Object.entries(reviewFacts).map(([name, { read }]) => [name, read(review, context)]);
  return {
    ...(Object.fromEntries(facts) as FactValues),
    claimId: review.claimId,
    // Reports and filters by person count what people decided.
    decisions: review.decisions.filter(({ rule }) => rule?.how !== 'done'),
    checks: review.checks,
    runs: review.runs,
    related: review.duplicates.flatMap(({ otherClaimId, relation, eventId }) =>
      relation === null ? [] : [{ otherClaimId, ...relation, eventId }],
    ),
    judged: review.duplicates.flatMap(({ otherClaimId, isDuplicate, isMarked, fingerprint, eventId }) => {
      const markedId = isDuplicate ? (isMarked ? review.claimId : otherClaimId) : null;
      return fingerprint === null ? [] : [{ otherClaimId, isDuplicate, markedId, fingerprint, eventId }];
    }),
  };
}
