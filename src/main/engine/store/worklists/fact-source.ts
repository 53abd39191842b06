import type { ChainRole } from '../../../../rules/money/chains.ts';
import type { EligibleSource } from '../../../../rules/money/eligible-source.ts';
import type { AccountStep } from '../../../../rules/plans/account-layers.ts';
import type { ReviewOutcome } from '../../../../rules/review/decision.ts';

/**
 * The values of a claim from which facts are computed. Amounts are ten-thousandths of a dollar: as sent or, if not
 * sent, as calculated. Days are `YYYY-MM-DD`.
 */
export interface FactSource extends EligibleSource {
  readonly id: number;
  readonly type: string | null;
  readonly patientName: string | null;
  readonly provider: string | null;
  readonly first: string | null;
  readonly last: string | null;
  readonly created: string | null;
  readonly processed: string | null;
  readonly isMissing: boolean;
  readonly employerId: number | null;
  readonly memberId: number | null;
  /**
   * The amounts that both the claim and its lines have: the claim's own as sent, the sum of its lines, and on
   * how many lines it is blank.
   */
  readonly compared: readonly {
    readonly own: number | null;
    readonly sum: number | null;
    readonly blank: number;
  }[];
  readonly lines: number;
  /** The number of lines that name a procedure or a drug. */
  readonly describedLines: number;
  /** The outcome of the decision that counts; null: there is none. */
  readonly outcome: ReviewOutcome | null;
  /** The amount of a partly eligible decision, and the amount by the rules at that time. */
  readonly keptEligible: number | null;
  readonly keptByRules: number | null;
  /** The claim that identifies its chain, its role there, and the claim that the role follows from; null: no chain. */
  readonly chain: number;
  readonly role: ChainRole | null;
  readonly by: number | null;
  /** Whether the carrier has or had an appeal, and by when an open one must be answered; null: none. */
  readonly appealSent: number | null;
  readonly answerDue: string | null;
  /** 1: a document is marked as sufficient for what the record lacks. */
  readonly isSubstantiated: 1 | null;
  /** The reason of the decision that declined it, and what its letters said as JSON text; null: none. */
  readonly cause: string | null;
  readonly letterSaid: string | null;
  /** The day of the last payment. */
  readonly paidOn: string | null;
  /** Recorded payments; null: none. */
  readonly reimbursed: number | null;
  readonly writtenOff: number | null;
  /** Payments of another claim that had the ID before are recorded; null: none. */
  readonly earlierPaid: string | null;
  /** The problems of its payments (`findOddPayments`). */
  readonly oddPayment: string | null;
  /** Why the review, the comparison with other claims, or the chain could not be computed, as phrases; null: it was. */
  readonly failedReview: string | null;
  readonly failedComparison: string | null;
  readonly failedChain: string | null;
  /** JSON text of the `EligibleValues` at the last payment; null: not stored. */
  readonly paidValues: string | null;
  /** The names of the fields that changed since the decision, with blanks between them; null: none. */
  readonly changedFields: string | null;
  /** The percentage of the deciding rule's decisions that a second person checks; null: a user decided. */
  readonly secondLook: number | null;
}

export interface FamilyFacts {
  readonly memberId: number;
  /** Null: its plan year has no account with layers or limits. */
  readonly step: AccountStep | null;
  /** The carrier's differences, and the largest one; null: none. */
  readonly disagrees: string | null;
  readonly difference: number | null;
  /** Why the family could not be computed, as a phrase; absent where it was. */
  readonly failure?: string;
  /** How much the deductible is too high (below zero: too low), and the out-of-pocket maximum is exceeded. */
  readonly deductible: number | null;
  readonly outOfPocket: number | null;
}
