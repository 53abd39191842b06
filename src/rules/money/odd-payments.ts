import { addDays } from '../days.ts';
import { paymentLabels } from '../review/review-labels.ts';
import { formatExactly } from './format-amount.ts';
import { maxDaysAhead, type PaymentKind } from './reimbursement.ts';

/** A payment as an event stored it; `at` is when it was recorded. */
interface StoredPayment {
  readonly payment: PaymentKind;
  readonly amount: number;
  readonly day: string;
  readonly at: string;
}

/**
 * Returns a phrase for each oddity of stored payments. Payments come from colleagues, files and earlier versions, and
 * are never refused. The time zones of computers differ by less than a day.
 */
export const findOddPayments = (payments: readonly StoredPayment[]): string[] =>
  payments.flatMap(({ payment, amount, day, at }) => {
    const last = addDays(at.slice(0, 10), maxDaysAhead + 1);
    const what = `${paymentLabels[payment]} ${formatExactly(amount)}`;
    return [
      ...(amount % 100 === 0 ? [] : [`${what} has more than two decimals`]),
      ...(last !== null && day > last
        ? [`${what} is dated ${day}, more than ${maxDaysAhead} days ahead`]
        : []),
    ];
  });
