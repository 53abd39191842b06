import { z } from 'zod';
import { longText } from '../decision.ts';
import { actKind } from '../event-kind.ts';
import type { FoldedReview } from '../folded-review.ts';

/** Why this author may not change a note: the claim has no such note, or it is someone else's; null: they may. */
export function refuseNote(review: FoldedReview | undefined, noteId: string, author: string) {
  const changed = review?.notes.find(({ id }) => id === noteId);
  if (changed === undefined) return 'note.unknown';
  return changed.author === author ? null : 'review.notYours';
}

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
  refuseOn: ({ noteId }, review, { author }) => refuseNote(review, noteId, author),
  isOfOneClaim: true,
  decidesNothing: true,
  isOfMember: true,
  isShownSaved: true,
  texts: ['text'],
  inCheckpoint: 'each',
});
