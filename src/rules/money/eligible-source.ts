import type { ReviewedValues } from '../review/reviewed-values.ts';
import { isBlankAmount, isUnreadAmount, readTenThousandths } from './amounts.ts';

/**
 * The values of a claim on which its eligible amount depends. Amounts are ten-thousandths of a dollar: as sent,
 * otherwise as calculated, otherwise (those in `lineAmounts`) the sum of the lines, if every line has the amount.
 */
export interface EligibleSource {
  readonly status: string | null;
  readonly network: string | null;
  readonly deductible: number | null;
  readonly coinsurance: number | null;
  readonly copay: number | null;
  readonly responsibility: number | null;
  readonly notCovered: number | null;
  readonly allowed: number | null;
  readonly planPaid: number | null;
  readonly otherPaid: number | null;
  /** The amount is blank on the claim and on some of its lines, but not on all of them. */
  readonly isNotCoveredPartial: boolean;
  readonly isOtherPaidPartial: boolean;
  /** The value sent for one of `neededAmounts` can't be a number. */
  readonly isUnread: boolean;
}

type EligibleField = Exclude<keyof EligibleSource, `is${string}`>;

/** The field of a claim for each of these values. */
export const eligibleFields = {
  status: 'status',
  network: 'network',
  deductible: 'reduction',
  coinsurance: 'coinsurance_patient',
  copay: 'copayment',
  responsibility: 'patient_responsibility',
  notCovered: 'amount_not_covered',
  allowed: 'amount_allowed',
  planPaid: 'amount_paid',
  otherPaid: 'amount_paid_other',
} as const satisfies Readonly<Record<EligibleField, string>>;

/** The amounts that are read from the lines if the claim's own are blank. */
export const lineAmounts = ['deductible', 'coinsurance', 'copay', 'notCovered', 'otherPaid'] as const;
export const lineFields: readonly string[] = lineAmounts.map((name) => eligibleFields[name]);

/**
 * The fields whose amount must be a number for the eligible amount to be known. The allowed and the paid amount are not
 * among them: if they can't be numbers, they count as blank, which rows of the table cover.
 */
export const neededAmounts: readonly string[] = [...lineFields, eligibleFields.responsibility];

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The values of a claim, and of its lines, from which an eligible amount is computed. */
export type EligibleValues = Pick<ReviewedValues, 'fields'> & Partial<Pick<ReviewedValues, 'lines'>>;

/** Picks these values from a claim as stored by a review or a payment. */
export function pickEligibleValues({ fields, lines = [] }: EligibleValues): EligibleValues {
  const pick = (from: ReviewedValues['fields'], names: readonly string[]): ReviewedValues['fields'] =>
    Object.fromEntries(
      names.flatMap((name) => (isBlankAmount(from[name]) ? [] : [[name, from[name] ?? null]])),
    );
  return {
    fields: pick(fields, Object.values(eligibleFields)),
    lines: lines.map((line) => pick(line, lineFields)),
  };
}

/** Reads the values that the eligible amount is computed from. */
export function readEligibleSource({ fields, lines = [] }: EligibleValues): EligibleSource {
  const fieldOf = (name: EligibleField): unknown => fields[eligibleFields[name]];
  const ofLines = (name: EligibleField): unknown[] =>
    isBlankAmount(fieldOf(name)) ? lines.map((line) => line[eligibleFields[name]]) : [];
  const amount = (name: EligibleField): number | null => readTenThousandths(fieldOf(name));
  const withLines = (name: (typeof lineAmounts)[number]): number | null => {
    const amounts = ofLines(name).map(readTenThousandths);
    if (amounts.length === 0) return amount(name);
    return amounts.reduce(
      (sum, lineAmount) => (sum === null || lineAmount === null ? null : sum + lineAmount),
      0,
    );
  };
  const isPartial = (name: EligibleField): boolean => {
    const blank = ofLines(name).filter(isBlankAmount).length;
    return blank > 0 && blank < lines.length;
  };
  return {
    status: toText(fields.status),
    network: toText(fields.network),
    deductible: withLines('deductible'),
    coinsurance: withLines('coinsurance'),
    copay: withLines('copay'),
    responsibility: amount('responsibility'),
    notCovered: withLines('notCovered'),
    allowed: amount('allowed'),
    planPaid: amount('planPaid'),
    otherPaid: withLines('otherPaid'),
    isNotCoveredPartial: isPartial('notCovered'),
    isOtherPaidPartial: isPartial('otherPaid'),
    isUnread:
      neededAmounts.some((field) => isUnreadAmount(fields[field])) ||
      lineAmounts.some((name) => ofLines(name).some(isUnreadAmount)),
  };
}
