import { formatCountOf } from '../../rules/count.ts';
import { toDecimalText, writeDollars } from '../../rules/money/dollars.ts';

/** Shown for a missing value. Never a zero. */
export const noValue = '–';

/**
 * US dollars, exactly: at least two decimals, all of them where there are more, a minus sign before the dollar sign
 * for credits. Anything but a number is shown as received.
 */
export function formatExactMoney(value: unknown): string {
  return writeDollars(value, 'all') ?? noValue;
}

/** US dollars to the cent, as on a statement: half a cent and more is rounded away from zero. */
export function formatMoney(value: unknown): string {
  return writeDollars(value) ?? noValue;
}

/** The exact amount, where rounding to the cent omits digits; shown on hover. */
export function exactMoneyTitle(value: unknown): string | undefined {
  const exact = formatExactMoney(value);
  return exact === formatMoney(value) ? undefined : exact;
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

/** "1 amount not counted": for a sum that leaves out values that are not numbers; null where it leaves out none. */
export const sayNotCounted = (count = 0): string | null =>
  count === 0 ? null : `${formatCountOf(count, 'amount')} not counted`;

/** The explanation of an amount that is shown as received. */
export const unreadAmount = 'Not a number: no sum counts it';
