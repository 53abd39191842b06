import { z } from 'zod';
import { incomingFileSchema, unusedRowSchema } from '../rules/review/file-rows.ts';
import { claimGroups, reviewDoneSchema } from '../rules/review/review.ts';
import { runStates } from '../rules/review/run-facts.ts';
import { runLayoutSchema } from '../rules/review/run-layout.ts';
import { inEngine, withRecords, workspaceRef } from './procedure-parts.ts';

/** Claims and their sum, in ten-thousandths of a dollar. */
const sumSchema = z.object({ claims: z.int(), amount: z.int() });
export type RunSum = z.infer<typeof sumSchema>;

/** The sums of a run by employer, and by member, largest first. Null: the claim has none. */
const totalsSchema = sumSchema.extend({
  employers: z.array(sumSchema.extend({ employerId: z.int().nullable(), name: z.string().nullable() })),
  members: z.array(
    sumSchema.extend({
      memberId: z.int().nullable(),
      name: z.string().nullable(),
      employer: z.string().nullable(),
    }),
  ),
});
export type RunTotals = z.infer<typeof totalsSchema>;

/** The reasons why a claim can't be added to a run. */
export const leftOutReasons = [
  'notDecided',
  'notKnown',
  'nothingOpen',
  'inRun',
  'awaitsCorrection',
  'notStanding',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/**
 * The changes of a claim since it was added to an open run: it is gone from the service or from this
 * computer, its decision no longer counts, its open amount differs, or it no longer counts in its chain.
 */
const runMarks = ['removed', 'missing', 'reopened', 'amount', 'notStanding'] as const;
export type RunMark = (typeof runMarks)[number];

/** How far a run is: the state of those of its claims that are least far; `empty`: all of them left it. */
const wholeStates = ['made', 'checked', 'sent', 'recorded', 'empty'] as const;

const runSchema = z.object({
  id: z.string(),
  name: z.string(),
  account: z.string(),
  /** It holds what differs from what was sent. */
  corrections: z.boolean(),
  at: z.string(),
  author: z.string(),
  state: z.enum(wholeStates),
  /** Its claims, without those that left it. */
  claims: z.int(),
  amount: z.int(),
  /** When it was made; differs where claims left it, were in another run or were removed from this computer. */
  made: sumSchema,
  byState: z.array(sumSchema.extend({ state: z.enum(runStates) })),
});
export type Run = z.infer<typeof runSchema>;

/** At most this many claims are listed with why they are marked or left out. */
export const maxListed = 500;

const stepSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('check') }),
  z.object({
    kind: z.literal('send'),
    /** The employer whose claims were sent; null: claims without one; absent: all. */
    employerId: z.int().nullable().optional(),
    file: z.object({ name: z.string().max(255), sha256: z.string().max(64) }).nullable(),
  }),
  /** Marks the claims that were sent as reimbursed on this day, each with its amount in the run. */
  z.object({ kind: z.literal('record'), day: z.iso.date() }),
  z.object({
    kind: z.literal('leaveOut'),
    claimIds: z.array(z.int()).min(1).max(1000),
    reason: z.string().trim().min(1).max(1000),
  }),
  /** Undoes the last step; of a run without a step, undoes the run itself. */
  z.object({ kind: z.literal('back'), reason: z.string().trim().min(1).max(1000) }),
]);
export type RunStep = z.infer<typeof stepSchema>;

/** A claim that the payer rejected, and why. */
const rejectionSchema = z.object({
  claimId: z.int(),
  member: z.string().nullable(),
  amount: z.int(),
  reason: z.string(),
});
export type Rejection = z.infer<typeof rejectionSchema>;

const runRef = workspaceRef.extend({ runId: z.string().max(60) });
const selectionRef = workspaceRef.extend({
  selectionId: z.string().max(60),
  groups: z.array(z.enum(claimGroups)).optional(),
});

/** Reimbursement runs: claims with an open amount, gathered to be paid elsewhere. They move no money. */
export const runProcedures = {
  /**
   * Estimates a run of the claims of a selection (`reviews:freeze`), and which claims it would leave out;
   * `corrections` as in `runs:make`.
   */
  'runs:estimate': inEngine(
    selectionRef.extend({ corrections: z.boolean().optional() }),
    totalsSchema.extend({
      /** Amounts owed back by its members, at most what the run pays each, which it can deduct. */
      offsets: sumSchema,
      leftOut: z.array(z.object({ reason: z.enum(leftOutReasons), claims: z.int() })),
      /** The first `maxListed` of them; with `inRun`, the name of that run. */
      listed: z.array(
        z.object({ claimId: z.int(), reason: z.enum(leftOutReasons), run: z.string().optional() }),
      ),
    }),
    withRecords,
  ),
  /**
   * Makes a run as one event, whose ID is that of the run. `offsets`: it pays members less by what they owe back. `corrections`: each
   * claim of the selection has what differs from what was sent of it in earlier runs, also below zero (`findDifference`).
   */
  'runs:make': inEngine(
    selectionRef.extend({
      name: z.string().trim().min(1).max(80),
      account: z.string().trim().max(200),
      offsets: z.boolean(),
      corrections: z.boolean().optional(),
    }),
    reviewDoneSchema.extend({ amount: z.int() }),
    withRecords,
  ),
  /** The newest first. */
  'runs:list': inEngine(workspaceRef, z.object({ runs: z.array(runSchema) }), withRecords),
  'runs:get': inEngine(
    runRef,
    runSchema.extend({
      totals: totalsSchema,
      /** Its claims that changed since it was made, and how many there are. */
      marked: z.int(),
      listed: z.array(
        z.object({
          claimId: z.int(),
          amount: z.int(),
          mark: z.enum(runMarks),
          /** The amount that is open now; null: unknown. */
          open: z.int().nullable(),
        }),
      ),
      /** The number of claims that the payer rejected, and the first `maxListed` of them. */
      rejected: z.int(),
      rejections: z.array(rejectionSchema),
      /** The steps that count, oldest first. */
      steps: z.array(
        z.object({
          eventId: z.string(),
          kind: z.enum(['run', 'runChecked', 'runSent', 'payment', 'runLeft']),
          at: z.string(),
          author: z.string(),
          claims: z.int(),
          file: z.object({ name: z.string(), sha256: z.string() }).nullable(),
          reason: z.string().nullable(),
        }),
      ),
    }),
    withRecords,
  ),
  /** `acceptsMarked`: how many claims that changed since the run was made the person has seen; more of them stop the step. */
  'runs:step': inEngine(
    runRef.extend({ step: stepSchema, acceptsMarked: z.int().min(0).optional() }),
    reviewDoneSchema,
    withRecords,
  ),
  /** The first rows of the file by a layout, as text; `rows` counts all. */
  'runs:preview': inEngine(
    runRef.extend({ employerId: z.int().nullable().optional(), layout: runLayoutSchema }),
    z.object({ rows: z.int(), first: z.array(z.array(z.string())) }),
    withRecords,
  ),
  /**
   * Reads the payer's answer from a CSV file or a workbook with the columns claim (ID or number) or member
   * (ID or key), and employer, amount, result and reason where there are any. With `employerId`, it covers
   * only what was sent for this employer. Records nothing; `runs:applyResults` does.
   */
  'runs:readResults': inEngine(
    runRef.extend({ file: incomingFileSchema, employerId: z.int().nullable().optional() }),
    z.object({
      selectionId: z.string(),
      /** The file has no column with results: the user is asked whether all of its rows, listed in `paid`, are paid. */
      asksAllPaid: z.boolean(),
      rows: z.int(),
      paid: sumSchema,
      rejected: sumSchema,
      /** The first `maxListed` of the rejected ones, with the reason in the file. */
      rejections: z.array(rejectionSchema),
      /** Claims of the run that were sent, without a row in the file. */
      without: sumSchema,
      unmatched: z.array(unusedRowSchema),
    }),
    withRecords,
  ),
  /**
   * Rejected claims leave the run. With a `day`, paid ones are recorded as reimbursed. `allPaid`: the answer to `asksAllPaid`.
   */
  'runs:applyResults': inEngine(
    workspaceRef.extend({
      selectionId: z.string().max(60),
      day: z.iso.date().nullable(),
      allPaid: z.boolean().optional(),
    }),
    z.object({ rejected: reviewDoneSchema, recorded: reviewDoneSchema }),
    withRecords,
  ),
} as const;
