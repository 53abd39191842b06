import type { Amount } from '../query.ts';

/** The largest amount: about nine hundred billion dollars. No claim has a larger one. */
const largest = BigInt(Number.MAX_SAFE_INTEGER);

const decimal = /^([+-]?)\$?(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/** Divides what is not negative; half and more is rounded up. */
const divide = (value: bigint, divisor: bigint): bigint => (2n * value + divisor) / (2n * divisor);

/**
 * Whether no amount was sent: null, or an empty text.
 * @example isBlankAmount(' ') // true
 */
export const isBlankAmount = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/**
 * Converts an amount as sent to ten-thousandths of a dollar, rounding finer ones, half away from zero. Columns, sums,
 * rules and pages all use this function. A decimal number may be sent as a number or as text ("200.50", "1e2",
 * "$1,200.50"). Null where it is blank or can't be a number (`isUnreadAmount`).
 * @example readTenThousandths('$1,200.50') // 12_005_000
 */
export function readTenThousandths(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const match = decimal.exec(String(value).trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole.replaceAll(',', '') + fraction);
  const places = 4 + Number(exponent) - fraction.length;
  const size = places >= 0 ? digits * 10n ** BigInt(places) : divide(digits, 10n ** BigInt(-places));
  if (size > largest) return null;
  return Number(sign === '-' ? -size : size);
}

/**
 * Whether something was sent that can't be a number: it is shown as sent, and no sum counts it.
 * @example isUnreadAmount('about 20') // true
 */
export const isUnreadAmount = (value: unknown): boolean =>
  !isBlankAmount(value) && readTenThousandths(value) === null;

/**
 * A sum in the form that crosses the bridge: see `amountSchema`.
 * @example toAmount(10n ** 16n) // '10000000000000000'
 */
export const toAmount = (sum: bigint): Amount =>
  Number.isSafeInteger(Number(sum)) ? Number(sum) : String(sum);

/**
 * Adds two sums; null where neither is known.
 * @example addSums(12_500, null) // 12_500
 */
export function addSums(left: Amount | null, right: Amount | null): Amount | null {
  if (left === null || right === null) return left ?? right;
  return toAmount(BigInt(left) + BigInt(right));
}

/**
 * Ten-thousandths of a dollar as decimals, without zeros at the end: -125000 is `-12.5`.
 * @example writeDecimals(-125_000) // '-12.5'
 */
export function writeDecimals(amount: bigint | Amount): string {
  const text = String(amount);
  const sign = text.startsWith('-') ? '-' : '';
  const digits = text.slice(sign.length).padStart(5, '0');
  const fraction = digits.slice(-4).replace(/0+$/, '');
  return `${sign}${digits.slice(0, -4)}${fraction === '' ? '' : `.${fraction}`}`;
}

export interface ExactSum {
  /** The sum in ten-thousandths of a dollar; null where there was no value. */
  readonly sum: bigint | null;
  readonly counted: number;
  readonly missing: number;
  readonly notCounted: number;
}

/**
 * Adds amounts without floating point; missing values are counted, not taken as zero.
 * @example sumExactly([0.1, '0.2', null, 'n/a']) // { sum: 3_000n, counted: 2, missing: 1, notCounted: 1 }
 */
export function sumExactly(values: readonly unknown[]): ExactSum {
  const amounts = values.map(readTenThousandths).filter((amount) => amount !== null);
  return {
    sum: amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + BigInt(amount), 0n),
    counted: amounts.length,
    missing: values.filter(isBlankAmount).length,
    notCounted: values.filter(isUnreadAmount).length,
  };
}
