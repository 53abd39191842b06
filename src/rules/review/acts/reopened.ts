import { z } from 'zod';
import { eventKind } from '../event-kind.ts';
import { changeIdentity } from '../fold-earlier.ts';

export const reopened = eventKind({
  /** A sync found that the claim changed since its review. */
  schema: z.object({ kind: z.literal('reopened') }),
  counted: ['reopened review'],
  words: () => 'Reopened: changed since reviewed',
  /** Only the last decision is reopened; if it was undone, nothing is. */
  isEffective: ({ reviewedIn, paidIn }, { detail }) => detail?.since === (reviewedIn ?? paidIn),
  fold(fold, event) {
    const { review, decided } = fold;
    const { changed, responsibility = null, isReturned: isAsDecided = false, other } = event.detail ?? {};
    Object.assign(review, {
      changedAt: isAsDecided ? null : event.at,
      changedFields: changed ?? [],
      changedResponsibility: isAsDecided ? null : responsibility,
      comparedIn: event.id,
      digest: event.digest,
      hasReturned: review.hasReturned || isAsDecided,
      foundBy: null,
    });
    if (other !== undefined) changeIdentity(fold, other);
    const last = review.decisions.at(-1);
    if (last !== undefined) last.isReopened = !isAsDecided && last.outcome !== null;
    if (isAsDecided) Object.assign(review, decided);
    else if (review.state === 'done') Object.assign(review, { state: 'todo', outcome: null });
    else if (review.state === 'waiting') review.state = 'back';
  },
  inCheckpoint: 'each',
});
