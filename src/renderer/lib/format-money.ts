import {
  isBlankAmount,
  isUnreadAmount,
  readMillionths,
  sumToMillionths,
  writeMillionths,
} from '../../contract/amounts.ts';
import type { Amount } from '../../contract/query.ts';

/** Shown for a missing value. Never a zero. */
export const noValue = '–';

/**
 * A number's digits without an exponent, exactly as in the JSON ("12.5", "-0.0001"). Null for anything but a decimal
 * number.
 */
export function toDecimalText(value: unknown): string | null {
  if (typeof value !== 'number' && typeof value !== 'string' && typeof value !== 'bigint') return null;
  const match = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(String(value).trim());
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (!Number.isSafeInteger(exponent) || Math.abs(exponent) > 400) return null;
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const padded = digits.padStart(digits.length + Math.max(0, 1 - point), '0').padEnd(Math.max(point, 1), '0');
  const cut = Math.max(point, 1);
  const left = padded.slice(0, cut).replace(/^0+(?=\d)/, '');
  const right = padded.slice(cut).replace(/0+$/, '');
  const isZero = /^0*$/.test(left + right);
  return `${sign === '-' && !isZero ? '-' : ''}${left}${right === '' ? '' : `.${right}`}`;
}

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * US dollars, exactly: at least two decimals, all of them where there are more, a minus sign before the dollar sign
 * for credits. Anything but a number is shown as received.
 */
export function formatExactMoney(value: unknown): string {
  return writeMoney(value, (text) => text);
}

/** US dollars to the cent, as on a statement: half a cent and more is rounded away from zero. */
export function formatMoney(value: unknown): string {
  return writeMoney(value, roundToCents);
}

/** The exact amount, where rounding to the cent omits digits; shown on hover. */
export function exactMoneyTitle(value: unknown): string | undefined {
  const exact = formatExactMoney(value);
  return exact === formatMoney(value) ? undefined : exact;
}

function writeMoney(value: unknown, round: (decimal: string) => string): string {
  if (value === null || value === undefined || value === '') return noValue;
  const exact = toDecimalText(value) ?? readAsDecimal(value);
  if (exact === null) return typeof value === 'string' ? value : JSON.stringify(value);
  const text = round(exact);
  const isNegative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (isNegative ? text.slice(1) : text).split('.');
  return `${isNegative ? '−' : ''}$${groupThousands(whole)}.${fraction.padEnd(2, '0')}`;
}

/** An amount as text that is more than digits, such as "$1,200.50". */
function readAsDecimal(value: unknown): string | null {
  const millionths = readMillionths(value);
  return millionths === null ? null : writeMillionths(millionths);
}

function roundToCents(text: string): string {
  const isNegative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (isNegative ? text.slice(1) : text).split('.');
  if (fraction.length <= 2) return text;
  const cents = BigInt(whole + fraction.slice(0, 2)) + (fraction.charAt(2) >= '5' ? 1n : 0n);
  const digits = cents.toString().padStart(3, '0');
  return `${isNegative && cents > 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The exact amount in ten-thousandths of a dollar; null for a finer one or anything but a number. */
export function toTenThousandths(value: unknown): bigint | null {
  const text = toDecimalText(value);
  if (text === null) return null;
  const isNegative = text.startsWith('-');
  const [whole = '0', fraction = ''] = (isNegative ? text.slice(1) : text).split('.');
  if (fraction.length > 4) return null;
  const amount = BigInt(whole + fraction.padEnd(4, '0'));
  return isNegative ? -amount : amount;
}

/** A total to the cent; totals cross the bridge as `amountSchema` has them. */
export function formatTenThousandths(amount: bigint | Amount | null): string {
  return formatMoney(toDollars(amount));
}

/** A total in dollars as decimal text, exactly. */
export function toDollars(amount: bigint | Amount | null): string | null {
  return amount === null ? null : writeMillionths(sumToMillionths(amount));
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

/** "1 amount not counted": for a sum that leaves out values that are not numbers; null where it leaves out none. */
export const sayNotCounted = (count = 0): string | null =>
  count === 0 ? null : `${count.toLocaleString('en-US')} ${count === 1 ? 'amount' : 'amounts'} not counted`;

/** The explanation of an amount that is shown as received. */
export const unreadAmount = 'Not a number: no sum counts it';
