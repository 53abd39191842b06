import { findAct, kindOf, type ReviewFact, reviewFactSchema } from './event-kinds.ts';
import { createTwiceFold } from './fold-twice.ts';
import type { ClaimFold, EventOf, FoldedReview } from './folded-review.ts';
import { isSameJson } from './same-value.ts';

export type FoldedEvent = EventOf<ReviewFact>;

/** Caches facts by their text, which decisions with the same outcome share and which is read several times. */
const readBefore = new Map<string, ReviewFact | null>();
const [maxRemembered, maxRememberedLength] = [1_000, 500];

/** The fact of an event from its JSON text; null if a newer version of Claimdesk wrote it: it is ignored. */
export function readFact(text: string): ReviewFact | null {
  const before = readBefore.get(text);
  if (before !== undefined) return before;
  const fact = reviewFactSchema.safeParse(JSON.parse(text)).data ?? null;
  if (text.length > maxRememberedLength) return fact;
  if (readBefore.size >= maxRemembered) readBefore.clear();
  readBefore.set(text, fact);
  return fact;
}

/**
 * Returns the result of `read`, or `otherwise` if a stored text is not JSON. The error concerns only its event: its
 * claim is in Exceptions (`foldContained`), and lists of others do not stop.
 */
export function readContained<T, Other>(read: () => T, otherwise: Other): T | Other {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return otherwise;
  }
}

/** The IDs of events that do not count, because an event that itself counts undid them. Events are given in order. */
export function findUndone(events: readonly Pick<FoldedEvent, 'id' | 'undoes'>[]): Set<string> {
  const undone = new Set<string>();
  for (const { id, undoes } of events.toReversed()) {
    if (undoes !== null && !undone.has(id)) undone.add(undoes);
  }
  return undone;
}

/** Moves a reopening after the decision that it reopens: if clocks differ, their times may be in a different order. */
function orderReopenings(events: readonly FoldedEvent[]): readonly FoldedEvent[] {
  const placeOf = new Map(events.map(({ id }, place) => [id, place]));
  const early = events.filter(
    ({ fact, detail }, place) => fact.kind === 'reopened' && (placeOf.get(detail?.since ?? '') ?? -1) > place,
  );
  if (early.length === 0) return events;
  return events
    .filter((event) => !early.includes(event))
    .flatMap((event) => [event, ...early.filter(({ detail }) => detail?.since === event.id)]);
}

const emptyReview = (claimId: number): FoldedReview => ({
  claimId,
  state: null,
  outcome: null,
  decidedOutcome: null,
  onWhom: null,
  reason: null,
  cause: null,
  partly: null,
  amounts: null,
  rule: null,
  reminder: null,
  owner: null,
  isFlagged: false,
  tags: [],
  notes: [],
  letters: [],
  documents: [],
  reviewedAt: null,
  reviewedBy: null,
  secondBy: null,
  lastEventAt: null,
  hasUnsigned: false,
  reviewedIn: null,
  paidIn: null,
  comparedIn: null,
  digest: null,
  hasReturned: false,
  failure: null,
  changedAt: null,
  changedFields: [],
  changedResponsibility: null,
  foundBy: null,
  payments: [],
  earlier: [],
  runs: [],
  decidedTwice: [],
  paidTwice: null,
  decisions: [],
  checks: [],
  duplicates: [],
  appeals: [],
  missing: null,
});

/** Begins to combine events. `before`: the values of an existing review, if only the acts after it are known. */
export function beginFold(claimId: number, before: Partial<FoldedReview> = {}): ClaimFold {
  const review = { ...emptyReview(claimId), ...before };
  return {
    review,
    decided: { state: null, outcome: null },
    lastDecision: null,
    firstBy: null,
    isAgreed: false,
    identity: null,
    made: null,
  };
}

/**
 * The review of a claim, computed from its events in their order. It is a pure function: the same events give the same
 * review on every computer, in whatever order they arrived there.
 */
export function foldReview(claimId: number, events: readonly FoldedEvent[]): FoldedReview {
  const fold = beginFold(claimId);
  const { review } = fold;
  const twice = createTwiceFold();
  const undone = findUndone(events);
  for (const event of orderReopenings(events)) {
    const { fact, at, author } = event;
    const kind = kindOf(fact);
    if (undone.has(event.id) || kind.isEffective?.(review, event) === false) continue;
    if (event.doubt !== undefined) {
      if (event.doubt === 'open') review.foundBy = { author, at };
      continue;
    }
    review.lastEventAt = at;
    review.hasUnsigned ||= event.isUnsigned === true;
    fold.made = null;
    kind.fold?.(fold, event);
    twice.add(event, fold.made && { decision: fold.made, amounts: review.amounts });
  }
  return Object.assign(review, twice.find(review.payments));
}

/**
 * Whether an act would set the values that a review already has, for example when a key is pressed again. Values from
 * an imported file count as different, because a team does not receive them. A second person's agreement is not
 * affected.
 */
export function isRepeated(review: FoldedReview, event: FoldedEvent): boolean {
  if (review.hasUnsigned) return false;
  const act = findAct(event.fact.kind);
  // If decisions of a team differ, repeating one determines which counts.
  if (act?.setsValues !== true || (act.isPlaced === true && review.decidedTwice.length > 0)) return false;
  const fold = beginFold(review.claimId, { ...review, decisions: [] });
  kindOf(event.fact).fold?.(fold, event);
  const { reviewedAt, reviewedIn, comparedIn, decisions } = review;
  return isSameJson({ ...fold.review, reviewedAt, reviewedIn, comparedIn, decisions }, review);
}
