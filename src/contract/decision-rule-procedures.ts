import { z } from 'zod';
import { decisionRuleSchema, ruleDraftSchema, ruleStates } from '../rules/decide/decision-rule.ts';
import { amountSchema, cellSchema, conditionSchema } from '../rules/query.ts';
import { done, inEngine, withFacts, workspaceRef } from './procedure-parts.ts';

/** Ten-thousandths of a dollar. */
const amount = z.int();

/**
 * A rule tried on the past and on what is open. `decisions`: those of people in the last year that the rule would have made too,
 * where all of its columns were stored; `agrees` of them are the same. `notStored`: decisions without a column of the rule.
 * `notReplayed`: partly eligible ones whose amount an account decided, by claims of the family that were not stored.
 */
const ruleTrialSchema = z.object({
  decisions: z.int(),
  agrees: z.int(),
  notStored: z.int(),
  notReplayed: z.int(),
  /** Calendar months with such a decision. */
  months: z.int(),
  /** How many claims had no value in a column of a condition, which is false for them. */
  blank: z.array(z.object({ field: z.string(), label: z.string(), claims: z.int() })),
  /** Decisions that differ, the newest first, at most 200; in words. */
  differing: z.array(
    z.object({
      claimId: z.int(),
      at: z.string(),
      author: z.string(),
      decided: z.string(),
      byRule: z.string(),
      amount: amount.nullable(),
    }),
  ),
  /** The claims that it would decide now, with their open amounts. */
  open: z.object({ claims: z.int(), amount: amountSchema }),
  /** The requirements that it does not meet yet before it may decide, as sentences. */
  missing: z.array(z.string()),
});
export type RuleTrial = z.infer<typeof ruleTrialSchema>;

/** The standing of a rule. `proposed`: its claims in To decide. The rest counts its own decisions of the last 30 days. */
const ruleStandingSchema = z.object({
  rule: decisionRuleSchema,
  /** Its state where it stepped back, or awaits the confirmation of a second admin, with the sentence why. */
  acts: z.enum(ruleStates),
  why: z.string().nullable(),
  proposed: z.object({ claims: z.int(), amount: amountSchema }),
  decided: z.int(),
  overturned: z.int(),
  checked: z.int(),
  checkAgreed: z.int(),
});
export type RuleStanding = z.infer<typeof ruleStandingSchema>;

/** A claim's proposal, or the rule that decided it: its act in words, and each condition with the value of the claim. */
const ruleExplainedSchema = z.object({
  ruleId: z.string(),
  version: z.int(),
  name: z.string(),
  /** "Eligible $50.00". */
  words: z.string(),
  amount: amount.nullable(),
  /** When it was switched on, and by whom; null: the rule was deleted. */
  since: z.string().nullable(),
  by: z.string().nullable(),
  conditions: z.array(z.object({ condition: conditionSchema, value: cellSchema })),
});
export type RuleExplained = z.infer<typeof ruleExplainedSchema>;

/** Rules that decide claims, or propose to. */
export const decisionRuleProcedures = {
  'rules:list': inEngine(workspaceRef, z.object({ rules: z.array(ruleStandingSchema) }), withFacts),
  /** Tries a rule as it is in the form; changes nothing. @throws DeskError `query.invalid` */
  'rules:try': inEngine(workspaceRef.extend({ draft: ruleDraftSchema }), ruleTrialSchema, withFacts),
  /** Explains the proposal of a claim, and the rule that decided it; null: there is none. */
  'rules:explain': inEngine(
    workspaceRef.extend({ claimId: z.int() }),
    z.object({ proposal: ruleExplainedSchema.nullable(), decided: ruleExplainedSchema.nullable() }),
    withFacts,
  ),
  /**
   * Makes a rule, or changes one: of the version that was shown, where that is given. A changed rule begins at `watch`.
   *
   * @throws DeskError `query.invalid`, `rule.unknown`, `rule.changed`
   */
  'rules:save': inEngine(
    workspaceRef.extend({ id: z.uuid().optional(), version: z.int().optional(), draft: ruleDraftSchema }),
    decisionRuleSchema,
    withFacts,
  ),
  /**
   * Sets the state of a rule. For `do` its trial must be sufficient, and an admin asks; in a team a second person confirms with the
   * same call.
   *
   * @throws DeskError `rule.unknown`, `rule.changed`, `rule.notTried`, `team.notAdmin`
   */
  'rules:setState': inEngine(
    workspaceRef.extend({ id: z.uuid(), version: z.int().optional(), state: z.enum(ruleStates) }),
    decisionRuleSchema,
    withFacts,
  ),
  /** Moves a rule by one place in the order in which rules are tried. @throws DeskError `rule.unknown` */
  'rules:move': inEngine(workspaceRef.extend({ id: z.uuid(), to: z.enum(['up', 'down']) }), done, withFacts),
  /** @throws DeskError `rule.unknown` */
  'rules:remove': inEngine(workspaceRef.extend({ id: z.uuid() }), done, withFacts),
  /**
   * Undoes what a rule decided: on one day (local, `YYYY-MM-DD`), or all that no person confirmed or changed since.
   *
   * @throws DeskError `rule.unknown`
   */
  'rules:undo': inEngine(
    workspaceRef.extend({ id: z.uuid(), day: z.iso.date().optional() }),
    z.object({ claims: z.int() }),
    withFacts,
  ),
} as const;
