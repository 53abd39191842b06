import { fieldsOf } from '../rules/list-fields.ts';
import { readTenThousandths, sumExactly } from '../rules/money/amounts.ts';
import type { ClaimRecord } from './records.ts';

/** An amount of an explanation of benefits. */
interface AmountStep {
  readonly field: keyof ClaimRecord & string;
  readonly label: string;
  /** The field of the calculated amount; null: the service calculates none. */
  readonly computedField: string | null;
  readonly meaning: string;
}

/**
 * The steps from the billed amount to patient responsibility, in their order, and then the parts of patient
 * responsibility and what other payers paid.
 */
const meanings = {
  amount_billed: 'Provider’s charge',
  discount: 'Network discount',
  amount_allowed: 'Plan’s allowed amount',
  amount_paid: 'Paid by the plan',
  patient_responsibility: 'Not a bill',
  reduction: 'Applied to the deductible',
  copayment: 'Copay',
  coinsurance_patient: 'Patient’s percentage (coinsurance)',
  amount_not_covered: 'Not covered by the plan',
  amount_paid_other: 'Coordination of benefits (COB)',
  incurred_value: 'Reported by the service',
} satisfies Partial<Record<keyof ClaimRecord, string>>;

const labels: ReadonlyMap<string, string> = new Map(fieldsOf.claims.map(({ path, label }) => [path, label]));

export const amountSteps = Object.entries(meanings).map(
  ([field, meaning]): AmountStep => ({
    field: field as keyof typeof meanings,
    label: labels.get(field) ?? field,
    computedField: labels.has(`computed_${field}`) ? `computed_${field}` : null,
    meaning,
  }),
);

/** The source of an amount in the explanation. `rest`: the remainder that makes the equation add up. */
type AmountOrigin = 'reported' | 'calculated' | 'lines' | 'rest';

/** One amount of the explanation, exact, in ten-thousandths of a dollar. */
export interface ExplainedAmount {
  readonly label: string;
  readonly amount: bigint;
  readonly origin: AmountOrigin;
}

/** The amount the service sent, else the one it computed, else the sum of all lines. Null is not zero. */
export function readAmount(claim: ClaimRecord, field: keyof ClaimRecord & string): ExplainedAmount | null {
  const step = amountSteps.find((amountStep) => amountStep.field === field);
  if (step === undefined) return null;
  const explain = (amount: number | bigint | null, origin: AmountOrigin): ExplainedAmount | null =>
    amount === null ? null : { label: step.label, amount: BigInt(amount), origin };
  const sent = explain(readTenThousandths(claim[step.field]), 'reported');
  const computed =
    step.computedField === null ? null : explain(readTenThousandths(claim[step.computedField]), 'calculated');
  return sent ?? computed ?? explain(sumOfLines(claim, field), 'lines');
}

function sumOfLines(claim: ClaimRecord, field: string): bigint | null {
  const { sum, missing, notCounted } = sumExactly(
    (claim.claim_medical_lines ?? []).map((line) => line[field]),
  );
  return missing + notCounted === 0 ? sum : null;
}
