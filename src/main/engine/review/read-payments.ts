import type { UnusedRow } from '../../../rules/review/file-rows.ts';
import { readTable } from '../incoming/incoming-table.ts';
import { claimKeysOf, type RowKeys, sayKeys } from './find-by-keys.ts';

/** A row of a payments file; amounts are ten-thousandths of a dollar. */
export interface ReadPayment {
  readonly line: number;
  readonly keys: RowKeys;
  readonly amount: number;
  readonly day: string;
}

/**
 * Reads a payments file: the readable payments, and the rows that can't be read.
 *
 * @throws DeskError `review.badCsv` where a column is missing, `file.*`
 */
export function readPayments(file: Uint8Array): { payments: ReadPayment[]; unmatched: UnusedRow[] } {
  const { rows, broken } = readTable(file, {
    meanings: ['claimId', 'claimNumber', 'claim', 'amount', 'date'],
    isEnough: ({ claimId, claimNumber, claim, amount, date }) =>
      (claimId ?? claimNumber ?? claim) !== undefined && amount !== undefined && date !== undefined,
    without: 'review.badCsv',
  });
  const payments: ReadPayment[] = [];
  const unmatched: UnusedRow[] = broken.map((line) => ({ line, of: '', reason: 'openQuote' }));
  for (const row of rows) {
    const { line } = row;
    const keys = claimKeysOf(row);
    const [amount, day] = [row.amountOf('amount'), row.dayOf('date')];
    const refuse = (reason: UnusedRow['reason']) => unmatched.push({ line, of: sayKeys(keys), reason });
    if (amount === null) refuse('badAmount');
    else if (amount <= 0) refuse('notAbove0');
    else if (day === null) refuse('badDate');
    else payments.push({ line, keys, amount, day });
  }
  return { payments, unmatched };
}
