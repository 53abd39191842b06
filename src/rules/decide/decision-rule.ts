import { z } from 'zod';
import { eligibleParts } from '../money/reimbursement.ts';
import { conditionSchema } from '../query.ts';
import { longText, shortText } from '../review/decision.ts';

/**
 * What a rule does with a claim that meets its conditions. `off`: nothing. `watch`: nothing, but its trial shows what
 * it would have done. `propose`: the claim shows the proposal, and you decide. `do`: the claim is decided after a
 * complete sync.
 */
export const ruleStates = ['off', 'watch', 'propose', 'do'] as const;
export type RuleState = (typeof ruleStates)[number];

/** Ten-thousandths of a dollar, at most ten million dollars. */
const amount = z.int().min(0).max(1e11);

/**
 * The act of a rule. A `partly` act makes a share of the amount by the reimbursement rules eligible, or that amount
 * without some parts.
 */
const ruleActSchema = z.discriminatedUnion('kind', [
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
  /** `days`: how many days after the act the reminder is. */
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
 * A rule that decides or proposes. Rules are tried in the order of their list, and the first match acts. The order is
 * not part of a rule: its trial covers all claims that match it, so it is valid at any position.
 */
export const decisionRuleSchema = z.object({
  id: z.uuid(),
  /** Incremented by every change of its act or conditions; a changed rule begins at `watch`. */
  version: z.int().min(1),
  name: z.string().trim().min(1).max(80),
  state: z.enum(ruleStates),
  /** Conditions on fields of `ruleFields`; all must be met. */
  conditions: z.array(conditionSchema).min(1).max(20),
  /** The service's IDs of the employers to which it applies; empty: all. */
  employers: z.array(z.int()).max(500),
  act: ruleActSchema,
  /** The largest open amount of a claim that it decides; null: any amount. */
  most: amount.nullable(),
  /** The most claims that `do` decides in a day, counted on each computer. Further claims get a proposal. */
  perDay: z.object({ claims: z.int().min(1).max(100_000), amount }),
  /** The percentage of its decisions that go to Second look. */
  secondLook: z.int().min(0).max(100),
  /** When it got its state and version, who switched it on, and who confirmed that it may decide; null: no one yet. */
  since: z.iso.datetime(),
  by: z.string().max(320),
  confirmedBy: z.string().max(320).nullable(),
  /** A digest of the reimbursement and plan rules at its trial: if they changed since, it only proposes. */
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

/** How many decisions a trial needs before a rule may decide. */
export const minDecisions = 200;
export const minMonths = 2;
/** How many decisions per 1,000 must agree. */
export const minAgreement = 995;
