import { VisuallyHidden } from '@mantine/core';
import { isUnreadAmount } from '../../contract/amounts.ts';
import type { Amount as Sum } from '../../contract/query.ts';
import { exactMoneyTitle, formatMoney, sayNotCounted, toDollars, unreadAmount } from '../lib/format-money.ts';
import styles from './amount.module.css';

/**
 * One amount to the cent, exact on hover; a missing amount is a dash with a label for screen readers, and
 * what is no number is shown as it came with a mark.
 */
export function Amount({ value }: { value: unknown }) {
  if (value === null || value === undefined) {
    return (
      <span className={styles.amount}>
        <span aria-hidden>—</span>
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
    <span className={styles.amount} title={exactMoneyTitle(value)}>
      {formatMoney(value)}
    </span>
  );
}

/** A total, as it crosses the bridge, and how many amounts it leaves out because they can't be numbers. */
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
