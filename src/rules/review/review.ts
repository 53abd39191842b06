import { z } from 'zod';
import { chainRelations, missingAnswers } from '../money/chain-claim.ts';
import { chainRoles } from '../money/chains.ts';
import { eligibleBasisSchema } from '../money/eligible.ts';
import { eligibleParts, maxPayment, paymentKinds } from '../money/reimbursement.ts';
import { reviewedChangeSchema } from './reviewed-values.ts';
import { claimRunSchema, runFactSchemas } from './run-facts.ts';
import { maxTeamChanges } from './team-settings.ts';

/**
 * The state of a claim's review. `back`: it was waiting, and its reminder is due or the claim changed; this is computed
 * and cannot be set. A claim in scope without a review is `todo`, one before the scope is `notSelected`.
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

/** The states that a person can set. */
export const decidedStates = ['todo', 'inReview', 'waiting', 'escalated', 'done'] as const;

/** The result of a finished review. */
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
const amount = z.int().min(1).max(maxPayment);

/**
 * How much of a partly eligible claim is eligible, in ten-thousandths of a dollar. `amount` and `lines` are for one
 * claim; `line` is the position of a claim line, from 0. `parts`: what the rules give, without these parts. `share`: a
 * percentage of what the rules give, rounded down to the cent. These two are for any number of claims, and the
 * resulting amount is stored for each.
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
  /** Always and only with `done`. */
  outcome: z.enum(reviewOutcomes).nullable().default(null),
  /** Always with `waiting` and `escalated`, as is `reason`. */
  onWhom: shortText.nullable().default(null),
  reason: longText.nullable().default(null),
  /** The day on which a waiting claim becomes due again. */
  reminder: day.nullable().default(null),
  /** Only with `partlyEligible`; events before version 0.3 have none. */
  partly: partlyEligibleSchema.optional(),
  /**
   * Only with `partlyEligible` and `notEligible`: why the rest is declined; one of the workspace's choices or another
   * text.
   */
  cause: shortText.optional(),
});
const paymentSchema = z.object({
  kind: z.literal('payment'),
  payment: z.enum(paymentKinds),
  /**
   * Ten-thousandths of a dollar. Null in an act: what is open of each claim, with a `day`. Null in an event: it is with each
   * claim, as of payments that were imported together.
   */
  amount: amount.nullable(),
  day: day.nullable(),
  /** The account that paid, or a reference. */
  account: z.string().trim().max(200).default(''),
  /** The run whose claims it marks as reimbursed, with the amounts of the run. */
  run: z.string().max(60).optional(),
  /**
   * Of what a run offsets: the ID of the event of the payments that were recorded in the same act, null where there were
   * none. Events made before this was stored have none.
   */
  sameActAs: z.string().max(60).nullable().optional(),
});

/** What a person can do with claims; the same for one claim and for many. */
export const reviewActSchema = z.discriminatedUnion('kind', [
  decisionSchema,
  /** Confirms the previous decision for the claim as it is now. */
  z.object({ kind: z.literal('accept') }),
  /** A second person agrees with a decision, or sends the claim back to whoever made it; `reason` with the latter always. */
  z.object({ kind: z.literal('check'), agrees: z.boolean(), reason: longText.nullable().default(null) }),
  z.object({ kind: z.literal('note'), text: longText }),
  /** `noteId` is the ID of the event that added the note. */
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
    /** With `isDuplicate`: the same act also sets this claim to done, as a duplicate. */
    isDone: z.boolean().optional(),
    /** How this claim relates to the other one, which shares its number: it outweighs what the values say. */
    relation: z.enum(chainRelations).optional(),
  }),
  /** What it means that the service no longer returns claims: what was paid is owed back, or they were only archived. */
  z.object({ kind: z.literal('missing'), answer: z.enum(missingAnswers) }),
  /**
   * Of payments that two people recorded: all of them are right or, with `leaveOut`, that one is the same as another one
   * and does not count. Its `id` is that of its event.
   */
  z.object({
    kind: z.literal('settlePayments'),
    leaveOut: z.object({ id: z.string().max(60), amount, day }).nullable(),
  }),
]);
export type ReviewAct = z.infer<typeof reviewActSchema>;
export type Decision = z.infer<typeof decisionSchema>;

/** The decision that an act makes for its claim; null: none. */
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

/** What computers of a team send each other besides reviews: events about no claim. */
export const teamFactSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('teamSettings'),
    /** `teamChangeSchema`, or of a setting that only a newer version has. */
    changes: z
      .array(z.looseObject({ setting: z.string().max(40) }))
      .min(1)
      .max(maxTeamChanges),
  }),
  /** About the author's computer. */
  z.object({
    kind: z.literal('computer'),
    /** How many employers its records have, and a keyed digest of their IDs. */
    employers: z.object({ count: z.int().min(0), digest: z.string().max(60) }).optional(),
    /** The newest entry of its audit log, so that the team has evidence of it. */
    audit: z.object({ seq: z.int().min(1), hash: z.string().max(80) }).optional(),
    /** Its version of Claimdesk. */
    version: z.string().max(40).optional(),
  }),
  /**
   * The server's log ended with an earlier entry again, `to`, as after a restore, and what was lost up to `from` was given
   * back; by a computer that had read it.
   */
  z.object({ kind: z.literal('wentBack'), from: z.int().min(1), to: z.int().min(0) }),
]);
export type TeamFact = z.infer<typeof teamFactSchema>;

/** The most people that claims are assigned to at once. */
export const maxDealt = 100;

/** The content of an event: an act of a person, its undoing, or a change of a claim since its review. */
export const reviewFactSchema = z.discriminatedUnion('kind', [
  ...reviewActSchema.options,
  ...teamFactSchema.options,
  /** Claims were assigned to these people; the owner of each is with its claim. */
  z.object({ kind: z.literal('deal'), owners: z.array(shortText).min(1).max(maxDealt) }),
  ...runFactSchemas,
  /** `reason`: why a run was taken back a step. */
  z.object({ kind: z.literal('undo'), reason: longText.optional() }),
  z.object({ kind: z.literal('reopened') }),
]);
export type ReviewFact = z.infer<typeof reviewFactSchema>;

/**
 * The content of an event in the history. Events of a kind that only a newer version of Claimdesk has are stored,
 * exported and shown, but have no effect. Of one whose stored text is damaged, only who and when are known.
 */
export const listedFactSchema = z.discriminatedUnion('kind', [
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
  /** Number of its claims, and its claim, where it has only one or judges a pair. */
  claims: z.int(),
  claimId: z.int().nullable(),
  /** For an act on a list: the query of that list, as JSON text. */
  filter: z.string().nullable(),
  /**
   * In the history of one claim: what a `reopened` event found, or which changes were noted between a decision and the
   * next one; else null. For payments that were imported together, also the claim's payments.
   */
  changes: z.array(reviewedChangeSchema).nullable(),
  payments: z.array(z.object({ amount, day })).readonly().nullable(),
  /** In the history of one claim, for a partly eligible decision: the eligible amount, and what the rules gave then. */
  amounts: z.object({ eligible: z.int(), byRules: z.int().nullable() }).nullable(),
  /** In the history of one claim: its amount in a run that was made, or why it left one. */
  ofRun: z.object({ amount: z.int().optional(), reason: z.string().optional() }).optional(),
  /** In the history of one claim, where it was assigned: to whom. */
  owner: z.string().optional(),
  receipt: reviewedReceiptSchema.nullable(),
  /**
   * In the history of one claim: its author both decided and paid more than the amount for which the team had two people
   * then, this one.
   */
  twoPeopleAbove: z.int().optional(),
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
  /** ID of the event that recorded it, to be undone. */
  id: z.string(),
  payment: z.enum(paymentKinds),
  amount,
  day,
  account: z.string(),
  author: z.string(),
  at: z.string(),
  run: z.string().optional(),
  /** Who imported a file with the same payment as well; it counts once. */
  alsoBy: z.array(z.object({ author: z.string(), at: z.string() })),
});

export type ClaimPayment = z.infer<typeof claimPaymentSchema>;

/** A claim that had an ID before another one. */
const earlierClaimSchema = z.object({
  number: z.string().nullable(),
  memberId: z.int().nullable(),
  payments: z.array(claimPaymentSchema),
});
export type EarlierClaim = z.infer<typeof earlierClaimSchema>;

/**
 * What confirming the decision from before a change gives for the claim as it is now, in ten-thousandths of a dollar; with
 * `outcome` null its state alone. `declinedBefore` is known of a partly eligible decision. `refused`: why a partly eligible
 * one cannot be confirmed.
 */
const keptDecisionSchema = z.object({
  outcome: z.enum(reviewOutcomes).nullable(),
  eligible: z.int().nullable(),
  declined: z.int().nullable(),
  declinedBefore: z.int().nullable(),
  refused: z.enum(['notKnown', 'tooMuch']).nullable(),
});

/** One of several decisions on a claim whose authors had not seen each other's. */
export const madeDecisionSchema = z.object({
  /** ID of its event. */
  id: z.string(),
  author: z.string(),
  at: z.string(),
  decision: decisionSchema,
  /** What it makes eligible; null: not known, or what the rules give. */
  eligible: z.int().nullable(),
});

export type MadeDecision = z.infer<typeof madeDecisionSchema>;

/** The review of one claim. */
const chainSchema = z.object({
  role: z.enum(chainRoles),
  by: z.int().nullable(),
  isShown: z.boolean(),
  replaces: z.boolean(),
  eligible: z.int().nullable(),
  disputed: z.int().nullable(),
  reimbursed: z.int(),
  writtenOff: z.int(),
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
  /** Time of the current decision; null: none yet. */
  reviewedAt: z.string().nullable(),
  reviewedBy: z.string().nullable(),
  receipt: reviewedReceiptSchema.nullable(),
  /** When a change of the claim since that decision was found; null once the claim is reviewed again. */
  changedAt: z.string().nullable(),
  /** Set with `changedAt`, where a decision was made. */
  ifKept: keptDecisionSchema.nullable(),
  /** The person whose computer found that a newer record changed, which this computer doesn't have, and when; null: nobody. */
  foundBy: z.object({ author: z.string(), at: z.string() }).nullable(),
  /**
   * Set where the claim here is an older record than the one that was reviewed or that reopened the review. Both are
   * times of the service: of the last change of each record or, where these are unknown or equal, up to when each was
   * read.
   */
  olderRecord: z.object({ here: z.string().nullable(), reviewed: z.string() }).nullable(),
  /**
   * Differences between the claim as reviewed and its newest known record; `noted` ones are included also where the
   * review was not reopened.
   */
  changes: z.array(reviewedChangeSchema),
  duplicates: z.array(z.object({ otherClaimId: z.int(), isDuplicate: z.boolean(), at: z.string() })),
  payments: z.array(claimPaymentSchema),
  /** The other claims that had the ID before: their carrier's number, and their payments, which do not count for this one. */
  earlier: z.array(earlierClaimSchema),
  /** In the order in which they were made. */
  runs: z.array(claimRunSchema),
  /** In a team: decisions of different people that differ; the last of them counts. Empty where there are none. */
  decidedTwice: z.array(madeDecisionSchema),
  /** In a team: events with payments that two people recorded, and the amount at stake; null: none. */
  paidTwice: z.object({ stake: z.int(), paymentIds: z.array(z.string()) }).nullable(),
  /** It belongs to the current decision, as `cause` does. */
  partly: partlyEligibleSchema.nullable(),
  cause: z.string().nullable(),
  /**
   * Ten-thousandths of a dollar; for a person's own records. Null: not known from the claim. `eligible` is as decided,
   * or by the rules where nobody decided; `byRules` is the sum of `eligible`, `declined` and `disputed`. `reimbursed` is of
   * this claim alone, `open` and `owed` of its chain (`decideAmounts`).
   */
  byRules: z.int().nullable(),
  /** Why the rules give that amount now; null where the claim is not on this computer. */
  basis: eligibleBasisSchema.nullable(),
  eligible: z.int().nullable(),
  declined: z.int().nullable(),
  disputed: z.int().nullable(),
  reimbursed: z.int(),
  writtenOff: z.int(),
  open: z.int().nullable(),
  owed: z.int().nullable(),
  /** Its chain (`chain-balance.ts`), with the other claims of it; null: it stands by itself. */
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
 * The result of an act. `leftOut` claims changed, or were reviewed or removed, between making the selection and the act.
 * `notKnown` ones were left out because a partly eligible decision gives no amount for them: the rules give none or,
 * where an earlier decision is confirmed, less than that decision. `needsSecond` ones were left out because they would
 * break the team's two-person rule.
 */
export const reviewDoneSchema = z.object({
  /** Null: no claim was left for the act. */
  eventId: z.string().nullable(),
  claims: z.int(),
  leftOut: z.array(z.int()),
  notKnown: z.array(z.int()),
  needsSecond: z.array(z.int()),
});
export type ReviewDone = z.infer<typeof reviewDoneSchema>;

/**
 * A payment that a team's two-person rule does not allow: the rule's amount, by how much the payments of one person would
 * exceed it, in ten-thousandths of a dollar, and who decided the claim.
 */
export const brokenRuleSchema = z.object({ above: z.int(), over: z.int(), decidedBy: z.string() });
export type BrokenRule = z.infer<typeof brokenRuleSchema>;

/**
 * The result of importing a reviews file. The file is not signed: its authors are as whoever wrote it says.
 */
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
  /** What was added, by author; the author with most events first. */
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
  /** Claims that events of this computer lack, since records were removed or repaired; they were left out. */
  ownClaimsLeftOut: z.int(),
});
export type ReviewImport = z.infer<typeof reviewImportSchema>;
