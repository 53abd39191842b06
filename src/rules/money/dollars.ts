import type { Amount } from '../query.ts';
import { readTenThousandths } from './amounts.ts';

/** How many decimals are shown: two, or as many as the amount has. */
type Digits = 'cents' | 'all';

/**
 * Ten-thousandths of a dollar as US dollars, to the cent (half a cent and more is rounded away from zero) or exactly. A
 * minus sign before the dollar sign for credits.
 */
function formatAmount(amount: bigint, digits: Digits): string {
  const size = amount < 0n ? -amount : amount;
  const shown = digits === 'all' ? size : ((size + 50n) / 100n) * 100n;
  const whole = String(shown / 10_000n).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = String(shown % 10_000n)
    .padStart(4, '0')
    .replace(/0{1,2}$/, '');
  return `${amount < 0n && shown > 0n ? '−' : ''}$${whole}.${fraction}`;
}

/**
 * The same for a value as sent. Anything but an amount in range is written as received; null where there is no value.
 * @example writeDollars(1200.505) // '$1,200.51'
 */
export function writeDollars(value: unknown, digits: Digits = 'cents'): string | null {
  if (value === null || value === undefined || value === '') return null;
  const amount = readTenThousandths(value);
  if (amount !== null) return formatAmount(BigInt(amount), digits);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * A total to the cent; totals cross the bridge as `amountSchema` has them.
 * @example formatTenThousandths(-1_234_567) // '−$123.46'
 */
export const formatTenThousandths = (amount: bigint | Amount | null): string =>
  amount === null ? '–' : formatAmount(BigInt(amount), 'cents');

/**
 * The same with all its decimals.
 * @example formatExactly(1_234_567) // '$123.4567'
 */
export const formatExactly = (amount: bigint | Amount): string => formatAmount(BigInt(amount), 'all');
