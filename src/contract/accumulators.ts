import { z } from 'zod';
import { accountStepSchema } from './account-layers.ts';
import { layerPayers, planRulesSchema } from './plan-rules.ts';
import { inEngine, workspaceRef } from './procedure-parts.ts';
import { amountSchema } from './query.ts';

/** What is counted up in a plan year, apart from a reimbursement account. */
export const meterIds = ['deductible', 'outOfPocket'] as const;
/** The claims that a meter counts: of all networks, or of those in or out of network. */
export const meterNetworks = ['all', 'in', 'out'] as const;

/** Ten-thousandths of a dollar. */
const amount = z.int();

/** Where a person or a family stands in a plan year. */
export const standingSchema = z.object({
  /** What counts, never above the limit. */
  used: amount,
  /** An amount of a claim is not known, so that more may be used, and less may remain. */
  isAtLeast: z.boolean(),
  /** Null: no limit. */
  limit: amount.nullable(),
  /** Of a person, at most what remains of the family's limit. Null: no limit. */
  remaining: amount.nullable(),
  /** The claim on which the limit was met; null: it is not met, or by others of the family. */
  metOn: z.int().nullable(),
  /** What the carrier applied, also above the limit. */
  applied: amount,
});
export type Standing = z.infer<typeof standingSchema>;

/** Whether less may remain of a person's limit: an amount of the person, or of the family's limit, is not known. */
export const mayRemainLess = (
  person: Pick<Standing, 'isAtLeast'>,
  family: Pick<Standing, 'isAtLeast' | 'limit'>,
): boolean => person.isAtLeast || (family.limit !== null && family.isAtLeast);

/**
 * Whether a claim counts, else why not. `duplicate`: a person marked it as one. `replaced`: another claim adjusts it, or
 * it is the reversal of one.
 */
export const claimStates = [
  'counts',
  'notProcessed',
  'rejected',
  'missing',
  'duplicate',
  'replaced',
] as const;
export type ClaimState = (typeof claimStates)[number];

/** By how much the carrier's amounts of a claim differ from what remained when it was processed. */
export const disagreementKinds = ['deductibleOver', 'deductibleShort', 'outOfPocketOver'] as const;
export const disagreementSchema = z.object({ kind: z.enum(disagreementKinds), amount });
export type Disagreement = z.infer<typeof disagreementSchema>;

/** Who pays the next claim of a person: `shared` is coinsurance; `amount` is up to how much, null: without an end. */
export const nextPayerSchema = z.object({
  payer: z.enum([...layerPayers, 'shared', 'plan']),
  amount: amount.nullable(),
  /** An amount of an earlier claim is not known: it is at most this amount. */
  isAtMost: z.boolean(),
});
export type NextPayer = z.infer<typeof nextPayerSchema>;

const meterRef = { meter: z.enum(meterIds), network: z.enum(meterNetworks) };

export const familyMeterSchema = z.object({
  memberId: z.int(),
  /** The employer whose plan rules these are, and its name where it is known. */
  employerId: z.int().nullable(),
  employerName: z.string().nullable(),
  planYear: z.string(),
  /** The first day of the plan year, `YYYY-MM-DD`. */
  begins: z.string(),
  /** The member has dependents, or claims of this plan year name several persons: the limits of a family hold. */
  isFamily: z.boolean(),
  /** Those with claims in this plan year, and the member and dependents. The key is the place in this list. */
  persons: z.array(
    z.object({
      /** Null: claims whose patient is not known. */
      name: z.string().nullable(),
      relationship: z.string().nullable(),
      /** By the plan, and by the account; null: there are no such rules, or it is not known. */
      planPays: nextPayerSchema.nullable(),
      accountPays: nextPayerSchema.nullable(),
    }),
  ),
  meters: z.array(
    z.object({
      ...meterRef,
      kind: z.enum(['embedded', 'aggregate']),
      family: standingSchema,
      /** In the order of `persons`. */
      persons: z.array(standingSchema),
    }),
  ),
  account: z
    .object({
      family: standingSchema,
      persons: z.array(standingSchema),
      /** What the plan year before left, which is part of the limits; null: not known. */
      carriedOver: amount.nullable(),
    })
    .nullable(),
  /** In the order of processing. */
  claims: z.array(
    z.object({
      claimId: z.int(),
      /** The place in `persons`. */
      person: z.int(),
      processed: z.string().nullable(),
      serviceDay: z.string().nullable(),
      network: z.string().nullable(),
      state: z.enum(claimStates),
      /** Null: not known. */
      deductible: amount.nullable(),
      outOfPocket: amount.nullable(),
      /** What it added to each meter, in the order of `meters`; 0 where it does not count. `after`: used then. */
      shares: z.array(z.object({ person: amount, family: amount, after: amount })),
      account: accountStepSchema.nullable(),
      disagreements: z.array(disagreementSchema),
      /** Claimdesk takes it for the duplicate of another claim, which nobody decided; both count until then. */
      isOpenDuplicate: z.boolean(),
    }),
  ),
});
export type FamilyMeter = z.infer<typeof familyMeterSchema>;

const effectSchema = z.object({ eligible: amountSchema, notKnown: z.int(), disagreeing: z.int() });

/** Where families stand in their plan years: computed from claims, and stored only as what can be computed again. */
export const accumulatorProcedures = {
  /**
   * Where the family stands by the rules of each employer, the one with most claims first. Empty: no rules are for this
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
  ),
  /**
   * What would change with other rules of an employer, or with none, in all plan years here; changes nothing. The
   * eligible amounts are those by the rules, before decisions. `changed`: the claims with the largest change of what is
   * eligible, at most 200, and `changedClaims` is how many there are.
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
  ),
} as const;
