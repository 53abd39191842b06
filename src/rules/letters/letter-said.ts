import { z } from 'zod';
import { reviewOutcomes, shortText } from '../review/decision.ts';
import { type LetterKind, letterTable } from './letter-kinds.ts';

/** What a letter says of a decision, by which it stays true or not. Amounts are ten-thousandths of a dollar. */
export const saidSchema = z.object({
  outcome: z.enum(reviewOutcomes).nullable(),
  cause: shortText.nullable(),
  eligible: z.int().nullable(),
  declined: z.int().nullable(),
  reimbursed: z.int(),
  owed: z.int().nullable(),
});
export type LetterSaid = z.infer<typeof saidSchema>;

/** The values of a review that a letter of now says. */
export const saidOf = ({ outcome, cause, eligible, declined, reimbursed, owed }: LetterSaid): LetterSaid => ({
  outcome,
  cause,
  eligible,
  declined,
  reimbursed,
  owed,
});

/** Whether what a letter said is still so: a payment of what is eligible leaves a decision as it was. */
export const isStillTrue = (letter: LetterKind, said: LetterSaid, now: LetterSaid): boolean =>
  letterTable[letter].says.every((name) => said[name] === now[name]);
