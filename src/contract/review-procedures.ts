import { z } from 'zod';
import { inEngine, pageRef, workspaceRef } from './procedure-parts.ts';
import { amountSchema, totalsSchema } from './query.ts';
import { paymentKinds } from './reimbursement.ts';
import {
  claimGroups,
  claimReviewSchema,
  partlyEligibleSchema,
  paymentRowSchema,
  reviewActSchema,
  reviewDoneSchema,
  reviewEventSchema,
  reviewImportSchema,
  reviewTargetSchema,
} from './review.ts';

/** Bytes of a reviews file that one call brings; a larger file comes in parts of this size. */
export const filePartBytes = 8_000_000;
const filePart = z.base64().max(11_000_000);

/** Reviews of claims: what a person decided, with its history. Nothing is ever changed; everything is appended. */
export const reviewProcedures = {
  'reviews:get': inEngine(workspaceRef.extend({ claimId: z.int() }), claimReviewSchema),
  /** Newest first; of one claim, or of all. */
  'reviews:listEvents': inEngine(
    workspaceRef.extend({
      claimId: z.int().optional(),
      ...pageRef.shape,
    }),
    z.object({ events: z.array(reviewEventSchema), total: z.int() }),
  ),
  /** One act on one claim or on many, as one event. */
  'reviews:act': inEngine(
    workspaceRef.extend({
      target: reviewTargetSchema,
      act: reviewActSchema,
    }),
    reviewDoneSchema,
  ),
  /**
   * Freezes which claims an act is about to change, with counts and sums for the person to confirm, by group. `list`: a
   * list of claims (`records:begin`), or ranges of its places, both ends included. `acceptable`: what changed since its
   * review while patient responsibility, status and patient stayed the same. Good until ten others were made.
   */
  'reviews:freeze': inEngine(
    workspaceRef.extend({
      from: z.discriminatedUnion('kind', [
        z.object({
          kind: z.literal('list'),
          snapshotId: z.string(),
          places: z
            .array(z.tuple([z.int().min(0), z.int().min(0)]))
            .min(1)
            .max(5000)
            .optional(),
        }),
        z.object({ kind: z.literal('acceptable') }),
      ]),
    }),
    z.object({
      selectionId: z.string(),
      claims: z.int(),
      /** Those that have a claim. */
      groups: z.array(z.object({ group: z.enum(claimGroups), totals: totalsSchema })),
    }),
  ),
  /**
   * What a rule of a partly eligible decision would come to for the claims of a selection, beside what the rules give of
   * the same claims; `notKnown` are how many of them it gives no amount for.
   */
  'reviews:estimate': inEngine(
    workspaceRef.extend({
      selectionId: z.string().max(60),
      groups: z.array(z.enum(claimGroups)).optional(),
      partly: partlyEligibleSchema,
    }),
    z.object({ eligible: amountSchema, byRules: amountSchema, notKnown: z.int() }),
  ),
  /** The newest act on this computer that is not undone, of all or of those that concern one claim; null: none. */
  'reviews:getUndo': inEngine(
    workspaceRef.extend({ claimId: z.int().optional() }),
    z.object({ event: reviewEventSchema.nullable() }),
  ),
  /** Appends that an event does not count any more. */
  'reviews:undo': inEngine(workspaceRef.extend({ eventId: z.string().max(60) }), reviewDoneSchema),

  /**
   * Reads payments from a CSV file with the columns claim (ID or number), amount and date, and finds their claims.
   * Records nothing: that is `reviews:recordPayments` with the selection.
   */
  'reviews:readPayments': inEngine(
    workspaceRef.extend({
      csv: z.string().max(20_000_000),
      payment: z.enum(paymentKinds),
      account: z.string().trim().max(200).optional(),
    }),
    z.object({
      selectionId: z.string(),
      payments: z.int(),
      claims: z.int(),
      /** Ten-thousandths of a dollar. */
      amount: z.int(),
      unmatched: z.array(paymentRowSchema),
    }),
  ),
  'reviews:recordPayments': inEngine(
    workspaceRef.extend({ selectionId: z.string().max(60) }),
    reviewDoneSchema,
  ),

  /** Writes all reviews of the workspace as one file that only the passphrase opens. */
  'reviews:export': inEngine(
    workspaceRef.extend({ passphrase: z.string().min(1).max(1000), targetId: z.string() }),
    z.object({ events: z.int(), claims: z.int() }),
  ),
  /**
   * Keeps a part of a reviews file until `reviews:import`; without `uploadId` it is the first one, and what was kept of
   * another file is dropped.
   */
  'reviews:addFilePart': inEngine(
    workspaceRef.extend({ uploadId: z.string().max(60).optional(), part: filePart }),
    z.object({ uploadId: z.string() }),
  ),
  /**
   * Adds the events of such a file to those that are here; the newest event decides. `file`: the whole file, or its last
   * part, where `uploadId` has those before.
   */
  'reviews:import': inEngine(
    workspaceRef.extend({
      uploadId: z.string().max(60).optional(),
      file: filePart,
      passphrase: z.string().min(1).max(1000),
    }),
    reviewImportSchema,
  ),
} as const;
