import type { Amount, Totals } from '../../../../contract/query.ts';

/** The four amounts that every list of claims and lines adds up, and their columns. */
export const sumColumns = [
  'amount_billed',
  'amount_allowed',
  'amount_paid',
  'patient_responsibility',
] as const;

/** A sum as it crosses the bridge: a number where a double holds it exactly, else its digits. */
export function toAmount(sum: bigint | null): Amount | null {
  if (sum === null) return null;
  const plain = Number(sum);
  return Number.isSafeInteger(plain) ? plain : String(sum);
}

/** `[count, four sums]` as totals; members and dependents have no sums. */
export function toTotals(count: number, sums: readonly (bigint | null)[]): Totals {
  const [billed = null, allowed = null, paid = null, patientResponsibility = null] = sums.map(toAmount);
  return { count, billed, allowed, paid, patientResponsibility };
}

/**
 * Adds the whole ten-thousandths of these row indexes exactly; NaN is null. Doubles are exact as long as no partial
 * sum can pass 2^53, which the sum of the magnitudes shows; beyond that the same values are added again as big
 * integers.
 */
export function sumExactly(rowIndexes: Uint32Array, values: Float64Array): bigint | null {
  let [sum, magnitude, present] = [0, 0, 0];
  for (let index = 0; index < rowIndexes.length; index += 1) {
    const value = values[rowIndexes[index] as number] as number;
    if (Number.isNaN(value)) continue;
    sum += value;
    magnitude += value < 0 ? -value : value;
    present += 1;
  }
  if (present === 0) return null;
  if (magnitude <= Number.MAX_SAFE_INTEGER) return BigInt(sum);
  let exact = 0n;
  for (const row of rowIndexes) {
    const value = values[row] as number;
    if (!Number.isNaN(value)) exact += BigInt(value);
  }
  return exact;
}

/**
 * Joins a sum that SQL made in two halves because the plain one would pass 2^63: high part in units of 2^20, and the
 * rest.
 */
export const joinHalves = (high: bigint | null, low: bigint | null): bigint | null =>
  high === null || low === null ? null : high * 1_048_576n + low;
