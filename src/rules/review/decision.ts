import { z } from 'zod';
import { eligibleParts, maxPayment } from '../money/reimbursement.ts';

/**
 * The state of a claim's review. `back`: it was waiting, and its reminder is due or the claim changed; this is computed
 * and cannot be set. A claim in scope without a review is `todo`, one outside it is `notSelected`.
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

/** The states that a decision can set. */
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

export const day = z.iso.date();
export const shortText = z.string().trim().min(1).max(200);
export const longText = z.string().trim().min(1).max(10_000);
export const amount = z.int().min(1).max(maxPayment);

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

export const decisionSchema = z.object({
  kind: z.literal('decision'),
  state: z.enum(decidedStates),
  /** Set always and only with `done`. */
  outcome: z.enum(reviewOutcomes).nullable().default(null),
  /** Always set with `waiting` and `escalated`, like `reason`. */
  onWhom: shortText.nullable().default(null),
  reason: longText.nullable().default(null),
  /** The day on which a waiting claim becomes due again. */
  reminder: day.nullable().default(null),
  /** Set only with `partlyEligible`; events before version 0.3 lack it. */
  partly: partlyEligibleSchema.optional(),
  /** Why the rest is declined, only with `partlyEligible` and `notEligible`; a workspace's choice or another text. */
  cause: shortText.optional(),
});
export type Decision = z.infer<typeof decisionSchema>;
