import { z } from 'zod';
import { longText } from '../decision.ts';
import { actKind } from '../event-kind.ts';

export const editNote = actKind({
  /** `noteId` is the ID of the event that added the note. */
  schema: z.object({ kind: z.literal('editNote'), noteId: z.string().max(60), text: longText }),
  counted: ['edited note'],
  words: () => 'Edited note',
  detail: ({ text }) => text,
  fold({ review }, { at, fact }) {
    const edited = review.notes.find(({ id }) => id === fact.noteId);
    if (edited !== undefined) Object.assign(edited, { text: fact.text, editedAt: at });
  },
  target: ({ noteId }) => noteId,
  isOfOneClaim: true,
  decidesNothing: true,
  isOfMember: true,
  isShownSaved: true,
  texts: ['text'],
  inCheckpoint: 'each',
});
