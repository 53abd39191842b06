import { z } from 'zod';
import { employerKeyOf } from '../money/reimbursement.ts';

/** Ten-thousandths of a dollar, at most ten million dollars. */
const amount = z.int().min(0).max(1e11);

/**
 * The limits of a member alone, of each person within a family, and of a whole family; null: none. An embedded deductible
 * has the last two, an aggregate one only that of the family.
 */
const limitSchema = z.object({
  alone: amount.nullable(),
  person: amount.nullable(),
  family: amount.nullable(),
});
export type Limit = z.infer<typeof limitSchema>;

/** A deductible or the out-of-pocket maximum of a plan. */
const meterRulesSchema = z.object({
  inNetwork: limitSchema,
  /** The limit of out-of-network claims, which are then counted separately; null: all networks count together. */
  outOfNetwork: limitSchema.nullable(),
  /** Only with two limits: whether out-of-network amounts also count in network, and the reverse. */
  outCountsIn: z.boolean(),
  inCountsOut: z.boolean(),
  /** The types of claims that count (`type.name`); null: all. */
  types: z.array(z.string().min(1).max(80)).max(20).nullable(),
});
export type MeterRules = z.infer<typeof meterRulesSchema>;

/** Who pays a layer of a reimbursement account; after the last one, the member pays. */
export const layerPayers = ['member', 'account'] as const;
/** `amount` null: no end. */
const layersSchema = z
  .array(z.object({ payer: z.enum(layerPayers), amount: amount.nullable() }))
  .min(1)
  .max(10);
export type Layers = z.infer<typeof layersSchema>;

/**
 * A reimbursement account. It divides the amounts that the reimbursement rules count into layers, in the order of
 * processing, as in "the member the first $900, the account the next $1,100".
 */
const accountRulesSchema = z.object({
  /** Whether the layers of a family are counted for each person or for the whole family. */
  per: z.enum(['person', 'family']),
  /** The layers by coverage: of a member alone, and of a family. */
  layers: z.object({ alone: layersSchema, family: layersSchema }),
  limit: limitSchema,
  /** The unused limit of the previous plan year is added, up to `most` (null: all); null: nothing is added. */
  carryOver: z.object({ most: amount.nullable() }).nullable(),
});
export type AccountRules = z.infer<typeof accountRulesSchema>;

/** The rules of an employer's claims with a day of service on `from` or later, up to the next rules. */
const yearSchema = z.object({
  from: z.iso.date(),
  /** If rules begin during a plan year: whether earlier claims of the year count; if not, meters begin at zero. */
  countsEarlier: z.boolean(),
  /** Names of networks, ignoring case. It is unknown where a claim with any other name counts. */
  inNetwork: z.array(z.string().min(1).max(80)).max(20),
  outOfNetwork: z.array(z.string().min(1).max(80)).max(20),
  deductible: meterRulesSchema.nullable(),
  /** A separate deductible for drugs, whose types of claims do not count toward the other one. */
  drugDeductible: meterRulesSchema.nullable(),
  outOfPocket: meterRulesSchema.nullable(),
  account: accountRulesSchema.nullable(),
});
export type PlanYearRules = z.infer<typeof yearSchema>;

/** The rules of an employer's plan, the earliest first. */
export const planRulesSchema = z.object({ years: z.array(yearSchema).max(40) });
export type PlanRules = z.infer<typeof planRulesSchema>;

export const noLimit: Limit = { alone: null, person: null, family: null };
const startMeter: MeterRules = {
  inNetwork: noLimit,
  outOfNetwork: null,
  outCountsIn: false,
  inCountsOut: false,
  types: null,
};
const startLayers: Layers = [{ payer: 'member', amount: null }];

/** The initial values of each part of new rules. */
export const startOf = {
  deductible: startMeter,
  drugDeductible: { ...startMeter, types: ['rx'] },
  outOfPocket: startMeter,
  account: {
    per: 'family',
    limit: noLimit,
    carryOver: null,
    layers: { alone: startLayers, family: startLayers },
  },
} as const satisfies Partial<PlanYearRules>;

/** Returns the initial values of new rules; networks as the service names them (docs/service.md). */
export const startPlanYear = (from: string): PlanYearRules => ({
  from,
  countsEarlier: false,
  inNetwork: ['IN', 'TIER1', 'TIER2'],
  outOfNetwork: ['OUT'],
  deductible: null,
  drugDeductible: null,
  outOfPocket: null,
  account: null,
});

/** The rules of a claim's employer, otherwise those for all employers of the service; null: there are none. */
export const planRulesOf = (
  all: Readonly<Record<string, PlanRules>>,
  service: string,
  employerId: number | null,
): PlanRules | null => all[employerKeyOf(service, employerId)] ?? all[service] ?? null;

/** A plan year, or the part of it with one set of rules. */
export interface PlanPeriod {
  readonly rules: PlanYearRules;
  /** The first day, `YYYY-MM-DD`. */
  readonly begins: string;
  readonly isMidYear: boolean;
}

/** The rules of a day, and where they begin in its plan year; null: there are none. */
export function periodOf(
  rules: PlanRules | null,
  day: string,
  planYear: { begins: string },
): PlanPeriod | null {
  const yearRules = (rules?.years ?? []).reduce<PlanYearRules | null>(
    (newest, year) => (year.from <= day && (newest === null || year.from >= newest.from) ? year : newest),
    null,
  );
  if (yearRules === null) return null;
  const isMidYear = yearRules.from > planYear.begins;
  return { rules: yearRules, begins: isMidYear ? yearRules.from : planYear.begins, isMidYear };
}

/** Every number of plan rules is an amount. */
const convertAmounts = (value: unknown, convert: (amount: number) => number): unknown => {
  if (typeof value === 'number') return convert(value);
  if (Array.isArray(value)) return value.map((entry) => convertAmounts(entry, convert));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, convertAmounts(inner, convert)]),
  );
};

/** Plan rules with their amounts in dollars, as the command line reads and prints them. */
export const inPlanDollars = (rules: PlanRules): unknown =>
  convertAmounts(rules, (amount) => amount / 10_000);
/** @throws ZodError if the value is not plan rules in dollars */
export const readPlanDollars = (value: unknown): PlanRules =>
  planRulesSchema.parse(convertAmounts(value, (amount) => Math.round(amount * 10_000)));
