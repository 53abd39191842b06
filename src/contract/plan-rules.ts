import { z } from 'zod';
import { employerKeyOf } from './reimbursement.ts';

/** Ten-thousandths of a dollar, at most ten million dollars. */
const amount = z.int().min(0).max(1e11);

/** A limit of one person and of a whole family; null: none. */
const limitSchema = z.object({ person: amount.nullable(), family: amount.nullable() });
export type Limit = z.infer<typeof limitSchema>;

/**
 * The deductible or the out-of-pocket maximum of a plan. `embedded`: within a family each person has the limit of one
 * person too. `aggregate`: a family has its own limit only, and the limit of one person is for members without a family.
 */
const meterRulesSchema = z.object({
  kind: z.enum(['embedded', 'aggregate']),
  inNetwork: limitSchema,
  /** The limit of claims out of network, which are then counted by themselves; null: all networks count together. */
  outOfNetwork: limitSchema.nullable(),
  /** The types of claims that count (`type.name`); null: all. */
  types: z.array(z.string().min(1).max(80)).max(20).nullable(),
});
export type MeterRules = z.infer<typeof meterRulesSchema>;

/** Who pays a layer of a reimbursement account; after the last one, the member pays. */
export const layerPayers = ['member', 'account'] as const;

/**
 * A reimbursement account: of what the reimbursement rules count, in the order of processing, each layer has its amount,
 * as in "the member the first $900, the account the next $1,100".
 */
const accountRulesSchema = z.object({
  /** Whether layers are counted for each person or for the whole family. */
  per: z.enum(['person', 'family']),
  /** `amount` null: without an end. */
  layers: z
    .array(z.object({ payer: z.enum(layerPayers), amount: amount.nullable() }))
    .min(1)
    .max(10),
  /** The most that the account pays in a plan year. */
  limit: limitSchema,
  /** What of the limit was not used in the plan year before is added, at most `most` (null: all); null: nothing is. */
  carryOver: z.object({ most: amount.nullable() }).nullable(),
});
export type AccountRules = z.infer<typeof accountRulesSchema>;

/** The rules of an employer's plan years that begin on `from` or later, up to the next ones. */
const planYearRulesSchema = z.object({
  from: z.iso.date(),
  /** Names of networks, without regard to case. Of a claim with another one, it is not known where it counts. */
  inNetwork: z.array(z.string().min(1).max(80)).max(20),
  outOfNetwork: z.array(z.string().min(1).max(80)).max(20),
  deductible: meterRulesSchema.nullable(),
  outOfPocket: meterRulesSchema.nullable(),
  account: accountRulesSchema.nullable(),
});
export type PlanYearRules = z.infer<typeof planYearRulesSchema>;

/** The rules of an employer's plan by plan year, the earliest first. */
export const planRulesSchema = z.object({ years: z.array(planYearRulesSchema).max(40) });
export type PlanRules = z.infer<typeof planRulesSchema>;

/** What a form of new rules starts with; networks as the service names them (docs/service.md). */
export const startPlanYear = (from: string): PlanYearRules => ({
  from,
  inNetwork: ['IN', 'TIER1', 'TIER2'],
  outOfNetwork: ['OUT'],
  deductible: null,
  outOfPocket: null,
  account: null,
});

/** The rules of a claim's employer: its own, else those for all employers of the service; null: there are none. */
export const planRulesOf = (
  all: Readonly<Record<string, PlanRules>>,
  service: string,
  employerId: number | null,
): PlanRules | null => all[employerKeyOf(service, employerId)] ?? all[service] ?? null;

/** The rules of the plan year that begins on a day, `YYYY-MM-DD`; null: no rules are for it. */
export const planYearRulesOf = (rules: PlanRules | null, begins: string): PlanYearRules | null =>
  (rules?.years ?? []).reduce<PlanYearRules | null>(
    (found, one) => (one.from <= begins && (found === null || one.from >= found.from) ? one : found),
    null,
  );

/** Every number of plan rules is an amount. */
const convertAmounts = (value: unknown, convert: (amount: number) => number): unknown => {
  if (typeof value === 'number') return convert(value);
  if (Array.isArray(value)) return value.map((one) => convertAmounts(one, convert));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, convertAmounts(one, convert)]));
};

/** Plan rules with their amounts in dollars, as the command line reads and prints them. */
export const inPlanDollars = (rules: PlanRules): unknown =>
  convertAmounts(rules, (amount) => amount / 10_000);
/** @throws ZodError where it is no plan rules in dollars */
export const readPlanDollars = (value: unknown): PlanRules =>
  planRulesSchema.parse(convertAmounts(value, (amount) => Math.round(amount * 10_000)));
