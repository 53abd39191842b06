import type { ClaimRecord } from '../../../contract/records.ts';
import { type ExactSum, sumExactly, toTenThousandths } from '../../lib/format-money.ts';

/** One step from what was billed to what the patient owes. */
export interface AmountStep {
  readonly field: keyof ClaimRecord & string;
  readonly label: string;
  /** The service's own value beside it, where it has one. */
  readonly computedField?: string;
  readonly meaning: string;
}

/** The chain of an explanation of benefits, in its order. */
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

/** What the patient's part is made of, and what other payers did. */
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
  { field: 'amount_paid_other', label: 'Paid by other insurance (COB)', meaning: 'Paid by other insurance' },
  { field: 'incurred_value', label: 'Incurred', meaning: 'Reported by the service' },
];

/** The columns of the lines table that have a counterpart in the claim's header. */
export const lineSumFields = [
  'amount_billed',
  'discount',
  'amount_allowed',
  'amount_paid',
  'reduction',
  'copayment',
  'coinsurance_patient',
  'amount_not_covered',
  'patient_responsibility',
] as const;
export type LineSumField = (typeof lineSumFields)[number];

export interface LineSum extends ExactSum {
  /** Sum of the lines less the claim's own amount; null where they agree or cannot be compared. */
  readonly difference: bigint | null;
}

/** The exact sum of a column over the lines, and whether the claim says otherwise. */
export function sumLines(claim: ClaimRecord, field: LineSumField): LineSum {
  const total = sumExactly((claim.claim_medical_lines ?? []).map((line) => line[field]));
  const header = toTenThousandths(claim[field]);
  const isComparable = total.isExact && total.sum !== null && total.missing === 0 && header !== null;
  const difference = isComparable && total.sum !== null ? total.sum - (header ?? 0n) : 0n;
  return { ...total, difference: difference === 0n ? null : difference };
}
