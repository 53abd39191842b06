import { formatCountOf } from '../../rules/count.ts';
import { formatExactly, formatTenThousandths, writeDollars } from '../../rules/money/format-amount.ts';
import type { Amount } from '../../rules/query.ts';

/** Shown for a missing value. Never a zero. */
export const noValue = '–';

/** An amount as sent in US dollars to the cent, as on a statement: half a cent and more is rounded away from zero. */
export const formatMoney = (sent: unknown): string => writeDollars(sent) ?? noValue;

/** The exact amount, where rounding to the cent omits digits; shown on hover. */
export function exactTitle(amount: bigint | Amount | null): string | undefined {
  const exact = amount === null ? undefined : formatExactly(amount);
  return exact === formatTenThousandths(amount) ? undefined : exact;
}

/** "1 amount not counted": for a sum that leaves out values that are not numbers; null where it leaves out none. */
export const sayNotCounted = (count = 0): string | null =>
  count === 0 ? null : `${formatCountOf(count, 'amount')} not counted`;

/** The explanation of an amount that is shown as received. */
export const unreadAmount = 'Not a number: no sum counts it';
