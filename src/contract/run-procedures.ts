import { z } from 'zod';
import { inEngine, workspaceRef } from './procedure-parts.ts';
import { claimGroups, reviewDoneSchema } from './review.ts';
import { runStates } from './run-facts.ts';
import { runLayoutSchema } from './run-layout.ts';

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

/** Why a claim can't be put into a run. */
export const leftOutReasons = ['notDecided', 'notKnown', 'nothingOpen', 'inRun'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/**
 * What changed of a claim since it was put into a run that is still open: it is gone from the service or from this
 * computer, its decision no longer counts, or another amount is open.
 */
export const runMarks = ['removed', 'missing', 'reopened', 'amount'] as const;
export type RunMark = (typeof runMarks)[number];

/** How far a run is: the state of those of its claims that are least far; `empty`: all of them left it. */
export const wholeStates = ['made', 'checked', 'sent', 'recorded', 'empty'] as const;

const runSchema = z.object({
  id: z.string(),
  name: z.string(),
  account: z.string(),
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
    /** Only the claims of this employer, or of none; absent: all. */
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
  /** Takes back the last step; of a run without a step, the run itself. */
  z.object({ kind: z.literal('back'), reason: z.string().trim().min(1).max(1000) }),
]);
export type RunStep = z.infer<typeof stepSchema>;

/** A row of a file of results that was not used. `line` counts from 1, the header included. */
const resultRowSchema = z.object({
  line: z.int(),
  of: z.string(),
  reason: z.enum([
    'noClaim',
    'severalClaims',
    'severalMembers',
    'notInRun',
    'badAmount',
    'amountDiffers',
    'repeated',
    'badResult',
  ]),
});
export type ResultRow = z.infer<typeof resultRowSchema>;

const runRef = workspaceRef.extend({ runId: z.string().max(60) });
const selectionRef = workspaceRef.extend({
  selectionId: z.string().max(60),
  groups: z.array(z.enum(claimGroups)).optional(),
});

/** Reimbursement runs: claims with an open amount, gathered to be paid by somebody else. Nothing here moves money. */
export const runProcedures = {
  /** What a run of the claims of a selection (`reviews:freeze`) would have, and which claims it would leave out. */
  'runs:estimate': inEngine(
    selectionRef,
    totalsSchema.extend({
      /** What its members owe back, at most what the run pays each: it can pay them that much less. */
      offsets: sumSchema,
      leftOut: z.array(z.object({ reason: z.enum(leftOutReasons), claims: z.int() })),
      /** The first `maxListed` of them; with `inRun`, the name of that run. */
      listed: z.array(
        z.object({ claimId: z.int(), reason: z.enum(leftOutReasons), run: z.string().optional() }),
      ),
    }),
  ),
  /** Makes a run as one event, whose ID is that of the run. `offsets`: it pays members less by what they owe back. */
  'runs:make': inEngine(
    selectionRef.extend({
      name: z.string().trim().min(1).max(80),
      account: z.string().trim().max(200),
      offsets: z.boolean(),
    }),
    reviewDoneSchema.extend({ amount: z.int() }),
  ),
  /** The newest first. */
  'runs:list': inEngine(workspaceRef, z.object({ runs: z.array(runSchema) })),
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
          /** What is open now; null: not known. */
          open: z.int().nullable(),
        }),
      ),
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
  ),
  'runs:step': inEngine(runRef.extend({ step: stepSchema }), reviewDoneSchema),
  /** The first rows of the file by a layout, as text; `rows` counts all. */
  'runs:preview': inEngine(
    runRef.extend({ employerId: z.int().nullable().optional(), layout: runLayoutSchema }),
    z.object({ rows: z.int(), first: z.array(z.array(z.string())) }),
  ),
  /**
   * Reads what came back from whoever pays, from a CSV file with the columns claim (ID or number) or member (ID), and
   * where there are any amount, result and reason. Records nothing; `runs:applyResults` does.
   */
  'runs:readResults': inEngine(
    runRef.extend({ csv: z.string().max(20_000_000) }),
    z.object({
      selectionId: z.string(),
      paid: sumSchema,
      rejected: sumSchema,
      /** Claims of the run without a row in the file. */
      without: sumSchema,
      unmatched: z.array(resultRowSchema),
    }),
  ),
  /** Rejected claims leave the run. With a `day`, paid ones are recorded as reimbursed. */
  'runs:applyResults': inEngine(
    workspaceRef.extend({ selectionId: z.string().max(60), day: z.iso.date().nullable() }),
    z.object({ rejected: reviewDoneSchema, recorded: reviewDoneSchema }),
  ),
} as const;
