import { z } from 'zod';
import {
  cleanDocumentName,
  documentKinds,
  documentLabels,
  documentTypes,
  maxDocumentBytes,
  sha256,
} from '../../document-kinds.ts';
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
    sha256,
    day,
  }),
  counted: ['document'],
  words: (fact) =>
    `Attached ${documentLabels[fact.document].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`,
  detail: ({ name }) => name,
  fold({ review }, { id, at, author, fact }) {
    const { kind: _kind, ...described } = { ...fact, name: cleanDocumentName(fact.name) };
    const isSame = (attached: { readonly sha256: string }): boolean => attached.sha256 === fact.sha256;
    const before = review.documents.find(isSame);
    const earlierIds = before?.author === author ? [...before.earlierIds, before.id] : [];
    review.documents = [
      ...review.documents.filter((attached) => !isSame(attached)),
      { ...described, id, earlierIds, at, author, sufficient: before?.sufficient ?? null },
    ];
    // The claim may have waited for this document, so it is due on the day of the document.
    if (review.state === 'waiting' && fact.document !== 'other') review.reminder = fact.day;
  },
  decidesNothing: true,
  isOfMember: true,
  isOfFile: true,
  isShownSaved: true,
  texts: ['name'],
  inCheckpoint: 'each',
});
