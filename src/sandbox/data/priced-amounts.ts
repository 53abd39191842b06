import type { ClaimTypeName } from './codes.ts';
import { isHostile } from './corpus.ts';
import type { RandomStream } from './random.ts';

/**
 * Amounts of one line, in ten-thousandths of a dollar, adding up the way an explanation of benefits does:
 *
 * billed − discount = allowed = paid + patient patient = not covered + reduction (deductible) + copayment +
 * coinsurance
 *
 * `paidOther` is what another plan pays of the patient's part; it is reported, not subtracted.
 */
export type PricedAmounts = {
  billed: number;
  discount: number;
  allowed: number;
  notCovered: number;
  reduction: number;
  copayment: number;
  coinsurance: number;
  patient: number;
  paid: number;
  paidOther: number;
};

export const UNITS_PER_DOLLAR = 10_000;
const UNITS_PER_CENT = 100;

const BILLED_DOLLARS: Readonly<Record<ClaimTypeName, readonly [number, number]>> = {
  medical: [25, 900],
  facility: [150, 9000],
  rx: [8, 1200],
  dental: [50, 1800],
  vision: [30, 480],
};

const DEDUCTIBLE_PERCENTS = [100, 100, 50, 25] as const;
const COPAY_DOLLARS = [0, 20, 30, 50] as const;
const COINSURANCE_PERCENTS = [0, 0, 10, 20, 30] as const;

type LinePlan = {
  readonly type: ClaimTypeName;
  readonly isFirst: boolean;
  readonly isDenied: boolean;
  /** Percentage of lines that still meet the deductible: high early in a plan year. */
  readonly deductiblePercent: number;
  /** The most that the line may add to the deductible, in ten-thousandths of a dollar. */
  readonly deductibleLimit: number;
};

export const zeroAmounts = (): PricedAmounts => ({
  billed: 0,
  discount: 0,
  allowed: 0,
  notCovered: 0,
  reduction: 0,
  copayment: 0,
  coinsurance: 0,
  patient: 0,
  paid: 0,
  paidOther: 0,
});

/** Returns the billed amount of a line. Some drug prices have four decimals. */
export function billedUnits(r: RandomStream, type: ClaimTypeName): number {
  const [low, high] = BILLED_DOLLARS[type];
  const units = r.between(low * UNITS_PER_DOLLAR, high * UNITS_PER_DOLLAR);
  return type === 'rx' && r.chance(10) && isHostile()
    ? units
    : Math.round(units / UNITS_PER_CENT) * UNITS_PER_CENT;
}

/** Prices a billed line as the plan does. */
export function priceLine(r: RandomStream, billed: number, plan: LinePlan): PricedAmounts {
  const discount = partOf(billed, r.between(0, 60));
  const allowed = billed - discount;
  const amounts: PricedAmounts = { ...zeroAmounts(), billed, discount, allowed };
  const hasDeductible = r.chance(plan.deductiblePercent);
  const deductiblePercent = r.pick(DEDUCTIBLE_PERCENTS);
  const copayUnits = r.pick(COPAY_DOLLARS) * UNITS_PER_DOLLAR;
  const coinsurancePercent = r.pick(COINSURANCE_PERCENTS);
  if (plan.isDenied) {
    amounts.notCovered = allowed;
    amounts.patient = allowed;
    return amounts;
  }
  amounts.reduction = hasDeductible ? Math.min(plan.deductibleLimit, partOf(allowed, deductiblePercent)) : 0;
  const afterDeductible = allowed - amounts.reduction;
  amounts.copayment = plan.isFirst ? Math.min(afterDeductible, copayUnits) : 0;
  amounts.coinsurance = partOf(afterDeductible - amounts.copayment, coinsurancePercent);
  amounts.patient = amounts.reduction + amounts.copayment + amounts.coinsurance;
  amounts.paid = allowed - amounts.patient;
  if (r.chance(3)) amounts.paidOther = partOf(amounts.patient, 50);
  return amounts;
}

/** Reverses a line: every amount is negative. */
export function reversalOf(amounts: PricedAmounts): PricedAmounts {
  const reversed = zeroAmounts();
  for (const key of Object.keys(reversed) as (keyof PricedAmounts)[]) reversed[key] = 0 - amounts[key];
  return reversed;
}

export function addAmounts(total: PricedAmounts, line: PricedAmounts): void {
  total.billed += line.billed;
  total.discount += line.discount;
  total.allowed += line.allowed;
  total.notCovered += line.notCovered;
  total.reduction += line.reduction;
  total.copayment += line.copayment;
  total.coinsurance += line.coinsurance;
  total.patient += line.patient;
  total.paid += line.paid;
  total.paidOther += line.paidOther;
}

/** Returns a part in whole cents, at most the whole, because drug prices have fractions of a cent. */
function partOf(units: number, percent: number): number {
  if (percent === 100) return units;
  return Math.min(units, Math.round((units * percent) / 100 / UNITS_PER_CENT) * UNITS_PER_CENT);
}
