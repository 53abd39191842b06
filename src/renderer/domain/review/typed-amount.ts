import { toTenThousandths } from '../../lib/format-money.ts';

/** A typed amount in ten-thousandths of a dollar, of either sign; null if it is not an amount. */
export function readAmount(typed: string): number | null {
  const text = typed
    .trim()
    .replace('−', '-')
    .replace(/^(-?)\$/, '$1')
    .replace(/,(?=\d{3}(\D|$))/g, '');
  const amount = toTenThousandths(text);
  return amount === null || amount > maxAmount || amount < -maxAmount ? null : Number(amount);
}
const maxAmount = BigInt(Number.MAX_SAFE_INTEGER);

/** An amount in the form for typing: at least two decimals. */
export const writeAmount = (amount: number): string => (amount / 10_000).toFixed(4).replace(/00$/, '');
