import { z } from 'zod';
import type { ConnectionView } from './connect-views.ts';
import { addDays } from './days.ts';
import { duplicatePairSchema, feedWarningSchema } from './duplicates.ts';
import { amountSchema, cellSchema, conditionSchema } from './query.ts';
import { reviewOutcomes } from './review.ts';

/** Worklists of claims, in the order in which they are shown. */
export const worklistIds = [
  'new',
  'changed',
  'ready',
  'changedAfterReimbursement',
  'back',
  'waiting',
  'escalated',
  'denied',
  'pending',
  'notSubstantiated',
  'noSplit',
  'amountsDisagree',
  'otherInsurance',
  'highCost',
  'duplicates',
  'runOut',
  'qualityCheck',
] as const;
export type WorklistId = (typeof worklistIds)[number];

/** Counts of all worklists as of one day of this computer's calendar. */
export const worklistCountsSchema = z.object({
  /** `YYYY-MM-DD`. */
  day: z.string(),
  /** False while claims that changed wait to be looked at; `worklists:changed` follows. */
  isCurrent: z.boolean(),
  worklists: z.array(
    z.object({
      id: z.enum(worklistIds),
      claims: z.number().int(),
      /** Patient responsibility of these claims together, in ten-thousandths of a dollar. */
      patientResponsibility: amountSchema,
    }),
  ),
  /** Of the pending claims, those of at least so many days. */
  pending: z.object({ days30: z.number().int(), days60: z.number().int(), days90: z.number().int() }),
  /** Carrier connections with a login problem, or without new claims for 60 days. */
  connections: z.number().int(),
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
  connection: Pick<ConnectionView, 'severity' | 'newestClaimOn' | 'lastSuccessAt' | 'createdAt'>,
  day: string,
): boolean {
  const { severity, newestClaimOn, lastSuccessAt, createdAt } = connection;
  if (severity === 'critical' || severity === 'warning') return true;
  const newest = (newestClaimOn ?? lastSuccessAt ?? createdAt)?.slice(0, 10);
  return newest !== undefined && newest < (addDays(day, -60) ?? day);
}

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
      claims: z.number().int(),
      reopened: z.number().int(),
    }),
  ),
  reimbursed: z.array(
    z.object({
      employerId: z.number().int(),
      planYear: z.string(),
      claims: z.number().int(),
      eligible: z.number().int(),
      reimbursed: z.number().int(),
    }),
  ),
});
export type ReviewReport = z.infer<typeof reviewReportSchema>;

const claimRef = z.object({ workspaceId: z.string(), claimId: z.number().int() });

/** Worklists and duplicates. A worklist's rows are a list of claims: `worklistQuery`. */
export const worklistProcedures = {
  'worklists:counts': {
    answeredBy: 'engine',
    input: z.object({ workspaceId: z.string() }),
    output: worklistCountsSchema,
  },
  /** Waits until the worklists are those of the records, reviews, settings and day of now. */
  'worklists:update': {
    answeredBy: 'engine',
    input: z.object({ workspaceId: z.string() }),
    output: z.object({ isDone: z.literal(true) }),
  },
  /** Waits for `worklists:update`. */
  'worklists:report': {
    answeredBy: 'engine',
    input: z.object({ workspaceId: z.string() }),
    output: reviewReportSchema,
  },
  /** The worklists that a claim is in, and why. */
  'worklists:why': {
    answeredBy: 'engine',
    input: claimRef,
    output: z.object({ worklists: z.array(worklistReasonSchema) }),
  },
  /**
   * The claims that relate to this one, side by side: duplicates, what the patient would pay twice first, and then
   * adjustments.
   */
  'duplicates:of': {
    answeredBy: 'engine',
    input: claimRef,
    output: z.object({ pairs: z.array(duplicatePairSchema) }),
  },
} as const;
