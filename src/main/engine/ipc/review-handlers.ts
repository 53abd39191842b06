import type { Handlers } from '../../../contract/procedures.ts';
import type { Reviews } from '../review/reviews.ts';

type Names = 'reviews:get' | 'reviews:listEvents' | 'reviews:act' | 'reviews:getUndo' | 'reviews:undo';

/** The procedures of reviews. */
export function createReviewHandlers(reviews: Reviews): Handlers<Names> {
  return {
    'reviews:get': async ({ workspaceId, claimId }) => {
      await reviews.settleOnce(workspaceId);
      return reviews.get(workspaceId, claimId);
    },
    'reviews:listEvents': async (wanted) => {
      await reviews.settleOnce(wanted.workspaceId);
      return reviews.listEvents(wanted);
    },
    'reviews:act': ({ workspaceId, target, act }) => reviews.act(workspaceId, target.claimIds, act),
    'reviews:getUndo': async ({ workspaceId }) => ({ event: await reviews.findUndoable(workspaceId) }),
    'reviews:undo': ({ workspaceId, eventId }) => reviews.undo(workspaceId, eventId),
  };
}

const isOfReviews = (text: string): boolean => text.includes('"review.');

/**
 * The same handlers, which wait for the reviews to be up to date where a list filters, sorts, groups or shows by them:
 * events that another process left behind, claims that changed, a new day.
 */
export function afterReviews<H extends Readonly<Record<string, unknown>>>(handlers: H, reviews: Reviews): H {
  const wrap =
    (handler: unknown) =>
    async (input: { workspaceId: string }, ...more: unknown[]) => {
      if (isOfReviews(JSON.stringify(input))) await reviews.settleOnce(input.workspaceId);
      return (handler as (...all: unknown[]) => unknown)(input, ...more);
    };
  const waiting = ['records:open', 'records:begin', 'records:group', 'records:listValues', 'export:start'];
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      waiting.includes(name) ? wrap(handler) : handler,
    ]),
  ) as H;
}
