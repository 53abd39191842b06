import { z } from 'zod';
import { eligibleParts } from '../money/reimbursement.ts';
import { conditionSchema } from '../query.ts';
import { longText, shortText } from '../review/decision.ts';

/**
 * What a rule does with a claim that meets its conditions. `off`: nothing. `watch`: nothing, but its trial counts what it would
 * have done. `propose`: the claim shows it, and you decide. `do`: the claim is decided after a complete sync.
 */
export const ruleStates = ['off', 'watch', 'propose', 'do'] as const;
export type RuleState = (typeof ruleStates)[number];

/** Ten-thousandths of a dollar, at most ten million dollars. */
const amount = z.int().min(0).max(1e11);

/** The one act of a rule. A `partly` act gives a share of what the reimbursement rules give, or that without some parts. */
export const ruleActSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('eligible') }),
  z.object({
    kind: z.literal('partly'),
    partly: z.discriminatedUnion('by', [
      z.object({ by: z.literal('parts'), without: z.array(z.enum(eligibleParts)).min(1) }),
      z.object({ by: z.literal('share'), percent: z.number().gt(0).lt(100).multipleOf(0.01) }),
    ]),
    cause: shortText.optional(),
  }),
  z.object({ kind: z.literal('notEligible'), cause: shortText }),
  /** `days`: the reminder is so many days after the act. */
  z.object({
    kind: z.literal('waiting'),
    onWhom: shortText,
    reason: longText,
    days: z.int().min(1).max(365),
  }),
  z.object({ kind: z.literal('tag'), tag: shortText }),
  z.object({ kind: z.literal('owner'), owner: shortText }),
]);
export type RuleAct = z.infer<typeof ruleActSchema>;

/**
 * A rule that decides claims, or proposes to. Rules are tried in the order of their list, and the first that fits acts. The order is
 * no part of a rule: its trial is of all claims that it meets, so that it holds at each place.
 */
export const decisionRuleSchema = z.object({
  id: z.uuid(),
  /** Incremented by every change of what it does or when; a changed rule begins at `watch`. */
  version: z.int().min(1),
  name: z.string().trim().min(1).max(80),
  state: z.enum(ruleStates),
  /** All of them hold, for fields of `ruleFields`. */
  conditions: z.array(conditionSchema).min(1).max(20),
  /** The service's IDs of the employers that it is for; empty: all. */
  employers: z.array(z.int()).max(500),
  act: ruleActSchema,
  /** The most that a claim may have open for it; null: any amount. */
  most: amount.nullable(),
  /** The most that `do` decides on a day, as each computer counts it. What is over is proposed. */
  perDay: z.object({ claims: z.int().min(1).max(100_000), amount }),
  /** How many percent of the claims that it decides go to Second look. */
  secondLook: z.int().min(0).max(100),
  /** When it got its state and version, who switched it on, and who confirmed that it decides; null: not needed yet. */
  since: z.iso.datetime(),
  by: z.string().max(320),
  confirmedBy: z.string().max(320).nullable(),
  /** A digest of the reimbursement and plan rules by which it was tried: where they changed since, it proposes only. */
  amountRules: z.string().max(60),
});
export type DecisionRule = z.infer<typeof decisionRuleSchema>;

/** The parts of a rule that you edit. */
export const ruleDraftSchema = decisionRuleSchema.pick({
  name: true,
  conditions: true,
  employers: true,
  act: true,
  most: true,
  perDay: true,
  secondLook: true,
});
export type RuleDraft = z.infer<typeof ruleDraftSchema>;

/** The requirements of a trial before a rule may decide. */
export const minDecisions = 200;
export const minMonths = 2;
/** The largest number per 1,000 decisions. */
export const minAgreement = 995;
