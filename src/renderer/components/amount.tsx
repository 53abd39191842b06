import { VisuallyHidden } from '@mantine/core';
import { isUnreadAmount, readTenThousandths } from '../../rules/money/amounts.ts';
import { formatTenThousandths } from '../../rules/money/format-amount.ts';
import type { Cell, Amount as Sum } from '../../rules/query.ts';
import { exactTitle, formatMoney, sayNotCounted, unreadAmount } from '../lib/format-money.ts';
import styles from './amount.module.css';

/** Ten-thousandths of a dollar to the cent, exact on hover. A missing amount is a dash with a label for screen readers. */
function Figure({ amount }: { amount: bigint | Sum | null }) {
  if (amount === null) {
    return (
      <span className={styles.amount}>
        <span aria-hidden>–</span>
        <VisuallyHidden>not reported</VisuallyHidden>
      </span>
    );
  }
  return (
    <span className={styles.amount} data-zero={Number(amount) === 0 || undefined} title={exactTitle(amount)}>
      {formatTenThousandths(amount)}
    </span>
  );
}

/** One amount as it was sent. A value that is not a number is shown as received, with a mark. */
export function Amount({ value }: { value: unknown }) {
  if (!isUnreadAmount(value)) return <Figure amount={readTenThousandths(value)} />;
  return (
    <span className={styles.amount} title={unreadAmount}>
      <span aria-hidden>⚠ </span>
      {formatMoney(value)}
      <VisuallyHidden> ({unreadAmount})</VisuallyHidden>
    </span>
  );
}

/** The amount in the cell of a row. */
export const AmountOfCell = ({ cell = null }: { cell: Cell | undefined }) =>
  typeof cell === 'number' ? <Figure amount={cell} /> : <Amount value={cell} />;

/** The large amount of a page, and its label. */
export const LargeAmount = ({ amount, label }: { amount: Sum | null; label: string }) => (
  <p className={styles.large}>
    <b>
      <Total amount={amount} />
    </b>{' '}
    {label}
  </p>
);

/** A total in the contract's form, and how many amounts are not in it because they aren't numbers. */
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
      <Figure amount={amount} />
      {leftOut !== null && <span className={styles.notCounted}> {leftOut}</span>}
    </>
  );
}
