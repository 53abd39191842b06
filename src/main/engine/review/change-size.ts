import { readTenThousandths } from '../../../rules/money/amounts.ts';
import type { ReviewedValues } from '../../../rules/review/reviewed-values.ts';

/** Larger than any possible change of an amount. */
export const blankChange = 1_000_000_000_000_000;

const amountOf = ({ fields }: ReviewedValues): number | null =>
  readTenThousandths(fields.patient_responsibility);

/** The difference in patient responsibility, in ten-thousandths of a dollar; null where either is blank. */
export function responsibilityChange(before: ReviewedValues, after: ReviewedValues): number | null {
  const [from, to] = [amountOf(before), amountOf(after)];
  return from === null || to === null ? null : to - from;
}

/**
 * The sort key of changed claims, largest first: the size of the change in patient responsibility. A blank amount
 * counts as 0; a claim whose amount was or became blank comes first.
 */
export function changeSize(before: ReviewedValues, after: ReviewedValues): number {
  const [from, to] = [amountOf(before), amountOf(after)];
  const size = Math.abs((to ?? 0) - (from ?? 0));
  return (from === null) === (to === null) ? size : blankChange + size;
}
