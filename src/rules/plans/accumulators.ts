import { z } from 'zod';
import { accountStepSchema } from './account-layers.ts';
import { layerPayers } from './plan-rules.ts';

/** The meters of a plan year, apart from a reimbursement account. */
export const meterIds = ['deductible', 'drugDeductible', 'outOfPocket'] as const;
/** The claims that a meter counts: those of all networks, or those in or out of network. */
const meterNetworks = ['all', 'in', 'out'] as const;

/** Ten-thousandths of a dollar. */
const amount = z.int();

/** The progress of one person or a family in a plan year. */
const standingSchema = z.object({
  /** The amount that counts, never above the limit. */
  used: amount,
  /** An amount of a claim is unknown, so more may be used, and less may remain. */
  isAtLeast: z.boolean(),
  /** Null: no limit. */
  limit: amount.nullable(),
  /** The amount that remains; one person's is capped by the family's remainder. Null: no limit. */
  remaining: amount.nullable(),
  /** The claim that met the limit; null: it is not met, or other family members met it. */
  metOn: z.int().nullable(),
  /** The amount that the carrier applied, including any above the limit. */
  applied: amount,
});
export type Standing = z.infer<typeof standingSchema>;

/** Returns whether less may remain of one person's limit: their amount or the family's is partly unknown. */
export const mayRemainLess = (
  person: Pick<Standing, 'isAtLeast'>,
  family: Pick<Standing, 'isAtLeast' | 'limit'>,
): boolean => person.isAtLeast || (family.limit !== null && family.isAtLeast);

/**
 * Whether a claim counts, or why not. `statusUnknown`: the service does not document its status, so that it may or may
 * not count. `missing`: no longer in the service, and may count; `owedBack`: no longer in the service, and an answer
 * says that its payments are owed back. `duplicate`: decided to be one. `replaced`: another claim corrects it, or it is
 * a reversal or reversed by one. `unclear`: together with the claims of its number, it counts at least this much.
 */
const claimStates = [
  'counts',
  'notProcessed',
  'statusUnknown',
  'rejected',
  'missing',
  'owedBack',
  'duplicate',
  'replaced',
  'unclear',
] as const;
export type ClaimState = (typeof claimStates)[number];

/** The ways in which the carrier's amounts of a claim differ from what remained when it was processed. */
const disagreementKinds = ['deductibleOver', 'deductibleShort', 'outOfPocketOver'] as const;
const disagreementSchema = z.object({ kind: z.enum(disagreementKinds), amount });
export type Disagreement = z.infer<typeof disagreementSchema>;

/** Each finding in words, without its amount (to group by) and with it. */
export const disagreementLabels: Readonly<
  Record<Disagreement['kind'], { readonly label: string; readonly say: (amount: string) => string }>
> = {
  deductibleOver: { label: 'deductible too high', say: (amount) => `deductible ${amount} too high` },
  deductibleShort: {
    label: 'deductible too low',
    say: (amount) => `deductible ${amount} too low, as coinsurance was charged before it was met`,
  },
  outOfPocketOver: {
    label: 'over the out-of-pocket maximum',
    say: (amount) => `over the out-of-pocket maximum by ${amount}`,
  },
};
/** Several findings as one sentence: "Deductible $400.00 too high; over the out-of-pocket maximum by $301.17". */
export const joinFindings = (findings: readonly string[]): string => {
  const all = findings.join('; ');
  return all.charAt(0).toUpperCase() + all.slice(1);
};

/** Who pays one person's next claim: `shared` is coinsurance; `amount` is the most that they pay, null: no limit. */
const nextPayerSchema = z.object({
  payer: z.enum([...layerPayers, 'shared', 'plan']),
  amount: amount.nullable(),
  /** An amount of an earlier claim is unknown: this amount is a maximum. */
  isAtMost: z.boolean(),
});
export type NextPayer = z.infer<typeof nextPayerSchema>;

const meterRef = { meter: z.enum(meterIds), network: z.enum(meterNetworks) };

export const familyMeterSchema = z.object({
  memberId: z.int(),
  /** The employer of these plan rules, and its name if known. */
  employerId: z.int().nullable(),
  employerName: z.string().nullable(),
  planYear: z.string(),
  /** The first day of the plan year or, if other rules begin during the year, their first day, `YYYY-MM-DD`. */
  begins: z.string(),
  isMidYear: z.boolean(),
  /** Whether the member has dependents or, without a record of the member, claims name several people. */
  isFamily: z.boolean(),
  /** The people with claims in this plan year, the member and the dependents. The key is the index in this list. */
  persons: z.array(
    z.object({
      /** Null: claims whose patient is unknown. */
      name: z.string().nullable(),
      relationship: z.string().nullable(),
      /**
       * Who pays next under the plan, for drugs with a separate deductible, and under the account; null: no such rules,
       * or unknown.
       */
      planPays: nextPayerSchema.nullable(),
      drugsPaid: nextPayerSchema.nullable(),
      accountPays: nextPayerSchema.nullable(),
    }),
  ),
  meters: z.array(
    z.object({
      ...meterRef,
      family: standingSchema,
      /** One for each of `persons`, in the same order. */
      persons: z.array(standingSchema),
    }),
  ),
  account: z
    .object({
      family: standingSchema,
      persons: z.array(standingSchema),
      /** The carry-over from the previous plan year, which is part of the limits; null: unknown. */
      carriedOver: amount.nullable(),
      /** Who pays between which sums, in order, and whether per person or for the family; null: no end. */
      per: z.enum(['person', 'family']),
      layers: z.array(z.object({ payer: z.enum(layerPayers), amount: amount.nullable() })),
    })
    .nullable(),
  /** The claims in the order of processing. */
  claims: z.array(
    z.object({
      claimId: z.int(),
      /** The index in `persons`. */
      person: z.int(),
      processed: z.string().nullable(),
      serviceDay: z.string().nullable(),
      network: z.string().nullable(),
      state: z.enum(claimStates),
      /** Null: unknown. */
      deductible: amount.nullable(),
      outOfPocket: amount.nullable(),
      /**
       * The amounts added to each meter, in the order of `meters`; 0: does not count. `after`: the amount then used.
       */
      shares: z.array(z.object({ person: amount, family: amount, after: amount })),
      account: accountStepSchema.nullable(),
      disagreements: z.array(disagreementSchema),
      /** The claim is from the same plan year before these rules began, and counts under them. */
      isEarlier: z.boolean(),
      /** Claimdesk suspects it to be a duplicate of another claim; both count until that is decided. */
      isOpenDuplicate: z.boolean(),
    }),
  ),
});
export type FamilyMeter = z.infer<typeof familyMeterSchema>;
