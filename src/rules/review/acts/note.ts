import { z } from 'zod';
import { longText } from '../decision.ts';
import { actKind } from '../event-kind.ts';

export const note = actKind({
  schema: z.object({ kind: z.literal('note'), text: longText }),
  counted: ['note'],
  words: () => 'Added note',
  detail: ({ text }) => text,
  fold({ review }, { id, at, author, fact }) {
    review.notes.push({ id, text: fact.text, at, author, editedAt: null });
  },
  commands: [{ key: 'n', label: 'Note', goesOn: false, group: 'detail', does: { asks: 'note' } }],
  decidesNothing: true,
  isShownSaved: true,
  texts: ['text'],
  inCheckpoint: 'each',
});
