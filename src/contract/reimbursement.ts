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

/** What the eligible amount follows from, beside the rules. */
export const eligibleFields = [
  'network',
  'reduction',
  'coinsurance_patient',
  'copayment',
  'patient_responsibility',
] as const;

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
 * every part counts, the carrier may have split nothing, which is patient responsibility as a whole. A part that is
 * missing counts as 0 only where the others add up to patient responsibility. Null: it cannot be known.
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
  const amountOf = (part: EligiblePart): number | null => toTenThousandths(fields[fieldOf[part]]);
  const sumOf = (parts: readonly EligiblePart[]): number =>
    parts.reduce((sum, part) => sum + (amountOf(part) ?? 0), 0);
  const responsibility = toTenThousandths(fields.patient_responsibility);
  const isUnsplit = eligibleParts.every((part) => amountOf(part) === null);
  if (isUnsplit && rules.parts.length === eligibleParts.length) return responsibility;
  const isKnown = rules.parts.every((part) => amountOf(part) !== null);
  const isWhole = !isUnsplit && sumOf(eligibleParts) === responsibility;
  return isKnown || isWhole ? sumOf(rules.parts) : null;
}

/** The sum of payments, in their unit. */
export function sumPayments(payments: readonly { kind: PaymentKind; amount: number }[]): number {
  return payments.reduce(
    (sum, { kind, amount }) => sum + (kind === 'repaid' || kind === 'reversed' ? -amount : amount),
    0,
  );
}
