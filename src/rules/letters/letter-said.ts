import { z } from 'zod';
import type { ChainRest } from '../money/chain-balance.ts';
import { type Balanced, sumChain } from '../money/decided-amounts.ts';
import { reviewOutcomes, shortText } from '../review/decision.ts';
import { type LetterKind, letterTable } from './letter-kinds.ts';

const orUnknown = z.int().nullable();
/**
 * What a letter says of a decision, by which it stays true or not. Amounts are ten-thousandths of a dollar; `eligible` and
 * `declined` are of the claim, `reimbursed` and those from `counted` on of its whole chain (`sumChain`).
 */
export const saidSchema = z.object({
  outcome: z.enum(reviewOutcomes).nullable(),
  cause: shortText.nullable(),
  eligible: orUnknown,
  declined: orUnknown,
  reimbursed: z.int(),
  owed: orUnknown,
  counted: orUnknown.optional(),
  disputed: orUnknown.optional(),
  writtenOff: z.int().optional(),
});
export type LetterSaid = z.infer<typeof saidSchema>;

/** The values of a review that a letter of now says. */
export function saidOf(
  review: Pick<LetterSaid, 'outcome' | 'cause' | 'declined' | 'owed'> &
    Balanced & { readonly chain: ChainRest | null },
): LetterSaid {
  const { outcome, cause, eligible, declined, owed } = review;
  const { eligible: counted, ...whole } = sumChain(review, review.chain);
  return { outcome, cause, eligible, declined, owed, counted, ...whole };
}

/** Whether what a letter said is still so: a payment of what is eligible leaves a decision as it was. */
export const isStillTrue = (letter: LetterKind, said: LetterSaid, now: LetterSaid): boolean =>
  letterTable[letter].says.every((name) => said[name] === now[name]);
