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
 * Joins a sum made in two halves because a plain one would not be exact: the high part in units of 2^20, and the rest.
 */
export const joinHalves = (high: bigint | null, low: bigint | null): bigint | null =>
  high === null || low === null ? null : high * 1_048_576n + low;
