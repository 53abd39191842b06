import { readTenThousandths } from '../../../rules/money/amounts.ts';

/** A typed amount in ten-thousandths of a dollar, of either sign; null if it is not an amount. */
export function readAmount(typed: string): number | null {
  const text = typed
    .trim()
    .replace('−', '-')
    .replace(/^(-?)\$/, '$1')
    .replace(/,(?=\d{3}(\D|$))/g, '');
  return /^-?\d+(\.\d{1,4}0*)?$/.test(text) ? readTenThousandths(text) : null;
}

/** An amount in the form for typing: at least two decimals. */
export const writeAmount = (amount: number): string => (amount / 10_000).toFixed(4).replace(/00$/, '');
