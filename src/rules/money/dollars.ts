import type { Amount } from '../query.ts';
import { isUnreadAmount, readMillionths, sumToMillionths, writeMillionths } from './amounts.ts';

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
 * US dollars, to the cent (half a cent and more is rounded away from zero) or exactly: then at least two decimals, all of
 * them where there are more. A minus sign before the dollar sign for credits. Anything but an amount in range is written
 * as received; null where there is no value.
 */
export function writeDollars(value: unknown, digits: 'cents' | 'all' = 'cents'): string | null {
  if (value === null || value === undefined || value === '') return null;
  if (isUnreadAmount(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  const exact = toDecimalText(value) ?? readAsDecimal(value);
  if (exact === null) return typeof value === 'string' ? value : JSON.stringify(value);
  const text = digits === 'all' ? exact : roundToCents(exact);
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

/** A total to the cent; totals cross the bridge as `amountSchema` has them. */
export function formatTenThousandths(amount: bigint | Amount | null): string {
  return writeDollars(toDollars(amount)) ?? '–';
}

/** A total in dollars as decimal text, exactly. */
export function toDollars(amount: bigint | Amount | null): string | null {
  return amount === null ? null : writeMillionths(sumToMillionths(amount));
}
