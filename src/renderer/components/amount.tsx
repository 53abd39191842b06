import { VisuallyHidden } from '@mantine/core';
import { exactMoneyTitle, formatMoney, toDollars } from '../lib/format-money.ts';
import styles from './amount.module.css';

/** One amount to the cent, exact on hover; a missing amount is a dash with a label for screen readers. */
export function Amount({ value }: { value: unknown }) {
  if (value === null || value === undefined) {
    return (
      <span className={styles.amount}>
        <span aria-hidden>—</span>
        <VisuallyHidden>not reported</VisuallyHidden>
      </span>
    );
  }
  return (
    <span className={styles.amount} title={exactMoneyTitle(value)}>
      {formatMoney(value)}
    </span>
  );
}

/** A total in ten-thousandths of a dollar, as it crosses the bridge. */
export function Total({ amount }: { amount: bigint | number | string | null }) {
  return <Amount value={toDollars(amount)} />;
}
