import { z } from 'zod';
import { sha256 } from '../../document-kinds.ts';
import { actKind } from '../event-kind.ts';

export const substantiate = actKind({
  /** A document of the claim has what its record lacks. Without the document it has no effect. */
  schema: z.object({ kind: z.literal('substantiate'), sha256 }),
  counted: ['document marked as sufficient', 'documents marked as sufficient'],
  words: () => 'Marked document as sufficient',
  isEffective: ({ documents }, { fact }) => documents.some((document) => document.sha256 === fact.sha256),
  fold({ review }, { id, at, author, fact }) {
    for (const document of review.documents)
      if (document.sha256 === fact.sha256) document.sufficient = { id, at, author };
  },
  isOfOneClaim: true,
  decidesNothing: true,
  isShownSaved: true,
  inCheckpoint: 'each',
});
