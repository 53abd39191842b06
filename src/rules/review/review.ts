import { z } from 'zod';
import { chainRestSchema } from '../money/chain-balance.ts';
import { chainRoles } from '../money/chains.ts';
import { eligibleBasisSchema } from '../money/eligible.ts';
import { paymentKinds } from '../money/reimbursement.ts';
import { appealSchema } from './appeals.ts';
import { amount, day, partlyEligibleSchema, reviewOutcomes, reviewStates } from './decision.ts';
import { reviewFactSchema } from './event-kinds.ts';
import {
  claimPaymentSchema,
  madeDecisionSchema,
  madeLetterSchema,
  reviewDocumentSchema,
  reviewNoteSchema,
} from './review-parts.ts';
import { reviewedChangeSchema } from './reviewed-values.ts';
import { ruleMarkSchema, ruleModes } from './rule-mark.ts';
import { claimRunSchema } from './run-facts.ts';

/**
 * The content of an event in the history. Events of a kind that only a newer version of Claimdesk has are stored,
 * exported and shown, but have no effect. If the stored text of an event is damaged, only its author and time are
 * known.
 */
const listedFactSchema = z.discriminatedUnion('kind', [
  ...reviewFactSchema.options,
  z.object({ kind: z.literal('newer') }),
  z.object({ kind: z.literal('unreadable') }),
]);
export type ListedFact = z.infer<typeof listedFactSchema>;

/** The receipt of the latest sync at the time of a review; null where no sync had finished. */
export const reviewedReceiptSchema = z.object({ runId: z.string(), finishedAt: z.string() });
export type ReviewedReceipt = z.infer<typeof reviewedReceiptSchema>;

/** One event. `author` is the email of the workspace, which is not verified. */
export const reviewEventSchema = z.object({
  id: z.string(),
  at: z.string(),
  author: z.string(),
  /** It was imported from another computer's file. */
  isImported: z.boolean(),
  /** Fingerprint of the SSH key behind the signature of an imported event; null: it is not signed. */
  signedBy: z.string().nullable(),
  /** The ID of the computer that signed it. */
  computer: z.string().nullable(),
  fact: listedFactSchema,
  /** ID of the event that this one undoes. */
  undoes: z.string().nullable(),
  isUndone: z.boolean(),
  /** The number of its claims, and its claim if it has only one or is about a pair. */
  claims: z.int(),
  claimId: z.int().nullable(),
  /** The member whose call it is about, instead of a claim. */
  memberId: z.int().optional(),
  /** The query of the list that the act was for, as JSON text; null: it was for no list. */
  filter: z.string().nullable(),
  /**
   * The findings of a `reopened` event, or the changes noted between a decision and the next one, in the history of one
   * claim; otherwise null. For payments that were imported together, also the claim's payments.
   */
  changes: z.array(reviewedChangeSchema).nullable(),
  payments: z.array(z.object({ amount, day })).readonly().nullable(),
  /** The eligible amount of a partly eligible decision and the one by the rules then, in one claim's history. */
  amounts: z.object({ eligible: z.int(), byRules: z.int().nullable() }).nullable(),
  /** The claim's amount in a run that was made, or why it left one; only in one claim's history. */
  ofRun: z.object({ amount: z.int().optional(), reason: z.string().optional() }).optional(),
  /** A rule's act or proposal, in one claim's history: “Eligible $50.00 by rule Copays in network (version 3)”. */
  rule: z.string().optional(),
  /** The owner to whom the claim was assigned; only in one claim's history. */
  owner: z.string().optional(),
  receipt: reviewedReceiptSchema.nullable(),
  /**
   * The amount above which the team required two people then, in the history of one claim: its author both
   * decided and paid more than this.
   */
  twoPeopleAbove: z.int().optional(),
});
export type ReviewEvent = z.infer<typeof reviewEventSchema>;

/** A claim that had an ID before another one. */
const earlierClaimSchema = z.object({
  number: z.string().nullable(),
  memberId: z.int().nullable(),
  payments: z.array(claimPaymentSchema),
});
export type EarlierClaim = z.infer<typeof earlierClaimSchema>;

export const shownRuleSchema = ruleMarkSchema
  .pick({ id: true, version: true, name: true, by: true, confirmedBy: true, since: true })
  .extend({ how: z.enum(ruleModes) })
  .strip();

/**
 * The result of confirming the decision from before a change for the current claim, in ten-thousandths of a dollar;
 * with `outcome` null, only its state. The amounts before are known for a partly eligible decision. `refused`: why a
 * partly eligible one cannot be confirmed.
 */
const keptDecisionSchema = z.object({
  outcome: z.enum(reviewOutcomes).nullable(),
  eligible: z.int().nullable(),
  declined: z.int().nullable(),
  eligibleBefore: z.int().nullable(),
  declinedBefore: z.int().nullable(),
  refused: z.enum(['notKnown', 'tooMuch']).nullable(),
});

const chainSchema = chainRestSchema.extend({
  claims: z.array(
    z.object({
      claimId: z.int(),
      role: z.enum(chainRoles),
      isShown: z.boolean(),
      outcome: z.enum(reviewOutcomes).nullable(),
      reviewedAt: z.string().nullable(),
      reviewedBy: z.string().nullable(),
      reimbursed: z.int(),
    }),
  ),
});

export const claimReviewSchema = z.object({
  claimId: z.int(),
  state: z.enum(reviewStates),
  outcome: z.enum(reviewOutcomes).nullable(),
  onWhom: z.string().nullable(),
  reason: z.string().nullable(),
  reminder: z.string().nullable(),
  owner: z.string().nullable(),
  isFlagged: z.boolean(),
  tags: z.array(z.string()),
  notes: z.array(reviewNoteSchema),
  /** The letters in the order in which they were made; `findUntrue` compares their values. */
  letters: z.array(madeLetterSchema),
  documents: z.array(reviewDocumentSchema),
  /** Time of the current decision; null: none yet. */
  reviewedAt: z.string().nullable(),
  reviewedBy: z.string().nullable(),
  receipt: reviewedReceiptSchema.nullable(),
  /** When a change of the claim since that decision was found; null once the claim is reviewed again. */
  changedAt: z.string().nullable(),
  /** Set with `changedAt`, where a decision was made. */
  ifKept: keptDecisionSchema.nullable(),
  /** The person whose computer found that a newer record changed, which this computer doesn't have, and when; null: none did. */
  foundBy: z.object({ author: z.string(), at: z.string() }).nullable(),
  /**
   * Set where the claim here is an older record than the one that was reviewed or that reopened the review. Both are
   * times of the service: of the last change of each record or, where these are unknown or equal, up to when each was
   * read.
   */
  olderRecord: z.object({ here: z.string().nullable(), reviewed: z.string() }).nullable(),
  /**
   * Differences between the claim as reviewed and its newest known record; `noted` ones are included even if the review
   * was not reopened.
   */
  changes: z.array(reviewedChangeSchema),
  duplicates: z.array(z.object({ otherClaimId: z.int(), isDuplicate: z.boolean(), at: z.string() })),
  /** Its appeals, in the order in which they were added. */
  appeals: z.array(appealSchema),
  payments: z.array(claimPaymentSchema),
  /** The other claims that had the ID before: their carrier's number, and their payments, which do not count for this one. */
  earlier: z.array(earlierClaimSchema),
  /** The claim's runs, in the order in which they were made. */
  runs: z.array(claimRunSchema),
  /** Decisions of different members of a team that differ; the last of them counts. Empty: there are none. */
  decidedTwice: z.array(madeDecisionSchema),
  /** The events with payments that two members of a team recorded, and the amount at stake; null: none. */
  paidTwice: z.object({ stake: z.int(), paymentIds: z.array(z.string()) }).nullable(),
  /** The rule that made the last decision, or whose proposal was accepted; absent: none. */
  rule: shownRuleSchema.nullish(),
  /** It belongs to the current decision, like `cause`. */
  partly: partlyEligibleSchema.nullable(),
  cause: z.string().nullable(),
  /**
   * Amounts in ten-thousandths of a dollar, for the user's own records; null: unknown. `eligible` is as decided, or by
   * the rules where there is no decision; `byRules` is the sum of `eligible`, `declined` and `disputed`. `reimbursed`
   * belongs to this claim alone, `open` and `owed` to its chain (`decideAmounts`).
   */
  byRules: z.int().nullable(),
  /** Why the rules give that amount now; null if the claim is not on this computer. */
  basis: eligibleBasisSchema.nullable(),
  eligible: z.int().nullable(),
  declined: z.int().nullable(),
  disputed: z.int().nullable(),
  reimbursed: z.int(),
  writtenOff: z.int(),
  open: z.int().nullable(),
  owed: z.int().nullable(),
  /** Its chain (`chain-balance.ts`), with the chain's other claims; null: it is in no chain. */
  chain: chainSchema.nullable(),
});
export type ClaimReview = z.infer<typeof claimReviewSchema>;

/**
 * The groups of a selection (`reviews:freeze`); each claim is in one. `reviewed`: done, waiting or escalated.
 * `rejected` and `unprocessed`: rejected, or not yet processed, by the carrier. `open`: all others.
 */
export const claimGroups = [
  'open',
  'reviewed',
  'rejected',
  'rejectedReviewed',
  'unprocessed',
  'unprocessedReviewed',
] as const;
export type ClaimGroup = (typeof claimGroups)[number];

/** The claims of an act: by ID, or all or some groups of a selection. */
export const reviewTargetSchema = z.union([
  z.object({ claimIds: z.array(z.int()).min(1).max(1000) }),
  z.object({ selectionId: z.string().max(60), groups: z.array(z.enum(claimGroups)).min(1).optional() }),
]);
export type ReviewTarget = z.infer<typeof reviewTargetSchema>;

/**
 * The result of an act. `leftOut` claims changed, or were reviewed or removed, between the selection and the act.
 * `notKnown` ones were left out because a partly eligible decision gives no amount for them: the rules give none or, if
 * an earlier decision is confirmed, less than that decision. `needsSecond` ones were left out because they would break
 * the team's two-person rule. `unchanged` counts those that already have these values.
 */
export const reviewDoneSchema = z.object({
  /** Null: no claim was left for the act. */
  eventId: z.string().nullable(),
  claims: z.int(),
  leftOut: z.array(z.int()),
  notKnown: z.array(z.int()),
  needsSecond: z.array(z.int()),
  unchanged: z.int(),
});
export type ReviewDone = z.infer<typeof reviewDoneSchema>;

/**
 * A payment that a team's two-person rule does not allow: the rule's amount, by how much the payments of one person would
 * exceed it, in ten-thousandths of a dollar, and who decided the claim.
 */
export const brokenRuleSchema = z.object({ above: z.int(), over: z.int(), decidedBy: z.string() });
export type BrokenRule = z.infer<typeof brokenRuleSchema>;

/** The result of importing a reviews file. The file is not signed: its authors are those that it names. */
export const reviewImportSchema = z.object({
  events: z.int(),
  /** Events that were already here. */
  known: z.int(),
  byKind: z.record(z.string(), z.int()),
  claims: z.int(),
  /** Claims that are not on this computer; their reviews are stored. */
  unknownClaims: z.int(),
  /** Claims that were removed from this computer, or may have been; their reviews were left out. */
  removedClaims: z.int(),
  /** The additions by author; the author with the most events first. */
  people: z.array(
    z.object({
      author: z.string(),
      /** The author is the email of this workspace; the events were not made on this computer. */
      isYou: z.boolean(),
      events: z.int(),
      byKind: z.record(z.string(), z.int()),
      claims: z.int(),
      /** How many of these claims were added to events that were already here. */
      furtherClaims: z.int(),
      /** IDs of the claims, at most 200. */
      claimIds: z.array(z.int()),
      /** How many of the added events have no signature. */
      notSigned: z.int(),
      /** The SSH keys behind the others’ signatures; `isKnown`: events of this author were signed with it before. */
      keys: z.array(z.object({ fingerprint: z.string(), isKnown: z.boolean() })),
      /** Payments, one for each claim; `amount` is their sum in ten-thousandths of a dollar. */
      paid: z.array(z.object({ payment: z.enum(paymentKinds), payments: z.int(), amount: z.int() })),
    }),
  ),
  /** Acts that undo, edit or delete what was made on this computer, or by another author; they were left out. */
  actsLeftOut: z.array(z.object({ author: z.string(), kind: z.string(), events: z.int() })),
  /** Claims missing from this computer's events because records were removed or repaired; they were left out. */
  ownClaimsLeftOut: z.int(),
});
export type ReviewImport = z.infer<typeof reviewImportSchema>;
