import { z } from 'zod';
import {
  cleanDocumentName,
  documentKinds,
  documentLabels,
  documentTypes,
  maxDocumentBytes,
} from '../../documents.ts';
import { day, shortText } from '../decision.ts';
import { actKind } from '../event-kind.ts';

export const document = actKind({
  /** Its bytes are in the profile, under the hash; `day`: when it was attached. */
  schema: z.object({
    kind: z.literal('document'),
    document: z.enum(documentKinds),
    name: shortText,
    type: z.enum(documentTypes),
    bytes: z.int().min(0).max(maxDocumentBytes),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    day,
  }),
  counted: ['document'],
  words: (fact) =>
    `Attached ${documentLabels[fact.document].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`,
  detail: ({ name }) => name,
  fold({ review }, { id, at, author, fact }) {
    const { kind: _kind, ...described } = { ...fact, name: cleanDocumentName(fact.name) };
    review.documents = [
      ...review.documents.filter(({ sha256 }) => sha256 !== fact.sha256),
      { ...described, id, at, author },
    ];
    // What it waits for may be here, so it is due on the day on which this came.
    if (review.state === 'waiting' && fact.document !== 'other') review.reminder = fact.day;
  },
  decidesNothing: true,
  isOfMember: true,
  isShownSaved: true,
  texts: ['name'],
  inCheckpoint: 'each',
});
