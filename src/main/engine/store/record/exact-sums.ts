import { toAmount } from '../../../../rules/money/amounts.ts';
import { type Amount, sumNames, type Totals } from '../../../../rules/query.ts';

/** The four amounts that every list of claims and lines adds up, and their columns, in the order of `sumNames`. */
export const sumColumns = [
  'amount_billed',
  'amount_allowed',
  'amount_paid',
  'patient_responsibility',
] as const;

/** The sum of one column in ten-thousandths, and how many amounts are not numbers. */
export interface ColumnSum {
  /** Null: no row has the amount. */
  cells: bigint | null;
  notCounted: number;
}

export const emptySum = (): ColumnSum => ({ cells: null, notCounted: 0 });

export const joinSums = (left: ColumnSum, right: ColumnSum): ColumnSum => ({
  cells: left.cells === null || right.cells === null ? (left.cells ?? right.cells) : left.cells + right.cells,
  notCounted: left.notCounted + right.notCounted,
});

/** Converts sums in the order of `sumColumns` to totals; members and dependents have none. */
export function toTotals(count: number, sums: readonly ColumnSum[]): Totals {
  const sumOf = (at: number): Amount | null => {
    const cells = sums[at]?.cells ?? null;
    return cells === null ? null : toAmount(cells);
  };
  const left = sumNames.flatMap((name, at) => {
    const { notCounted = 0 } = sums[at] ?? {};
    return notCounted === 0 ? [] : [[name, notCounted] as const];
  });
  return {
    count,
    billed: sumOf(0),
    allowed: sumOf(1),
    paid: sumOf(2),
    patientResponsibility: sumOf(3),
    ...(left.length === 0 ? {} : { notCounted: Object.fromEntries(left) }),
  };
}

/** Joins a sum that was added in two halves for exactness: the high part in units of 2^20, and the rest. */
export const joinHalves = (high: number, low: number): bigint => BigInt(high) * 1_048_576n + BigInt(low);
