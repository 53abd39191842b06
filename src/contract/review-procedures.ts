import { z } from 'zod';
import { paymentKinds } from '../rules/money/reimbursement.ts';
import { amountSchema, totalsSchema } from '../rules/query.ts';
import { maxDealt } from '../rules/review/acts/deal.ts';
import { partlyEligibleSchema } from '../rules/review/decision.ts';
import { reviewActSchema } from '../rules/review/event-kinds.ts';
import { incomingFileSchema, unusedRowSchema } from '../rules/review/file-rows.ts';
import {
  brokenRuleSchema,
  claimGroups,
  claimReviewSchema,
  reviewDoneSchema,
  reviewEventSchema,
  reviewImportSchema,
  reviewTargetSchema,
} from '../rules/review/review.ts';
import { documentProcedures, filePart } from './document-procedures.ts';
import { paperSchema } from './papers.ts';
import { inEngine, pageRef, withFacts, withRecords, workspaceRef } from './procedure-parts.ts';

/** Reviews of claims: decisions with their history. Events are only added, never changed. */
export const reviewProcedures = {
  /** The review of a claim, or the calls of a member as its notes (`member-subject.ts`). */
  'reviews:get': inEngine(workspaceRef.extend({ claimId: z.int() }), claimReviewSchema, withRecords),
  /** Events, newest first; of one claim, or of all. */
  'reviews:listEvents': inEngine(
    workspaceRef.extend({
      claimId: z.int().optional(),
      ...pageRef.shape,
    }),
    z.object({ events: z.array(reviewEventSchema), total: z.int() }),
    withRecords,
  ),
  /** The letters about all claims, or the letters and documents of the claims of a member, the newest first. */
  'reviews:listPapers': inEngine(
    workspaceRef.extend({ memberId: z.int().optional() }),
    z.object({ papers: z.array(paperSchema), isWhole: z.boolean() }),
    withFacts,
  ),
  /** Records one act on one or many claims as one event, or on one member (`member-subject.ts`). */
  'reviews:act': inEngine(
    workspaceRef.extend({
      target: reviewTargetSchema,
      act: reviewActSchema,
      /** The person was asked about a payment that is dated before the service (`review.beforeService`), and it is right. */
      acceptsEarly: z.boolean().optional(),
    }),
    reviewDoneSchema,
    { ...withRecords, readsFacts: 'byInput' },
  ),
  /**
   * Fixes the claims that an act will change, and returns their counts and sums by group, for the user to
   * confirm. `list`: the claims of a list (`records:begin`), or of ranges of positions in it, both ends included.
   * `acceptable`: those of them that changed since their review, except in patient responsibility, status and
   * patient. The selection remains valid until ten newer ones were made.
   */
  'reviews:freeze': inEngine(
    workspaceRef.extend({
      from: z.object({
        kind: z.enum(['list', 'acceptable']),
        snapshotId: z.string(),
        places: z
          .array(z.tuple([z.int().min(0), z.int().min(0)]))
          .min(1)
          .max(5000)
          .optional(),
      }),
    }),
    z.object({
      selectionId: z.string(),
      claims: z.int(),
      /** Groups without claims are left out. */
      groups: z.array(z.object({ group: z.enum(claimGroups), totals: totalsSchema })),
    }),
    withRecords,
  ),
  /**
   * The eligible amount of the claims of a selection by a partly eligible decision, and by the rules; `notKnown` counts
   * the claims for which the decision gives no amount.
   */
  'reviews:estimate': inEngine(
    workspaceRef.extend({
      selectionId: z.string().max(60),
      groups: z.array(z.enum(claimGroups)).optional(),
      partly: partlyEligibleSchema,
    }),
    z.object({ eligible: amountSchema, byRules: amountSchema, notKnown: z.int() }),
    withRecords,
  ),
  /** Adds up what each rule proposes of the claims of a selection now, and the open amounts of these claims. */
  'reviews:estimateProposals': inEngine(
    workspaceRef.extend({ selectionId: z.string().max(60), groups: z.array(z.enum(claimGroups)).optional() }),
    z.object({
      claims: z.int(),
      byRule: z.array(
        z.object({ ruleId: z.string(), name: z.string(), claims: z.int(), open: amountSchema }),
      ),
    }),
    withFacts,
  ),
  /**
   * Estimates payments of the open amount of each claim of a selection: `amount` is the sum of `payments`.
   * Claims whose open amount is unknown (`notKnown`) or not above 0 (`nothingOpen`), or that the team's
   * two-person rule does not allow (`needsSecond`; `broken` has the first 200 of them), get none.
   */
  'reviews:estimateOpen': inEngine(
    workspaceRef.extend({ selectionId: z.string().max(60), groups: z.array(z.enum(claimGroups)).optional() }),
    z.object({
      /** The sum of all open amounts, including claims that get no payment. */
      open: amountSchema,
      payments: z.int(),
      amount: amountSchema,
      notKnown: z.int(),
      nothingOpen: z.int(),
      /** Claims of `payments` that are in an open run, which pays them as well. */
      inRun: z.int(),
      needsSecond: z.int(),
      broken: z.array(brokenRuleSchema.extend({ claimId: z.int() })),
    }),
    withRecords,
  ),
  /**
   * Deals the claims of a selection out to these people, in equal parts and as one act: each gets every nth claim in the
   * order of the list. One person gets all.
   */
  'reviews:deal': inEngine(
    workspaceRef.extend({
      selectionId: z.string().max(60),
      groups: z.array(z.enum(claimGroups)).optional(),
      owners: z.array(z.string().trim().min(1).max(200)).min(1).max(maxDealt),
    }),
    z.object({
      /** Null: no claim was left. */
      eventId: z.string().nullable(),
      /** The people who got claims. */
      dealt: z.array(z.object({ owner: z.string(), claims: z.int() })),
      /** Claims that changed in between. */
      leftOut: z.array(z.int()),
    }),
    withRecords,
  ),
  /** The newest act on this computer that was not undone; with `claimId`, of those on that claim. Null: none. */
  'reviews:getUndo': inEngine(
    workspaceRef.extend({ claimId: z.int().optional() }),
    z.object({ event: reviewEventSchema.nullable() }),
    withRecords,
  ),
  /** Appends an event that makes an earlier one no longer count. */
  'reviews:undo': inEngine(
    workspaceRef.extend({ eventId: z.string().max(60) }),
    reviewDoneSchema,
    withRecords,
  ),

  /**
   * Reads payments from a CSV file or a workbook with the columns claim (ID or number), amount and date, and finds their claims.
   * Records nothing; `reviews:recordPayments` does, with the selection.
   */
  'reviews:readPayments': inEngine(
    workspaceRef.extend({
      file: incomingFileSchema,
      payment: z.enum(paymentKinds),
      account: z.string().trim().max(200).optional(),
    }),
    z.object({
      selectionId: z.string(),
      payments: z.int(),
      claims: z.int(),
      /** Ten-thousandths of a dollar. */
      amount: z.int(),
      unmatched: z.array(unusedRowSchema),
      /** The first 200 claims of these payments that are in an open run, which pays them as well. */
      inRuns: z.array(z.object({ claimId: z.int(), run: z.string() })),
      /** Rows that are dated before the service: they are recorded only with `acceptsEarly`. The sums above are without them. */
      early: z.array(unusedRowSchema),
      /** The same sums with the rows of `early`. */
      withEarly: z.object({ payments: z.int(), claims: z.int(), amount: z.int() }),
    }),
    withRecords,
  ),
  'reviews:recordPayments': inEngine(
    workspaceRef.extend({ selectionId: z.string().max(60), acceptsEarly: z.boolean().optional() }),
    reviewDoneSchema,
    withRecords,
  ),

  /** Writes all reviews of the workspace to one file, encrypted with the passphrase. */
  'reviews:export': inEngine(
    workspaceRef.extend({ passphrase: z.string().min(1).max(1000), targetId: z.string() }),
    z.object({ events: z.int(), claims: z.int() }),
    withRecords,
  ),
  /**
   * Stores a part of a file until `reviews:import` or `documents:attach`. Without `uploadId` it is the first part, and parts of
   * another file are dropped.
   */
  'reviews:addFilePart': inEngine(
    workspaceRef.extend({ uploadId: z.string().max(60).optional(), part: filePart }),
    z.object({ uploadId: z.string() }),
    withRecords,
  ),
  /**
   * Adds the events of a reviews file to those on this computer; the newest decision on a claim counts. `file`: the
   * whole file, or its last part, where `uploadId` has the parts before.
   */
  'reviews:import': inEngine(
    workspaceRef.extend({
      uploadId: z.string().max(60).optional(),
      file: filePart,
      passphrase: z.string().min(1).max(1000),
    }),
    reviewImportSchema,
    withRecords,
  ),
  ...documentProcedures,
} as const;
