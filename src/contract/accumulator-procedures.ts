import { z } from 'zod';
import { familyMeterSchema } from '../rules/plans/accumulators.ts';
import { planRulesSchema } from '../rules/plans/plan-rules.ts';
import { amountSchema } from '../rules/query.ts';
import { inEngine, withFacts, workspaceRef } from './procedure-parts.ts';

/** Ten-thousandths of a dollar. */
const amount = z.int();

const effectSchema = z.object({ eligible: amountSchema, notKnown: z.int(), disagreeing: z.int() });

/** Where families stand in their plan years: computed from claims, and stored only as what can be computed again. */
export const accumulatorProcedures = {
  /**
   * The family's progress by the rules of each employer, the one with most claims first. Empty: no rules are for this
   * plan year, or there is no claim in it. Without `planYear`, that of `claimId`; without both, the current one or, if
   * there are no claims in it, the newest.
   *
   * @throws DeskError `record.unknown` for a member that is not here
   */
  'accumulators:family': inEngine(
    workspaceRef.extend({
      memberId: z.int(),
      planYear: z.string().max(20).optional(),
      claimId: z.int().optional(),
    }),
    z.object({
      memberName: z.string().nullable(),
      /** Plan years with claims, the newest first. */
      planYears: z.array(z.string()),
      families: z.array(familyMeterSchema),
    }),
    withFacts,
  ),
  /**
   * Computes what would change with other rules of an employer, or with none, in all plan years here; stores
   * nothing. The eligible amounts are those by the rules, before decisions. `changed`: the claims whose
   * eligible amount changes most, at most 200; `changedClaims`: the number of all of them.
   */
  'accumulators:try': inEngine(
    workspaceRef.extend({ employerId: z.int().nullable(), rules: planRulesSchema.nullable() }),
    z.object({
      families: z.int(),
      claims: z.int(),
      current: effectSchema,
      tried: effectSchema,
      changedClaims: z.int(),
      changed: z.array(
        z.object({
          claimId: z.int(),
          memberId: z.int(),
          planYear: z.string(),
          current: amount.nullable(),
          tried: amount.nullable(),
        }),
      ),
    }),
    withFacts,
  ),
} as const;
