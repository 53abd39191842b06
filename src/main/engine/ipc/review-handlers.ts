import type { Handlers } from '../../../contract/procedures.ts';
import type { Reviews } from '../review/reviews.ts';

type Names = 'reviews:get' | 'reviews:listEvents' | 'reviews:act' | 'reviews:getUndo' | 'reviews:undo';

/** The procedures of reviews. */
export function createReviewHandlers(reviews: Reviews): Handlers<Names> {
  return {
    'reviews:get': ({ workspaceId, claimId }) => reviews.get(workspaceId, claimId),
    'reviews:listEvents': (wanted) => reviews.listEvents(wanted),
    'reviews:act': ({ workspaceId, target, act }) => reviews.act(workspaceId, target.claimIds, act),
    'reviews:getUndo': async ({ workspaceId }) => ({ event: await reviews.findUndoable(workspaceId) }),
    'reviews:undo': ({ workspaceId, eventId }) => reviews.undo(workspaceId, eventId),
  };
}
