import { VisuallyHidden } from '@mantine/core';
import { isUnreadAmount, readMillionths } from '../../rules/money/amounts.ts';
import { toDollars } from '../../rules/money/dollars.ts';
import type { Amount as Sum } from '../../rules/query.ts';
import { exactMoneyTitle, formatMoney, sayNotCounted, unreadAmount } from '../lib/format-money.ts';
import styles from './amount.module.css';

/**
 * One amount to the cent, exact on hover. A missing amount is a dash with a label for screen readers; a value that is
 * no number is shown as it was received, with a mark.
 */
export function Amount({ value }: { value: unknown }) {
  if (value === null || value === undefined) {
    return (
      <span className={styles.amount}>
        <span aria-hidden>–</span>
        <VisuallyHidden>not reported</VisuallyHidden>
      </span>
    );
  }
  if (isUnreadAmount(value)) {
    return (
      <span className={styles.amount} title={unreadAmount}>
        <span aria-hidden>⚠ </span>
        {formatMoney(value)}
        <VisuallyHidden> ({unreadAmount})</VisuallyHidden>
      </span>
    );
  }
  return (
    <span
      className={styles.amount}
      data-zero={readMillionths(value) === 0n || undefined}
      title={exactMoneyTitle(value)}
    >
      {formatMoney(value)}
    </span>
  );
}

/** A total as the contract has it, and how many amounts it leaves out because they can't be numbers. */
export function Total({
  amount,
  notCounted,
}: {
  amount: bigint | Sum | null;
  notCounted?: number | undefined;
}) {
  const leftOut = sayNotCounted(notCounted);
  return (
    <>
      <Amount value={toDollars(amount)} />
      {leftOut !== null && <span className={styles.notCounted}> {leftOut}</span>}
    </>
  );
}
