import { formatCountOf } from '../../rules/count.ts';
import { writeDollars } from '../../rules/money/dollars.ts';

/** Shown for a missing value. Never a zero. */
export const noValue = '–';

/** US dollars to the cent, as on a statement: half a cent and more is rounded away from zero. */
export const formatMoney = (value: unknown): string => writeDollars(value) ?? noValue;

/** The exact amount, where rounding to the cent omits digits; shown on hover. */
export function exactMoneyTitle(value: unknown): string | undefined {
  const exact = writeDollars(value, 'all') ?? undefined;
  return exact === writeDollars(value) ? undefined : exact;
}

/** "1 amount not counted": for a sum that leaves out values that are not numbers; null where it leaves out none. */
export const sayNotCounted = (count = 0): string | null =>
  count === 0 ? null : `${formatCountOf(count, 'amount')} not counted`;

/** The explanation of an amount that is shown as received. */
export const unreadAmount = 'Not a number: no sum counts it';
