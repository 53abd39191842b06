import type { Decision } from './decision.ts';
import type { ClaimFold, EventOf } from './folded-review.ts';

/**
 * Whether the author of an event is known: in a team, a member's computer signed each entry of the log. Without a team,
 * everyone is taken at their word.
 */
export const isVerified = ({ place }: Pick<EventOf<unknown>, 'place'>): boolean => place !== null;

/** Makes the claim's values at this event the ones that count. */
export function confirmValues(fold: ClaimFold, event: EventOf<unknown>, made: Decision | null): void {
  const { id, at, author, digest, isUnsigned } = event;
  const { review } = fold;
  Object.assign(review, {
    reviewedAt: at,
    reviewedBy: author,
    reviewedIn: id,
    paidIn: null,
    comparedIn: id,
    digest,
    hasReturned: false,
    changedAt: null,
    changedFields: [],
    changedResponsibility: null,
    foundBy: null,
  });
  fold.made = made;
  const { outcome, amounts } = review;
  if (made === null) return;
  const eligible = amounts === null ? {} : { eligible: amounts.eligible };
  const isKnown = isUnsigned !== true;
  review.decisions.push({ author, isVerified: isKnown, at, outcome, ...eligible, isReopened: false });
}

/** Sets the values of a claim by its decision. */
export function applyDecision(fold: ClaimFold, event: EventOf<unknown>, decision: Decision): void {
  const { review } = fold;
  const { author } = event;
  const { state, outcome, onWhom, reason, reminder, cause = null, partly = null } = decision;
  fold.lastDecision = decision;
  fold.decided = { state, outcome };
  fold.firstBy ??= author;
  if (author !== fold.firstBy && isVerified(event)) review.secondBy = author;
  // Agreement with a decision does not apply to the next one.
  else if (fold.isAgreed) review.secondBy = null;
  fold.isAgreed = false;
  Object.assign(review, { state, outcome, decidedOutcome: outcome, onWhom, reason, reminder, cause, partly });
  review.amounts = event.detail?.amounts ?? null;
  review.rule = null;
  confirmValues(fold, event, decision);
}
