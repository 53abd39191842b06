import { z } from 'zod';
import { actKind } from '../event-kind.ts';
import { refuseNote } from './edit-note.ts';

export const deleteNote = actKind({
  schema: z.object({ kind: z.literal('deleteNote'), noteId: z.string().max(60) }),
  counted: ['deleted note'],
  words: () => 'Deleted note',
  fold({ review }, { fact }) {
    review.notes = review.notes.filter(({ id }) => id !== fact.noteId);
  },
  target: ({ noteId }) => noteId,
  refuseOn: ({ noteId }, review, { author }) => refuseNote(review, noteId, author),
  isOfOneClaim: true,
  decidesNothing: true,
  isOfMember: true,
  isShownSaved: true,
  inCheckpoint: 'each',
});
