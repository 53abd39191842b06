import { z } from 'zod';
import { longText } from '../decision.ts';
import { actKind } from '../event-kind.ts';
import { maxLinked } from '../member-subject.ts';

export const note = actKind({
  schema: z.object({
    kind: z.literal('note'),
    text: longText,
    /** For a call with a member: the claims of the family that were open then, which the engine adds. */
    claimIds: z.array(z.int()).max(maxLinked).optional(),
  }),
  counted: ['note'],
  words: ({ claimIds }) => (claimIds === undefined ? 'Added note' : 'Logged call'),
  detail: ({ text }) => text,
  fold({ review }, { id, at, author, fact }) {
    const { text, claimIds } = fact;
    review.notes.push({ id, text, at, author, editedAt: null, ...(claimIds && { claimIds }) });
  },
  refuse: ({ claimIds }) => (claimIds === undefined ? null : 'usage.invalid'),
  commands: [{ key: 'n', label: 'Note', goesOn: false, group: 'detail', does: { asks: 'note' } }],
  decidesNothing: true,
  isOfMember: true,
  isShownSaved: true,
  texts: ['text'],
  inCheckpoint: 'each',
});
