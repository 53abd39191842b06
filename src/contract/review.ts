import { z } from 'zod';
import { eligibleBasisSchema } from './eligible.ts';
import { eligibleParts, paymentKinds } from './reimbursement.ts';
import { reviewedChangeSchema } from './reviewed-values.ts';

/**
 * Where the review of a claim is. `back`: it was waiting, and its reminder is due or the claim changed; computed, so
 * nobody sets it. A claim in scope without a review is `todo`, one before the scope `notSelected`.
 */
export const reviewStates = [
  'todo',
  'inReview',
  'waiting',
  'back',
  'escalated',
  'done',
  'notSelected',
] as const;
export type ReviewState = (typeof reviewStates)[number];

/** The states that a person sets. */
export const decidedStates = ['todo', 'inReview', 'waiting', 'escalated', 'done'] as const;

/** How a claim was done. */
export const reviewOutcomes = [
  'eligible',
  'partlyEligible',
  'notEligible',
  'noAction',
  'duplicate',
  'disputed',
] as const;
export type ReviewOutcome = (typeof reviewOutcomes)[number];

const day = z.iso.date();
const shortText = z.string().trim().min(1).max(200);
const longText = z.string().trim().min(1).max(10_000);
const amount = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/**
 * How much of a partly eligible claim is eligible, in ten-thousandths of a dollar. `amount` and `lines` are of one claim;
 * `line` is the place of a claim line, from 0. `parts`: all that the rules give but these. `share`: so many percent of
 * what the rules give, down to the cent. These two are for any number of claims, and what they come to is kept for each.
 */
export const partlyEligibleSchema = z.discriminatedUnion('by', [
  z.object({ by: z.literal('amount'), amount: z.int() }),
  z.object({
    by: z.literal('lines'),
    lines: z
      .array(z.object({ line: z.int().min(0), amount: z.int() }))
      .min(1)
      .max(1000),
  }),
  z.object({ by: z.literal('parts'), without: z.array(z.enum(eligibleParts)).min(1) }),
  z.object({ by: z.literal('share'), percent: z.number().gt(0).lt(100).multipleOf(0.01) }),
]);
export type PartlyEligible = z.infer<typeof partlyEligibleSchema>;

const decisionSchema = z.object({
  kind: z.literal('decision'),
  state: z.enum(decidedStates),
  /** With `done` only, and always. */
  outcome: z.enum(reviewOutcomes).nullable().default(null),
  /** With `waiting` and `escalated` always, as is `reason`. */
  onWhom: shortText.nullable().default(null),
  reason: longText.nullable().default(null),
  /** When a waiting claim comes back. */
  reminder: day.nullable().default(null),
  /** With `partlyEligible` only; events of before version 0.3 have none. */
  partly: partlyEligibleSchema.optional(),
  /** With `partlyEligible` and `notEligible` only: why the rest is declined, from the workspace's list or any other. */
  cause: shortText.optional(),
});
const paymentSchema = z.object({
  kind: z.literal('payment'),
  payment: z.enum(paymentKinds),
  /** Ten-thousandths of a dollar. Of payments that were imported together it is with each claim: null here. */
  amount: amount.nullable(),
  day: day.nullable(),
  /** The account it went from, or a reference. */
  account: z.string().trim().max(200).default(''),
});

/** What a person does with claims; the same for one claim and for many. */
export const reviewActSchema = z.discriminatedUnion('kind', [
  decisionSchema,
  /** The previous decision holds for the claim as it is now. */
  z.object({ kind: z.literal('accept') }),
  z.object({ kind: z.literal('note'), text: longText }),
  /** `noteId` is the ID of the event that wrote the note. */
  z.object({ kind: z.literal('editNote'), noteId: z.string().max(60), text: longText }),
  z.object({ kind: z.literal('deleteNote'), noteId: z.string().max(60) }),
  z.object({ kind: z.literal('tag'), add: z.array(shortText).max(50), remove: z.array(shortText).max(50) }),
  z.object({ kind: z.literal('flag'), isFlagged: z.boolean() }),
  z.object({ kind: z.literal('owner'), owner: shortText.nullable() }),
  z.object({ kind: z.literal('reminder'), day: day.nullable() }),
  paymentSchema,
  /** About this claim and another one. */
  z.object({
    kind: z.literal('judgeDuplicate'),
    otherClaimId: z.int(),
    isDuplicate: z.boolean(),
    /** With a duplicate: this claim is done as one, by the same act. */
    isDone: z.boolean().optional(),
  }),
]);
export type ReviewAct = z.infer<typeof reviewActSchema>;
export type Decision = z.infer<typeof decisionSchema>;

/** The decision that an act makes on its claim; null: none. */
export function decisionOf(act: ReviewFact): Decision | null {
  if (act.kind === 'decision') return act;
  if (act.kind !== 'judgeDuplicate' || !act.isDuplicate || act.isDone !== true) return null;
  return {
    kind: 'decision',
    state: 'done',
    outcome: 'duplicate',
    onWhom: null,
    reason: null,
    reminder: null,
  };
}

/** What an event of the history records: an act of a person, its undoing, or a claim that changed since its review. */
export const reviewFactSchema = z.discriminatedUnion('kind', [
  ...reviewActSchema.options,
  z.object({ kind: z.literal('undo') }),
  z.object({ kind: z.literal('reopened') }),
]);
export type ReviewFact = z.infer<typeof reviewFactSchema>;

/** What the history has of an event: one that a newer version of Claimdesk wrote is kept, handed over and of no effect. */
export const listedFactSchema = z.discriminatedUnion('kind', [
  ...reviewFactSchema.options,
  z.object({ kind: z.literal('newer') }),
]);
export type ListedFact = z.infer<typeof listedFactSchema>;

/** Which receipt of a sync stood behind a claim when it was reviewed; null where no sync has finished. */
export const reviewedReceiptSchema = z.object({ runId: z.string(), finishedAt: z.string() });
export type ReviewedReceipt = z.infer<typeof reviewedReceiptSchema>;

/** One event. `author` is the email of the workspace, which nobody verified. */
export const reviewEventSchema = z.object({
  id: z.string(),
  at: z.string(),
  author: z.string(),
  /** It came with a file from another computer. */
  isImported: z.boolean(),
  fact: listedFactSchema,
  /** The event that this one undoes. */
  undoes: z.string().nullable(),
  isUndone: z.boolean(),
  /** How many claims it is about, and the only one, or the one of a pair that was judged. */
  claims: z.int(),
  claimId: z.int().nullable(),
  /** Of an act on a list: what the list was filtered by, as JSON text of its query. */
  filter: z.string().nullable(),
  /**
   * With the history of one claim: what a `reopened` event found, or what was noted after a decision, until the next one;
   * and what payments imported together were.
   */
  changes: z.array(reviewedChangeSchema).nullable(),
  payments: z.array(z.object({ amount, day })).readonly().nullable(),
  /** The same of a partly eligible decision: what was eligible, and what the rules gave then. */
  amounts: z.object({ eligible: z.int(), byRules: z.int().nullable() }).nullable(),
  receipt: reviewedReceiptSchema.nullable(),
});
export type ReviewEvent = z.infer<typeof reviewEventSchema>;

export const reviewNoteSchema = z.object({
  id: z.string(),
  text: z.string(),
  at: z.string(),
  author: z.string(),
  editedAt: z.string().nullable(),
});
export type ReviewNote = z.infer<typeof reviewNoteSchema>;

export const claimPaymentSchema = z.object({
  /** Of the event that recorded it: undo that. */
  id: z.string(),
  payment: z.enum(paymentKinds),
  amount,
  day,
  account: z.string(),
  author: z.string(),
  at: z.string(),
});

/** All that is known of the review of one claim. */
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
  /** Of the decision that counts; null: none yet. */
  reviewedAt: z.string().nullable(),
  reviewedBy: z.string().nullable(),
  receipt: reviewedReceiptSchema.nullable(),
  /** The claim changed since that decision: when this was found. It stays until the claim is reviewed again. */
  changedAt: z.string().nullable(),
  /**
   * The claim here is an older record than the one that was reviewed, or that reopened the review, by these times of the
   * service: the last change of each or, where those do not tell, up to when each was read. Null: it is not.
   */
  olderRecord: z.object({ here: z.string().nullable(), reviewed: z.string() }).nullable(),
  /** The claim as reviewed against the newest one known; `noted` ones are there without a reopening as well. */
  changes: z.array(reviewedChangeSchema),
  duplicates: z.array(z.object({ otherClaimId: z.int(), isDuplicate: z.boolean(), at: z.string() })),
  payments: z.array(claimPaymentSchema),
  /** Of the decision that counts, as is `cause`. */
  partly: partlyEligibleSchema.nullable(),
  cause: z.string().nullable(),
  /**
   * Ten-thousandths of a dollar; for your records. Null: it cannot be known from the claim. `eligible` is as decided, or
   * as the rules give where nobody decided; `byRules` is `eligible`, `declined` and `disputed` together. `open` is
   * `eligible` less `reimbursed`.
   */
  byRules: z.int().nullable(),
  /** Why the rules give that much now; null where the claim is not on this computer. */
  basis: eligibleBasisSchema.nullable(),
  eligible: z.int().nullable(),
  declined: z.int().nullable(),
  disputed: z.int().nullable(),
  reimbursed: z.int(),
  open: z.int().nullable(),
});
export type ClaimReview = z.infer<typeof claimReviewSchema>;

/**
 * The groups of a frozen selection; each claim is in one. `reviewed`: done, waiting or escalated. `rejected` and
 * `unprocessed`: by its carrier, or not yet. `open`: none of these.
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

/** The claims that an act is about: some by ID, or those of a selection that was frozen before, all or some groups. */
export const reviewTargetSchema = z.union([
  z.object({ claimIds: z.array(z.int()).min(1).max(1000) }),
  z.object({ selectionId: z.string().max(60), groups: z.array(z.enum(claimGroups)).min(1).optional() }),
]);
export type ReviewTarget = z.infer<typeof reviewTargetSchema>;

/**
 * What an act did. `leftOut` claims changed, or were reviewed, between freezing the selection and the act. `notKnown` ones
 * were left out because a partly eligible decision comes to no amount for them: the rules cannot tell or, where a decision of
 * before is accepted, give less than it.
 */
export const reviewDoneSchema = z.object({
  /** Null: nothing was left to do it with. */
  eventId: z.string().nullable(),
  claims: z.int(),
  leftOut: z.array(z.int()),
  notKnown: z.array(z.int()),
});
export type ReviewDone = z.infer<typeof reviewDoneSchema>;

/** A row of a payments file that was not recorded. `line` counts from 1, the header included. */
export const paymentRowSchema = z.object({
  line: z.int(),
  claim: z.string(),
  reason: z.enum(['noClaim', 'severalClaims', 'badAmount', 'badDate', 'repeated', 'recordedBefore']),
});
export type PaymentRow = z.infer<typeof paymentRowSchema>;

/** What came with a file of reviews. */
export const reviewImportSchema = z.object({
  events: z.int(),
  /** Events that were here already. */
  known: z.int(),
  byKind: z.record(z.string(), z.int()),
  claims: z.int(),
  /** Claims that are not on this computer; their reviews are kept. */
  unknownClaims: z.int(),
  /** Claims that were removed from this computer, or may have been; their reviews were left out. */
  removedClaims: z.int(),
  authors: z.array(z.string()),
});
export type ReviewImport = z.infer<typeof reviewImportSchema>;
