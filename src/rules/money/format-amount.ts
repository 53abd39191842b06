import type { Amount } from '../query.ts';
import { decimalsOf, readTenThousandths, splitAmount } from './amounts.ts';

/** How many decimals are shown: two, or as many as the amount has. */
type Digits = 'cents' | 'all';

/** Half a cent and more is rounded away from zero. */
function roundToCents(amount: bigint | Amount): bigint | number {
  if (Number.isSafeInteger(amount)) {
    const rest = (amount as number) % 100;
    return (amount as number) - rest + (rest >= 50 ? 100 : rest <= -50 ? -100 : 0);
  }
  const exact = BigInt(amount);
  return ((exact + (exact < 0n ? -50n : 50n)) / 100n) * 100n;
}

const groupDigits = (digits: string): string =>
  digits.length > 3 ? `${groupDigits(digits.slice(0, -3))},${digits.slice(-3)}` : digits;

/** Formats ten-thousandths of a dollar, to the cent or exactly. Credits have a minus sign before the dollar sign. */
function formatAmount(amount: bigint | Amount, digits: Digits): string {
  const [isNegative, dollars, rest] = splitAmount(digits === 'all' ? amount : roundToCents(amount));
  return `${isNegative ? '−' : ''}$${groupDigits(dollars)}.${decimalsOf(rest)}`;
}

/**
 * Formats a value as sent. Anything but an amount in range is written as received; null for no value.
 * @example writeDollars(1200.505) // '$1,200.51'
 */
export function writeDollars(value: unknown, digits: Digits = 'cents'): string | null {
  if (value === null || value === undefined || value === '') return null;
  const amount = readTenThousandths(value);
  if (amount !== null) return formatAmount(amount, digits);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Formats a total to the cent; totals cross the bridge as in `amountSchema`.
 * @example formatTenThousandths(-1_234_567) // '−$123.46'
 */
export const formatTenThousandths = (amount: bigint | Amount | null): string =>
  amount === null ? '–' : formatAmount(amount, 'cents');

/**
 * Formats a total with all its decimals.
 * @example formatExactly(1_234_567) // '$123.4567'
 */
export const formatExactly = (amount: bigint | Amount): string => formatAmount(amount, 'all');
