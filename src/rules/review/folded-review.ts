import type { ChainRelation, MissingAnswer } from '../money/chain-claim.ts';
import type { KeptAmounts } from '../money/decided-amounts.ts';
import type { Appeal } from './appeals.ts';
import type { Decision, PartlyEligible, ReviewOutcome, ReviewState } from './decision.ts';
import type { ClaimPayment, MadeDecision, MadeLetter, ReviewDocument, ReviewNote } from './review-parts.ts';
import type { RuleMark, RuleMode } from './rule-mark.ts';
import type { ClaimRun } from './run-facts.ts';
import type { LogPosition } from './seen-events.ts';

/** The state of one claim's review, computed from its events. Times are ISO date-times. */
export interface FoldedReview {
  readonly claimId: number;
  /** Null: no decision counts. */
  state: Exclude<ReviewState, 'notSelected'> | null;
  outcome: ReviewOutcome | null;
  /** The outcome of the last decision; a reopening does not change it. */
  decidedOutcome: ReviewOutcome | null;
  onWhom: string | null;
  reason: string | null;
  /** The reason of the last decision. A reopening does not change this or the next two. */
  cause: string | null;
  partly: PartlyEligible | null;
  amounts: KeptAmounts | null;
  /** The rule that made the last decision, or whose proposal was accepted; null: none. */
  rule: (RuleMark & { how: RuleMode }) | null;
  reminder: string | null;
  owner: string | null;
  isFlagged: boolean;
  tags: string[];
  notes: ReviewNote[];
  /** The letters about the claim, in the order in which they were made. */
  letters: MadeLetter[];
  /** The documents in the order in which they were attached, each file once. */
  documents: ReviewDocument[];
  reviewedAt: string | null;
  reviewedBy: string | null;
  /** The author of the last decision, if it is not the person who decided first. */
  secondBy: string | null;
  /** The time of the last event that counts, of any kind. */
  lastEventAt: string | null;
  /** Whether an event that counts came with a file and is not in the team's log. */
  hasUnsigned: boolean;
  /** The event whose values the claim is compared with. */
  reviewedIn: string | null;
  /**
   * The last payment that kept an undecided claim's values: they show whether another claim has the ID now.
   * Null: the claim was decided, or has no such payment.
   */
  paidIn: string | null;
  /** The event with the values that were last compared, and the digest of their record. */
  comparedIn: string | null;
  digest: string | null;
  /** Whether it was missing from the service and returned unchanged since its last decision. */
  hasReturned: boolean;
  /** Why its events could not be combined, as a phrase; then it contains none of them. Null: they were combined. */
  failure: string | null;
  changedAt: string | null;
  changedFields: readonly string[];
  changedResponsibility: number | null;
  /** The colleague whose newer record changed since the review, and when that was found; null: none. */
  foundBy: { author: string; at: string } | null;
  /** `fromFile`: it is a row of a file, so an equal row that a colleague imported is the same payment. */
  payments: (ClaimPayment & { fromFile: boolean })[];
  /** Payments of other claims that had the ID before; `key` identifies the claim. They are not counted. */
  earlier: {
    readonly key: string;
    readonly number: string | null;
    readonly memberId: number | null;
    readonly payments: FoldedReview['payments'];
  }[];
  /** The runs to which it was added, in order. */
  runs: ClaimRun[];
  /** Decisions and payments that teammates made without having seen each other's (`fold-twice.ts`). */
  decidedTwice: MadeDecision[];
  paidTwice: { readonly stake: number; readonly paymentIds: string[] } | null;
  /** The decisions that count, in their order; one without an outcome does not complete the claim. */
  decisions: {
    author: string;
    /** False: only a file names the author. */
    isVerified: boolean;
    at: string;
    outcome: ReviewOutcome | null;
    /** The amount of a partly eligible one, in ten-thousandths of a dollar. */
    eligible?: number;
    /** Whether a sync changed the claim after that, before the next decision. */
    isReopened: boolean;
    /** The rule behind it, and its event. */
    rule?: { eventId: string; how: RuleMode };
  }[];
  /** When another author checked a decision of this one, and whether they agreed. */
  checks: { author: string; isVerified: boolean; at: string; agrees: boolean }[];
  duplicates: {
    otherClaimId: number;
    isDuplicate: boolean;
    /** Whether this claim is the one of the two that was judged. */
    isMarked: boolean;
    at: string;
    fingerprint: string | null;
    /** How two claims that share a number relate, by a decision; `isOfThis`: this claim to the other one. */
    relation: { relation: ChainRelation; isOfThis: boolean } | null;
    eventId: string;
  }[];
  /** Appeals, in the order in which they were added. */
  appeals: Appeal[];
  /** The answer about a claim that the service no longer returns, and when it was made. */
  missing: { answer: MissingAnswer; at: string } | null;
}

/** The state on a day: a waiting claim comes back when its reminder is due. */
export const stateOn = (
  review: Pick<FoldedReview, 'state' | 'reminder'>,
  today: string,
): FoldedReview['state'] =>
  review.state === 'waiting' && review.reminder !== null && review.reminder <= today ? 'back' : review.state;

/** The values that distinguish a claim from another one with the same ID, and its member; null: blank. */
export interface ClaimIdentity {
  readonly uuid: string | null;
  readonly number: string | null;
  readonly memberId: number | null;
}

/**
 * The details of `run`: the open amount of the claim, in ten-thousandths of a dollar, and the runs in which it had been
 * recorded as reimbursed before, if any.
 */
interface RunDetail {
  readonly amount: number;
  readonly after?: readonly string[];
}

/** One event of one claim, in the form that `foldReview` needs. */
export interface EventOf<Fact> {
  readonly id: string;
  /** The time by which it is ordered (`event-times.ts`). */
  readonly at: string;
  readonly author: string;
  readonly fact: Fact;
  readonly undoes: string | null;
  readonly digest: string | null;
  readonly detail: ReviewDetail | null;
  /**
   * Its position in the team's log; null: it is not in the log of the workspace's team, like an event of a file. Absent
   * if that makes no difference, as without a team (`fold-claims.ts`).
   */
  readonly place?: LogPosition | null;
  /** Whether its author is unknown: a file brought it, and it is not in the log of a team. */
  readonly isUnsigned?: true | undefined;
  /** Whether the record here is older than the one that a colleague's reopening is about, or denies it. */
  readonly doubt?: 'open' | 'denied' | undefined;
}

/** The data that an event stores about one claim in addition to its fact. */
export interface ReviewDetail {
  /** The other claim of the pair, for `judgeDuplicate`. */
  readonly otherClaimId?: number;
  /** A hash of the compared values of both claims, for `judgeDuplicate`; the judgment counts while it is equal. */
  readonly fingerprint?: string;
  /** The owner, for claims that were assigned. */
  readonly owner?: string;
  /** The amounts at the time of a partly eligible decision, or of its acceptance. */
  readonly amounts?: KeptAmounts;
  /** The payments that were imported together, in ten-thousandths of a dollar. */
  readonly payments?: readonly { readonly amount: number; readonly day: string }[];
  /** Whether these payments are rows of a file. */
  readonly fromFile?: true;
  readonly run?: RunDetail;
  /** The rule that decided, for `byRule`. */
  readonly rule?: RuleMark;
  /** The reason for `runLeft`, and whether the payer rejected the claim. */
  readonly reason?: string;
  readonly rejected?: true;
  /** The event whose values were compared, and the names of the fields that differed, for `reopened`. */
  readonly since?: string;
  readonly changed?: readonly string[];
  /** Whether the claim was missing and is back as it was decided, so that the decision counts again, for `reopened`. */
  readonly isReturned?: boolean;
  /** The other claim that has the ID now, for `reopened`. `from`: the one before, as this computer knew it. */
  readonly other?: { readonly from: ClaimIdentity; readonly to: ClaimIdentity };
  /** The previous event, if the same record was compared earlier, for `reopened`. */
  readonly after?: string;
  /** The difference in patient responsibility, in ten-thousandths of a dollar, for `reopened`. */
  readonly responsibility?: number | null;
}

/** A review while its events are combined, with values that only later events of the claim need. */
export interface ClaimFold {
  readonly review: FoldedReview;
  /** The state and outcome of the decision that counts, even after it was reopened. */
  decided: Pick<FoldedReview, 'state' | 'outcome'>;
  lastDecision: Decision | null;
  /** Who decided first. */
  firstBy: string | null;
  /** Whether a second person agreed with the last decision. */
  isAgreed: boolean;
  /** The claim that has the ID now, if that changed. */
  identity: ClaimIdentity | null;
  /** The decision that the last event makes or confirms; null: none. */
  made: Decision | null;
}
