import { type ExplainedAmount, readAmount } from '../../../contract/claim-amounts.ts';
import type { ClaimRecord } from '../../../contract/records.ts';
import type { comparedAmounts } from '../../../rules/list-fields.ts';
import { type ExactSum, readTenThousandths, sumExactly } from '../../../rules/money/amounts.ts';

/** An equation: `from` minus each of `less` is exactly `total`. */
export interface Equation {
  readonly from: ExplainedAmount;
  readonly less: readonly ExplainedAmount[];
  readonly total: ExplainedAmount;
}

/**
 * A claim's amounts as an explanation of benefits. An equation is null where its first or last amount is unknown:
 * then its amounts are in `loose`.
 */
interface Explanation {
  readonly toAllowed: Equation | null;
  readonly toPaid: Equation | null;
  readonly patient: ExplainedAmount | null;
  /** The known parts of patient responsibility; null where they do not add up to it. */
  readonly patientParts: readonly ExplainedAmount[] | null;
  readonly paidOther: ExplainedAmount | null;
  readonly loose: readonly ExplainedAmount[];
}

const addUp = (amounts: readonly ExplainedAmount[]): bigint =>
  amounts.reduce((sum, { amount }) => sum + amount, 0n);

function equationOf(
  from: ExplainedAmount | null,
  less: readonly ExplainedAmount[],
  total: ExplainedAmount | null,
): Equation | null {
  if (from === null || total === null) return null;
  const rest = from.amount - addUp(less) - total.amount;
  const added: ExplainedAmount = {
    label: rest > 0n ? 'Other, not itemized' : 'Added, not itemized',
    amount: rest,
    origin: 'rest',
  };
  return { from, less: rest === 0n ? less : [...less, added], total };
}

const isKnown = (amount: ExplainedAmount | null): amount is ExplainedAmount => amount !== null;

/**
 * Billed minus discount is allowed; allowed minus the patient's parts is what the plan paid. Carriers subtract the
 * non-covered amount before or after the allowed amount: it is placed where the amounts add up, else before. The
 * payment of other insurance is subtracted only if the amounts add up no other way. Any remainder is shown as an amount
 * of its own, so that every equation on screen holds.
 */
export function explainAmounts(claim: ClaimRecord): Explanation {
  const read = (field: keyof ClaimRecord & string) => readAmount(claim, field);
  const [billed, allowed, paid] = [read('amount_billed'), read('amount_allowed'), read('amount_paid')];
  const [discount, notCovered] = [read('discount'), read('amount_not_covered')];
  const patientParts = [read('reduction'), read('copayment'), read('coinsurance_patient')].filter(isKnown);
  const isAfterAllowed =
    billed !== null &&
    allowed !== null &&
    notCovered !== null &&
    billed.amount - (discount?.amount ?? 0n) === allowed.amount;
  const before = [discount, isAfterAllowed ? null : notCovered].filter(isKnown);
  const after = [isAfterAllowed ? notCovered : null, ...patientParts].filter(isKnown);
  const toAllowed = equationOf(billed, before, allowed);
  const other = read('amount_paid_other');
  const withOther = [...after, other].filter(isKnown);
  const addsUp = (from: ExplainedAmount | null, less: readonly ExplainedAmount[]): boolean =>
    from !== null && paid !== null && from.amount - addUp(less) === paid.amount;
  // The amount that another insurance paid is deducted only where the carrier's own amounts add up that way.
  const less = !addsUp(allowed, after) && addsUp(allowed, withOther) ? withOther : after;
  // Without an allowed amount, the whole chain is one equation if it adds up.
  const whole = [...before, ...after];
  const toPaid =
    allowed === null && addsUp(billed, whole)
      ? equationOf(billed, whole, paid)
      : equationOf(allowed, less, paid);
  const patient = read('patient_responsibility');
  const parts = [notCovered, ...patientParts].filter(isKnown);
  const partsThatFit = [parts, patientParts].find(
    (some) => some.length > 0 && patient !== null && addUp(some) === patient.amount,
  );
  const shown = new Set(
    [toAllowed, toPaid]
      .filter((equation) => equation !== null)
      .flatMap(({ from, less, total }) => [from, ...less, total]),
  );
  return {
    toAllowed,
    toPaid,
    patient,
    patientParts: partsThatFit?.filter(({ amount }) => amount !== 0n) ?? null,
    paidOther: other !== null && shown.has(other) ? null : other,
    loose: [billed, ...before, allowed, ...after, paid]
      .filter(isKnown)
      .filter((amount) => !shown.has(amount)),
  };
}

/** A column of the lines table that has a counterpart in the claim's header. */
export type LineSumField = (typeof comparedAmounts)[number];

export interface LineSum extends ExactSum {
  /** Sum of the lines minus the claim's own amount, in ten-thousandths of a dollar; null where they agree or cannot be compared. */
  readonly difference: bigint | null;
}

/** The exact sum of a column over the lines, and whether the claim's own amount differs. */
export function sumLines(claim: ClaimRecord, field: LineSumField): LineSum {
  const total = sumExactly((claim.claim_medical_lines ?? []).map((line) => line[field]));
  const header = readTenThousandths(claim[field]);
  const isComparable = total.sum !== null && total.missing + total.notCounted === 0 && header !== null;
  const difference = isComparable && total.sum !== null ? total.sum - BigInt(header ?? 0) : 0n;
  return { ...total, difference: difference === 0n ? null : difference };
}
