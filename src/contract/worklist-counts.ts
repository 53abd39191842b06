import { z } from 'zod';
import { addDays } from '../rules/days.ts';
import { deadlineKinds } from '../rules/plans/deadlines.ts';
import { amountSchema, listQuerySchema, rowSchema } from '../rules/query.ts';
import { reviewOutcomes } from '../rules/review/decision.ts';
import { duplicatePairSchema, feedWarningSchema } from '../rules/review/duplicates.ts';
import { claimPaymentSchema } from '../rules/review/review-parts.ts';
import { worklistIds } from '../rules/worklists/worklist-table.ts';
import type { CarrierConnection } from './carrier-connections.ts';
import { peopleReportSchema, periodSchema } from './people-report.ts';
import { done, inEngine, withFacts, withoutRecords, withRecords, workspaceRef } from './procedure-parts.ts';

/** Counts of all worklists as of one day of this computer's calendar. */
const worklistCountsSchema = z.object({
  /** `YYYY-MM-DD`. */
  day: z.string(),
  /** False while changed claims are still to be processed; `worklists:changed` follows. */
  isCurrent: z.boolean(),
  /** False until a sync has read all claims once: those that came before are in no worklist yet. Not older than the counts. */
  hasReadAll: z.boolean(),
  worklists: z.array(
    z.object({
      id: z.enum(worklistIds),
      claims: z.int(),
      /**
       * The sum of the worklist's amount (`worklistTable`) over these claims, in ten-thousandths of a dollar, and its
       * name.
       */
      amount: amountSchema,
      amountLabel: z.string(),
      /**
       * Claims for which the amount is not known, so that the sum leaves them out. Null where the worklist is sorted by
       * another column, because they are not counted then.
       */
      notKnown: z.int().nullable(),
      /** Amounts that can't be numbers, so that the sum leaves them out; absent where there are none. */
      notCounted: z.int().optional(),
    }),
  ),
  /** Carrier connections with a login problem, or without new claims for 60 days. */
  connections: z.int(),
  feedWarning: feedWarningSchema.nullable(),
  /**
   * The claims whose open amount an update changed by their chains (`facts.chain_moved`), and by how much in
   * all, in ten-thousandths of a dollar. Null: none, or the user has seen it (`worklists:dismissMoved`).
   */
  moved: z.object({ claims: z.int(), amount: z.int() }).nullable(),
});
export type WorklistCounts = z.infer<typeof worklistCountsSchema>;

/**
 * Why a claim is in a worklist: the values from which `sayReason` makes a sentence. A duplicate also has
 * `$equalClaims`.
 */
const worklistReasonSchema = z.object({ id: z.enum(worklistIds), values: rowSchema });
export type WorklistReason = z.infer<typeof worklistReasonSchema>;

/** Whether a carrier connection has a login problem, or no new claim for 60 days, on a day (`YYYY-MM-DD`). */
export function needsAttention(
  connection: Pick<CarrierConnection, 'severity' | 'newestClaimOn' | 'lastSuccessAt' | 'createdAt'>,
  day: string,
): boolean {
  const { severity, newestClaimOn, lastSuccessAt, createdAt } = connection;
  if (severity === 'critical' || severity === 'warning') return true;
  const newest = (newestClaimOn ?? lastSuccessAt ?? createdAt)?.slice(0, 10);
  return newest !== undefined && newest < (addDays(day, -60) ?? day);
}

/** A sum in ten-thousandths of a dollar, and the number of claims that it adds up. */
const countedAmountSchema = z.object({ claims: z.int(), amount: z.int() });

/** Sums of reviews in ten-thousandths of a dollar, for the user's own records. */
const reviewReportSchema = z.object({
  /**
   * The claims by day of the decision (`YYYY-MM-DD` on this computer) and outcome; a claim counts on each day
   * on which it was done. `reopened`: claims that a sync changed after that.
   */
  done: z.array(
    z.object({
      day: z.string(),
      outcome: z.enum(reviewOutcomes),
      claims: z.int(),
      reopened: z.int(),
    }),
  ),
  /** The outcomes that rules decided by themselves, without those `undone`, in each calendar month of the last 12 (`YYYY-MM`), the newest month first. */
  byRules: z.array(
    z.object({
      month: z.string(),
      ruleId: z.string(),
      name: z.string(),
      decided: z.int(),
      undone: z.int(),
      overturned: z.int(),
      checked: z.int(),
      checkAgreed: z.int(),
    }),
  ),
  /**
   * Includes claims that the service still returns, and other claims that have payments. Each sum has its own number of
   * claims.
   */
  reimbursed: z.array(
    z.object({
      /** Null: claims without an employer, or without a plan year. With these rows the report adds up to the list. */
      employerId: z.int().nullable(),
      planYear: z.string().nullable(),
      claims: z.int(),
      decided: countedAmountSchema,
      /** Eligible by the rules, of claims without a decision. */
      undecided: countedAmountSchema,
      declined: countedAmountSchema,
      disputed: countedAmountSchema,
      reimbursed: countedAmountSchema,
      /**
       * Claims whose eligible, declined or disputed amount is not known: they count in `claims`, but sums leave the
       * unknown amounts out.
       */
      notKnown: z.int(),
    }),
  ),
});
export type ReviewReport = z.infer<typeof reviewReportSchema>;

/** The sums that members owe back on their claims (`facts.owed`), in ten-thousandths of a dollar. */
const owedSchema = z.object({ claims: z.int(), owed: z.int() });
const owedMemberSchema = owedSchema.extend({
  /** Null: claims without a member. */
  memberId: z.int().nullable(),
  name: z.string().nullable(),
  employer: z.string().nullable(),
});
export type OwedMember = z.infer<typeof owedMemberSchema>;

/** A member's claim of which something is owed, or was repaid, offset, reversed or written off, with all of that. */
const ledgerClaimSchema = z.object({
  claimId: z.int(),
  number: z.string().nullable(),
  /** It is a claim that had the ID before another one: its payments are owed by no one. */
  isEarlier: z.boolean(),
  /** The claim is no longer in the service. */
  isMissing: z.boolean(),
  /** Eligible now, what is disputed included; null: not known. */
  eligible: z.int().nullable(),
  reimbursed: z.int(),
  writtenOff: z.int(),
  /** The value of `facts.owed`. */
  owed: z.int().nullable(),
  payments: z.array(claimPaymentSchema),
});
export type LedgerClaim = z.infer<typeof ledgerClaimSchema>;

const claimRef = workspaceRef.extend({ claimId: z.int() });

/** The position of a row in an open list, from 0. */
const placeSchema = z.object({ snapshotId: z.string(), at: z.int().min(0) });

/** Worklists and duplicates. The rows of a worklist are read as a list of claims: `worklistQuery`. */
export const worklistProcedures = {
  'worklists:counts': inEngine(workspaceRef, worklistCountsSchema, withRecords),
  /** Waits until the worklists are up to date with the records, reviews, settings and day. */
  'worklists:update': inEngine(workspaceRef, done, withFacts),
  /** Ends `moved` of the counts. */
  'worklists:dismissMoved': inEngine(workspaceRef, done, withoutRecords),
  /** Waits as `worklists:update` does. */
  'worklists:report': inEngine(workspaceRef, reviewReportSchema, withFacts),
  /**
   * The open amount of a list's claims, which a decision commits to, and for how many of them it is not known. Waits
   * as `worklists:update`.
   */
  'worklists:open': inEngine(
    workspaceRef.extend({ query: listQuerySchema.omit({ sort: true }) }),
    z.object({ open: amountSchema.nullable(), notKnown: z.int() }),
    withFacts,
  ),
  /** Members who owe back, the largest balance first, at most `limit`, and the sums of all. Waits as `worklists:update`. */
  'worklists:owed': inEngine(
    workspaceRef.extend({ limit: z.int().min(0).max(1000) }),
    z.object({ members: z.array(owedMemberSchema), all: owedSchema.extend({ members: z.int() }) }),
    withFacts,
  ),
  /** The ledger of a member; `owed` is the sum of its claims. Waits as `worklists:update`. */
  'worklists:ledger': inEngine(
    workspaceRef.extend({ memberId: z.int() }),
    z.object({ claims: z.array(ledgerClaimSchema), owed: z.int() }),
    withFacts,
  ),
  /** Returns the report by person, only in a workspace with a team. It waits as `worklists:update` does. */
  'worklists:reportPeople': inEngine(
    workspaceRef.extend({ period: periodSchema }),
    peopleReportSchema,
    withFacts,
  ),
  'worklists:why': inEngine(
    claimRef,
    z.object({
      worklists: z.array(worklistReasonSchema),
      /** The claim's next deadline, and the number of days of its rule (`sayDeadlineRule`); null: there is none. */
      deadline: z.object({ kind: z.enum(deadlineKinds), day: z.string(), days: z.int() }).nullable(),
    }),
    withFacts,
  ),
  /**
   * Saves an iCalendar file with the next deadlines of claims from today on: how many claims, by day, deadline and
   * employer. `over`: claims over their time to decide, which are left out.
   *
   * @throws DeskError `export.*`
   */
  'worklists:saveCalendar': inEngine(
    workspaceRef.extend({ targetId: z.string() }),
    z.object({ days: z.int(), claims: z.int(), over: z.int() }),
    withFacts,
  ),
  /**
   * The claims related to this one: duplicates, the largest amount payable twice first, and then adjustments. `place`
   * is the position of the claim in an open list.
   */
  'duplicates:of': inEngine(
    claimRef.extend({ place: placeSchema.optional() }),
    z.object({
      pairs: z.array(duplicatePairSchema),
      /** Number of further pairs, which are left out. */
      more: z.int(),
      /**
       * Number of claims of the same person and days, where the claim was compared with the nearest of them only; else
       * null.
       */
      nearestOf: z.int().nullable(),
    }),
    withFacts,
  ),
  /**
   * Finds the next (`step` 1) or previous (-1) claim of an open list, from `place` on, with a pair that no
   * claim before it in the list has, so that each pair is shown once. `isOpen`: only undecided pairs.
   *
   * @throws DeskError `snapshot.expired`
   */
  'duplicates:findStop': inEngine(
    workspaceRef.extend({ place: placeSchema, step: z.literal([1, -1]), isOpen: z.boolean() }),
    z.object({ stop: z.object({ claimId: z.int(), at: z.int() }).nullable() }),
    withFacts,
  ),
} as const;
