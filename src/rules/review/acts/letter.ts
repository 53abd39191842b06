import { z } from 'zod';
import { letterKinds, letterTable } from '../../letters/letter-kinds.ts';
import { saidSchema } from '../../letters/letter-said.ts';
import { actKind } from '../event-kind.ts';

/** A letter about a claim. `digest` is the SHA-256 of its text, in hexadecimal. */
export const letter = actKind({
  schema: z.object({
    kind: z.literal('letter'),
    letter: z.enum(letterKinds),
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    said: saidSchema,
  }),
  counted: ['letter'],
  words: (fact) => `Letter: ${letterTable[fact.letter].label.toLowerCase()}`,
  detail: ({ digest }) => `SHA-256 ${digest.slice(0, 16)}…`,
  fold({ review }, { id, at, author, fact }) {
    const { letter: kind, digest, said } = fact;
    review.letters.push({ id, at, author, letter: kind, digest, said });
  },
  decidesNothing: true,
  isOfOneClaim: true,
  isOfFile: true,
  isShownSaved: true,
  inCheckpoint: 'each',
});
