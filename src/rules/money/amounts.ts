import type { Amount } from '../query.ts';

/** Sums and remainders are in millionths of a dollar, the amounts of cells in ten-thousandths. */
const perTenThousandth = 100n;
/** The largest amount that a cell holds: about nine hundred billion dollars. No claim has a larger one. */
const largest = BigInt(Number.MAX_SAFE_INTEGER) * perTenThousandth;

const decimal = /^([+-]?)\$?(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

const divide = (value: bigint, by: bigint): bigint => {
  // Half and more is rounded away from zero.
  const size = value < 0n ? -value : value;
  const rounded = (2n * size + by) / (2n * by);
  return value < 0n ? -rounded : rounded;
};

/** Whether no amount was sent: null, or an empty text. */
export const isBlankAmount = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/**
 * Converts an amount as sent to millionths of a dollar, rounding finer ones. Columns, sums, rules and pages all use
 * this function. A decimal number may be sent as a number or as text ("200.50", "1e2", "$1,200.50"). Null where it is
 * blank or can't be a number (`isUnreadAmount`).
 */
export function readMillionths(value: unknown): bigint | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const match = decimal.exec(String(value).trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole.replaceAll(',', '') + fraction);
  const places = 6 + Number(exponent) - fraction.length;
  const size = places >= 0 ? digits * 10n ** BigInt(places) : divide(digits, 10n ** BigInt(-places));
  if (size > largest) return null;
  return sign === '-' ? -size : size;
}

/** Whether something was sent that can't be a number: it is shown as sent, and no sum counts it. */
export const isUnreadAmount = (value: unknown): boolean =>
  !isBlankAmount(value) && readMillionths(value) === null;

/** Millionths as whole ten-thousandths, rounded. */
export const roundMillionths = (millionths: bigint): bigint => divide(millionths, perTenThousandth);

/** An amount as sent, in ten-thousandths of a dollar, as cells hold it; null as in `readMillionths`. */
export function readTenThousandths(value: unknown): number | null {
  const millionths = readMillionths(value);
  return millionths === null ? null : Number(roundMillionths(millionths));
}

/** The amount of a cell, rounded to ten-thousandths, and the remainder in millionths. */
export function toCellAmount(millionths: bigint): { tenThousandths: number; rest: number } {
  const tenThousandths = roundMillionths(millionths);
  return {
    tenThousandths: Number(tenThousandths),
    rest: Number(millionths - tenThousandths * perTenThousandth),
  };
}

/** A sum from the bridge, in millionths. */
export function sumToMillionths(sum: Amount | bigint): bigint {
  const [whole = '', fraction = ''] = String(sum).split('.');
  return BigInt(whole + fraction.padEnd(2, '0'));
}

/** A sum in millionths in the form that crosses the bridge: see `amountSchema`. */
export function millionthsToSum(millionths: bigint): Amount {
  const size = millionths < 0n ? -millionths : millionths;
  const fraction = size % perTenThousandth;
  const whole = millionths / perTenThousandth;
  if (fraction === 0n) return Number.isSafeInteger(Number(whole)) ? Number(whole) : String(whole);
  return `${millionths < 0n ? '-' : ''}${size / perTenThousandth}.${String(fraction).padStart(2, '0')}`;
}

/** Adds two sums; null where neither is known. */
export function addSums(left: Amount | null, right: Amount | null): Amount | null {
  if (left === null || right === null) return left ?? right;
  return millionthsToSum(sumToMillionths(left) + sumToMillionths(right));
}

/** Millionths of a dollar as decimals: -12500000 is `-12.5`. */
export function writeMillionths(millionths: bigint): string {
  const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, '0');
  const fraction = digits.slice(-6).replace(/0+$/, '');
  return `${millionths < 0n ? '-' : ''}${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`;
}

export interface ExactSum {
  /** The sum in millionths of a dollar; null where there was no value at all. */
  readonly sum: bigint | null;
  readonly counted: number;
  /** The number of blank values. */
  readonly missing: number;
  /** The number of values that are not numbers. */
  readonly notCounted: number;
}

/** Adds amounts without floating point; missing values are counted, not taken as zero. */
export function sumExactly(values: readonly unknown[]): ExactSum {
  const amounts = values.map(readMillionths).filter((amount) => amount !== null);
  return {
    sum: amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0n),
    counted: amounts.length,
    missing: values.filter(isBlankAmount).length,
    notCounted: values.filter(isUnreadAmount).length,
  };
}
