import { isUnreadAmount, readTenThousandths } from '../../../rules/money/amounts.ts';
import type { Cell } from '../../../rules/query.ts';

/** The decimals of each number of cents, without zeros at the end: none for 0, `.01` for 1, `.5` for 50. */
const cents = Array.from({ length: 100 }, (_none, index) =>
  index === 0 ? '' : `.${String(index).padStart(2, '0').replace(/0$/, '')}`,
);

/**
 * Ten-thousandths of a dollar as plain decimals without an exponent and without zeros at the end: -125000 is `-12.5`.
 * It does not divide, because a double cannot hold every such amount.
 */
export function writeAmount(tenThousandths: number): string {
  const size = Math.abs(tenThousandths);
  const fraction = size % 10_000;
  const whole = (size - fraction) / 10_000;
  const sign = tenThousandths < 0 ? '-' : '';
  if (fraction % 100 === 0) return sign + whole + (cents[fraction / 100] as string);
  return `${sign}${whole}.${String(fraction).padStart(4, '0').replace(/0+$/, '')}`;
}

/**
 * Adds the amounts of a column exactly. Cells are ten-thousandths of a dollar; an amount that a cell does not hold is
 * decimal text. Cells that can't be numbers are not counted.
 */
export function createSum() {
  let [low, high, isEmpty, notCounted] = [0, 0n, true, 0];
  const addCell = (amount: number): void => {
    isEmpty = false;
    // Two addends of at most 2^52 are exact in a double.
    if (Math.abs(amount) > 2 ** 52) high += BigInt(amount);
    else low += amount;
    if (Math.abs(low) > 2 ** 52) {
      high += BigInt(low);
      low = 0;
    }
  };
  return {
    add(cell: Cell): void {
      if (cell === null) return;
      const amount = typeof cell === 'number' ? cell : readTenThousandths(cell);
      if (amount !== null) addCell(amount);
      else if (isUnreadAmount(cell)) notCounted += 1;
    },
    /** Null: no row has the amount. */
    read: (): bigint | null => (isEmpty ? null : high + BigInt(low)),
    countLeftOut: (): number => notCounted,
  };
}

/** A plain decimal number. The service may send one that a double cannot hold exactly. */
export const plainNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
/** An amount as a plain decimal number, which a column of amounts holds; a number out of range is text. */
export const isPlainAmount = (cell: Cell): cell is string =>
  typeof cell === 'string' && plainNumber.test(cell) && readTenThousandths(cell) !== null;
