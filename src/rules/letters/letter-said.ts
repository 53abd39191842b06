import { z } from 'zod';
import type { ChainRest } from '../money/chain-balance.ts';
import { type Balanced, sumChain } from '../money/decided-amounts.ts';
import { type Appeal, appealAnswers } from '../review/appeals.ts';
import { longText, reviewOutcomes, shortText } from '../review/decision.ts';
import { type LetterKind, letterTable } from './letter-kinds.ts';

const orUnknown = z.int().nullable();
/**
 * The values of a decision in a letter. The letter stays true as long as they do not change. Amounts are
 * ten-thousandths of a dollar; `eligible` and `declined` belong to the claim; `reimbursed` and those from `counted` on
 * belong to its whole chain (`sumChain`).
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
  /** The appeal that it answers; versions before 0.4 did not store it. */
  appeal: z.object({ id: z.string().max(60), answer: z.enum(appealAnswers), reason: longText }).optional(),
});
export type LetterSaid = z.infer<typeof saidSchema>;

/** The values of a review that a letter written now would state. */
export function saidOf(
  review: Pick<LetterSaid, 'outcome' | 'cause' | 'declined' | 'owed'> &
    Balanced & { readonly chain: ChainRest | null },
): LetterSaid {
  const { outcome, cause, eligible, declined, owed } = review;
  const { eligible: counted, ...whole } = sumChain(review, review.chain);
  return { outcome, cause, eligible, declined, owed, counted, ...whole };
}

const differs =
  (...names: readonly (keyof LetterSaid)[]) =>
  (said: LetterSaid, now: LetterSaid): boolean =>
    names.some((name) => said[name] !== now[name]);
const ofDecision = differs('outcome', 'cause', 'eligible', 'declined');
const ofBalance = differs('counted', 'disputed', 'writtenOff');
const never = (): boolean => false;

/** When each kind of letter is no longer true, by the values in it and those of a letter written now. */
const isUntrue: Readonly<Record<LetterKind, typeof ofDecision>> = {
  notEligible: ofDecision,
  partlyEligible: ofDecision,
  // The letter gives the reason of the answer to the appeal.
  appealDecided: differs('outcome', 'eligible', 'declined'),
  // The letter asks for a repayment, so one does not make it untrue.
  owedBack: (said, now) => now.reimbursed > said.reimbursed || ofBalance(said, now),
  // These letters ask for something or confirm something; the decision that follows has its own letter.
  documentsNeeded: never,
  disagrees: never,
  appealReceived: never,
};

interface Made {
  readonly letter: LetterKind;
  readonly said: LetterSaid;
  /** The answer to the appeal is different now, or removed. */
  readonly isAnsweredOtherwise?: boolean;
}

/** The letters of a claim, in order, that no later letter replaces. */
export const findCurrent = <L extends Made>(letters: readonly L[]): L[] => [
  ...new Map(letters.map((made) => [letterTable[made.letter].states, made])).values(),
];

/** Marks the letters whose appeal was answered differently. */
export const compareAnswers = <L extends Made>(letters: readonly L[], appeals: readonly Appeal[]): L[] =>
  letters.map((made) => {
    const { appeal } = made.said;
    if (appeal === undefined) return made;
    const answered = appeals.find(({ id }) => id === appeal.id)?.answered;
    const isSame = answered?.answer === appeal.answer && answered.reason === appeal.reason;
    return isSame ? made : { ...made, isAnsweredOtherwise: true };
  });

/** Finds the current letters that are no longer true; a payment of the eligible amount does not change a decision. */
export const findUntrue = <L extends Made>(letters: readonly L[], now: LetterSaid): L[] =>
  findCurrent(letters).filter(
    ({ letter, said, isAnsweredOtherwise }) => isAnsweredOtherwise === true || isUntrue[letter](said, now),
  );
