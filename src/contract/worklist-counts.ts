import { z } from 'zod';
import type { CarrierConnection } from './carrier-connections.ts';
import { addDays } from './days.ts';
import { duplicatePairSchema, feedWarningSchema } from './duplicates.ts';
import { done, inEngine, workspaceRef } from './procedure-parts.ts';
import { amountSchema, cellSchema, conditionSchema } from './query.ts';
import { reviewOutcomes } from './review.ts';
import { worklistIds } from './worklist-table.ts';

/** Counts of all worklists as of one day of this computer's calendar. */
export const worklistCountsSchema = z.object({
  /** `YYYY-MM-DD`. */
  day: z.string(),
  /** False while claims that changed wait to be looked at; `worklists:changed` follows. */
  isCurrent: z.boolean(),
  worklists: z.array(
    z.object({
      id: z.enum(worklistIds),
      claims: z.int(),
      /** The worklist's amount (`worklistTable`) of these claims together, in ten-thousandths of a dollar, and its name. */
      amount: amountSchema,
      amountLabel: z.string(),
      /** Those of which it is not known: they add nothing. Null where the worklist is in another order and nobody counts them. */
      notKnown: z.int().nullable(),
      /** Amounts that can't be numbers, which the sum leaves out; absent where there are none. */
      notCounted: z.int().optional(),
    }),
  ),
  /** Of the pending claims, those of at least so many days. */
  pending: z.object({ days30: z.int(), days60: z.int(), days90: z.int() }),
  /** Carrier connections with a login problem, or without new claims for 60 days. */
  connections: z.int(),
  feedWarning: feedWarningSchema.nullable(),
});
export type WorklistCounts = z.infer<typeof worklistCountsSchema>;

/** Why a claim is in a worklist: each condition of the worklist, in words, with what the claim has. */
export const worklistReasonSchema = z.object({
  id: z.enum(worklistIds),
  terms: z.array(z.object({ condition: conditionSchema, label: z.string(), value: cellSchema })),
});
export type WorklistReason = z.infer<typeof worklistReasonSchema>;

/** True of a carrier connection with a login problem, or without a new claim for 60 days, on a day (`YYYY-MM-DD`). */
export function needsAttention(
  connection: Pick<CarrierConnection, 'severity' | 'newestClaimOn' | 'lastSuccessAt' | 'createdAt'>,
  day: string,
): boolean {
  const { severity, newestClaimOn, lastSuccessAt, createdAt } = connection;
  if (severity === 'critical' || severity === 'warning') return true;
  const newest = (newestClaimOn ?? lastSuccessAt ?? createdAt)?.slice(0, 10);
  return newest !== undefined && newest < (addDays(day, -60) ?? day);
}

/** A sum in ten-thousandths of a dollar, and how many claims have a part in it. */
const countedAmountSchema = z.object({ claims: z.int(), amount: z.int() });

/** Sums of reviews; amounts in ten-thousandths of a dollar, and for your records. */
export const reviewReportSchema = z.object({
  /**
   * By day of the decision (`YYYY-MM-DD`, of this computer) and outcome; a claim counts on each day on which it was
   * done. `reopened`: a sync changed the claim after that.
   */
  done: z.array(
    z.object({
      day: z.string(),
      outcome: z.enum(reviewOutcomes),
      claims: z.int(),
      reopened: z.int(),
    }),
  ),
  /** Of claims that the service still returns, and of payments of others as well. Each sum is of the claims beside it. */
  reimbursed: z.array(
    z.object({
      employerId: z.int(),
      planYear: z.string(),
      claims: z.int(),
      /** Eligible as decided. */
      decided: countedAmountSchema,
      /** Not decided yet: eligible by the rules. */
      undecided: countedAmountSchema,
      declined: countedAmountSchema,
      disputed: countedAmountSchema,
      reimbursed: countedAmountSchema,
      /** Claims whose eligible, declined or disputed amount is not known: in `claims`, and in no sum that it is missing from. */
      notKnown: z.int(),
    }),
  ),
});
export type ReviewReport = z.infer<typeof reviewReportSchema>;

const claimRef = workspaceRef.extend({ claimId: z.int() });

/** A row of an open list, from 0. */
const placeSchema = z.object({ snapshotId: z.string(), at: z.int().min(0) });

/** Worklists and duplicates. A worklist's rows are a list of claims: `worklistQuery`. */
export const worklistProcedures = {
  'worklists:counts': inEngine(workspaceRef, worklistCountsSchema),
  /** Waits until the worklists are those of the records, reviews, settings and day of now. */
  'worklists:update': inEngine(workspaceRef, done),
  /** Waits for `worklists:update`. */
  'worklists:report': inEngine(workspaceRef, reviewReportSchema),
  /** The worklists that a claim is in, and why. */
  'worklists:why': inEngine(claimRef, z.object({ worklists: z.array(worklistReasonSchema) })),
  /**
   * The claims that relate to this one, side by side: duplicates, what is payable twice first, and then adjustments.
   * `place` is where the claim is in an open list.
   */
  'duplicates:of': inEngine(
    claimRef.extend({ place: placeSchema.optional() }),
    z.object({
      pairs: z.array(duplicatePairSchema),
      /** Pairs that are left out, since there are too many. */
      more: z.int(),
      /** How many claims share its days, where it was compared with the nearest of them only. */
      nearestOf: z.int().nullable(),
    }),
  ),
  /**
   * The nearest claim of an open list, from `place` on, with a pair that no claim before it in the list has: each pair is
   * met once, from whichever claim. `isOpen`: a pair that waits to be judged.
   *
   * @throws DeskError `snapshot.expired`
   */
  'duplicates:findStop': inEngine(
    workspaceRef.extend({ place: placeSchema, step: z.literal([1, -1]), isOpen: z.boolean() }),
    z.object({ stop: z.object({ claimId: z.int(), at: z.int() }).nullable() }),
  ),
} as const;
