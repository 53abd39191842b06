import { z } from 'zod';
import { missingAnswers } from '../../money/chain-claim.ts';
import { actKind } from '../event-kind.ts';

export const missing = actKind({
  /** Records why claims are no longer in the service: payments are owed back, or the claims were only archived. */
  schema: z.object({ kind: z.literal('missing'), answer: z.enum(missingAnswers) }),
  counted: ['answer about a claim that is gone', 'answers about claims that are gone'],
  words: ({ answer }) =>
    answer === 'owedBack' ? 'Gone: what was paid is owed back' : 'Gone: archived, kept',
  fold({ review }, { fact, at }) {
    review.missing = { answer: fact.answer, at };
  },
  inCheckpoint: 'each',
});
