import { readTenThousandths, sumExactly } from '../rules/money/amounts.ts';
import type { ClaimRecord } from './records.ts';

/** One step from the billed amount to patient responsibility. */
export interface AmountStep {
  readonly field: keyof ClaimRecord & string;
  readonly label: string;
  readonly computedField?: string;
  readonly meaning: string;
}

/** The steps of an explanation of benefits, in their order. */
export const chainSteps: readonly AmountStep[] = [
  {
    field: 'amount_billed',
    label: 'Billed',
    computedField: 'computed_amount_billed',
    meaning: 'Provider’s charge',
  },
  { field: 'discount', label: 'Discount', meaning: 'Network discount' },
  {
    field: 'amount_allowed',
    label: 'Allowed',
    computedField: 'computed_amount_allowed',
    meaning: 'Plan’s allowed amount',
  },
  {
    field: 'amount_paid',
    label: 'Plan paid',
    computedField: 'computed_amount_paid',
    meaning: 'Paid by the plan',
  },
  {
    field: 'patient_responsibility',
    label: 'Patient responsibility',
    computedField: 'computed_patient_responsibility',
    meaning: 'Not a bill',
  },
];

/** The parts of patient responsibility, and what other payers paid. */
export const detailSteps: readonly AmountStep[] = [
  {
    field: 'reduction',
    label: 'Deductible',
    computedField: 'computed_reduction',
    meaning: 'Applied to the deductible',
  },
  {
    field: 'copayment',
    label: 'Copay',
    computedField: 'computed_copayment',
    meaning: 'Copay',
  },
  {
    field: 'coinsurance_patient',
    label: 'Coinsurance',
    computedField: 'computed_coinsurance_patient',
    meaning: 'Patient’s percentage (coinsurance)',
  },
  { field: 'amount_not_covered', label: 'Not covered', meaning: 'Not covered by the plan' },
  { field: 'amount_paid_other', label: 'Paid by other insurance', meaning: 'Coordination of benefits (COB)' },
  { field: 'incurred_value', label: 'Incurred', meaning: 'Reported by the service' },
];

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
  const step = [...chainSteps, ...detailSteps].find((amountStep) => amountStep.field === field);
  if (step === undefined) return null;
  const explain = (amount: number | bigint | null, origin: AmountOrigin): ExplainedAmount | null =>
    amount === null ? null : { label: step.label, amount: BigInt(amount), origin };
  const sent = explain(readTenThousandths(claim[step.field]), 'reported');
  const computed =
    step.computedField === undefined
      ? null
      : explain(readTenThousandths(claim[step.computedField]), 'calculated');
  return sent ?? computed ?? explain(sumOfLines(claim, field), 'lines');
}

function sumOfLines(claim: ClaimRecord, field: string): bigint | null {
  const { sum, missing, notCounted } = sumExactly(
    (claim.claim_medical_lines ?? []).map((line) => line[field]),
  );
  return missing + notCounted === 0 ? sum : null;
}
