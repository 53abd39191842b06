import { z } from 'zod';
import type { ReviewedValues } from './reviewed-values.ts';

/** What was recorded of a payment. The first two add to what was reimbursed, the others take from it. */
export const paymentKinds = ['reimbursed', 'matchedToCard', 'repaid', 'reversed'] as const;
export type PaymentKind = (typeof paymentKinds)[number];

/** The parts of patient responsibility that an account may reimburse. */
export const eligibleParts = ['deductible', 'coinsurance', 'copay'] as const;
export type EligiblePart = (typeof eligibleParts)[number];

/** What an employer's account reimburses. `networks` null: any. `runOutDays`: for claims of a plan year after its end. */
export const reimbursementRulesSchema = z.object({
  parts: z.array(z.enum(eligibleParts)),
  networks: z.array(z.string().max(80)).max(20).nullable(),
  runOutDays: z.number().int().min(0).max(1000),
  /** Ten-thousandths of a dollar of a person's plan year from which it counts as high cost; null: none. */
  highCostFrom: z.number().int().min(0).nullable(),
});
export type ReimbursementRules = z.infer<typeof reimbursementRulesSchema>;

export const defaultReimbursementRules: ReimbursementRules = {
  parts: [...eligibleParts],
  networks: null,
  runOutDays: 90,
  highCostFrom: null,
};

/** The rules of a claim's employer: its own, else those of the workspace, else the usual ones. */
export function rulesOf(
  rules: Readonly<Record<string, ReimbursementRules>>,
  workspaceId: string,
  employerId: number | null,
): ReimbursementRules {
  return rules[`${workspaceId}/${employerId}`] ?? rules[workspaceId] ?? defaultReimbursementRules;
}

const fieldOf: Readonly<Record<EligiblePart, string>> = {
  deductible: 'reduction',
  coinsurance: 'coinsurance_patient',
  copay: 'copayment',
};

/** Dollars as ten-thousandths of a dollar; null for what is no number. */
const toTenThousandths = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value * 10_000) : null;

/**
 * What the rules let be reimbursed of a claim, in ten-thousandths of a dollar: the sum of the parts that count. Where
 * the carrier split nothing, patient responsibility as a whole if every part counts. Null: it cannot be known.
 */
export function computeEligible(
  values: Pick<ReviewedValues, 'fields'>,
  rules: ReimbursementRules,
): number | null {
  const { fields } = values;
  if (rules.networks !== null) {
    if (typeof fields.network !== 'string') return null;
    const network = fields.network.trim().toLowerCase();
    if (!rules.networks.some((one) => one.trim().toLowerCase() === network)) return 0;
  }
  const given = eligibleParts.filter((part) => toTenThousandths(fields[fieldOf[part]]) !== null);
  if (given.length === 0) {
    if (rules.parts.length < eligibleParts.length) return null;
    return toTenThousandths(fields.patient_responsibility);
  }
  return given
    .filter((part) => rules.parts.includes(part))
    .reduce((sum, part) => sum + (toTenThousandths(fields[fieldOf[part]]) ?? 0), 0);
}

/** The sum of payments, in their unit. */
export function sumPayments(payments: readonly { kind: PaymentKind; amount: number }[]): number {
  return payments.reduce(
    (sum, { kind, amount }) => sum + (kind === 'repaid' || kind === 'reversed' ? -amount : amount),
    0,
  );
}
