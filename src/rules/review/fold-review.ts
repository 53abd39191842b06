import { createDecisionFold } from './fold-decisions.ts';
import { createEarlierFold, leavePaymentOut, paymentsOf } from './fold-earlier.ts';
import { foldRun, isOfNoRun } from './fold-runs.ts';
import { createTwiceFold } from './fold-twice.ts';
import type { FoldedEvent, FoldedReview } from './folded-review.ts';
import { type Decision, decisionOf, type ReviewFact, reviewFactSchema } from './review.ts';

/** Facts by their text: decisions with the same outcome have the same one, and each event's is read several times. */
const readBefore = new Map<string, ReviewFact | null>();
const [maxRemembered, maxRememberedLength] = [1_000, 500];

/**
 * The fact of an event from its JSON text; null where a newer version of Claimdesk wrote it: such an event is ignored.
 */
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
 * What `read` returns, or `otherwise` where a stored text is not JSON. That is about its event alone: its claim is in Exceptions
 * (`foldContained`), and lists of others do not stop.
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

/** Puts a reopening after the decision that it reopens: where clocks differ, their times may have another order. */
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

/**
 * The review of a claim, computed from its events in their order. Pure: the same events give the same review on every
 * computer, in whatever order they arrived there.
 */
export function foldReview(claimId: number, events: readonly FoldedEvent[]): FoldedReview {
  const made = createDecisionFold();
  const review: FoldedReview = {
    claimId,
    state: null,
    outcome: null,
    decidedOutcome: null,
    onWhom: null,
    reason: null,
    cause: null,
    partly: null,
    amounts: null,
    reminder: null,
    owner: null,
    isFlagged: false,
    tags: [],
    notes: [],
    reviewedAt: null,
    reviewedBy: null,
    secondBy: null,
    lastEventAt: null,
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
    decisions: made.decisions,
    checks: made.checks,
    duplicates: [],
    missing: null,
  };
  const twice = createTwiceFold();
  const identity = createEarlierFold(review);
  let decided: Pick<FoldedReview, 'state' | 'outcome'> = { state: null, outcome: null };
  let lastDecision: Decision | null = null;
  let firstBy: string | null = null;
  let isAgreed = false;
  const undone = findUndone(events);
  for (const event of orderReopenings(events)) {
    if (undone.has(event.id) || !isEffective(event, review)) continue;
    const { fact, at, author } = event;
    if (event.doubt !== undefined) {
      if (event.doubt === 'open') review.foundBy = { author, at };
      continue;
    }
    review.lastEventAt = at;
    const decision = readDecision(event);
    if (decision !== null) {
      const { state, outcome, onWhom, reason, reminder, cause = null, partly = null } = decision;
      lastDecision = decision;
      decided = { state, outcome };
      firstBy ??= author;
      if (author !== firstBy && isVerified(event)) review.secondBy = author;
      // Agreement with a decision is none with the next one.
      else if (isAgreed) review.secondBy = null;
      isAgreed = false;
      Object.assign(review, { ...decided, decidedOutcome: outcome, onWhom, reason, reminder, cause, partly });
      review.amounts = event.detail?.amounts ?? null;
      keepReviewed(review, event);
    }
    if (fact.kind === 'accept') {
      Object.assign(review, decided);
      review.amounts = event.detail?.amounts ?? review.amounts;
      keepReviewed(review, event);
    } else if (fact.kind === 'reopened') {
      const { changed, responsibility = null, isReturned: isAsDecided = false } = event.detail ?? {};
      Object.assign(review, {
        changedAt: isAsDecided ? null : at,
        changedFields: changed ?? [],
        changedResponsibility: isAsDecided ? null : responsibility,
        comparedIn: event.id,
        digest: event.digest,
        hasReturned: review.hasReturned || isAsDecided,
        foundBy: null,
      });
      if (event.detail?.other !== undefined) identity.change(event.detail.other);
      made.reopen(!isAsDecided);
      if (isAsDecided) Object.assign(review, decided);
      else if (review.state === 'done') Object.assign(review, { state: 'todo', outcome: null });
      else if (review.state === 'waiting') review.state = 'back';
    } else if (fact.kind === 'check') {
      made.check(event, fact.agrees);
      if (fact.agrees) {
        review.secondBy = author;
        isAgreed = true;
      } else {
        decided = { state: 'todo', outcome: null };
        Object.assign(review, { ...decided, reason: fact.reason, owner: review.owner ?? review.reviewedBy });
      }
    } else foldFact(review, event);
    const decidedNow = decision ?? (fact.kind === 'accept' ? lastDecision : null);
    if (decidedNow !== null) made.decide(event, review.outcome);
    twice.add(event, decidedNow === null ? null : { decision: decidedNow, amounts: review.amounts });
  }
  return Object.assign(review, twice.find(review.payments));
}

/**
 * Whether an event changes the review. False for an undo, and for an event that accepts or reopens a decision that no
 * longer counts: one that was undone or, for a reopening, one that is not the last; and for a check of one that is not
 * done, or is the author's own, or that in a team nobody signed for it.
 */
function isEffective(event: FoldedEvent, review: FoldedReview): boolean {
  const { fact, detail, author } = event;
  const { reviewedIn, paidIn } = review;
  if (fact.kind === 'undo' || isOfNoRun(review.runs, fact)) return false;
  if (fact.kind === 'check') return isVerified(event) && isCheckable(review, author);
  if (fact.kind === 'accept') return reviewedIn !== null;
  return fact.kind !== 'reopened' || detail?.since === (reviewedIn ?? paidIn);
}

/**
 * Whether its author is known: in a team, a member's computer signed each entry of the log. Without a team, everybody is
 * taken at their word.
 */
const isVerified = ({ place }: Pick<FoldedEvent, 'place'>): boolean => place !== null;

/** Whether this person may check the claim's decision: it is done, and somebody else's. */
export const isCheckable = (
  { state, reviewedBy }: Pick<FoldedReview, 'state' | 'reviewedBy'>,
  author: string,
): boolean => state === 'done' && reviewedBy !== author;

/** A judged duplicate is an event of both claims, but decides only the one that was judged. */
const isOfOther = ({ fact, detail }: Pick<FoldedEvent, 'fact' | 'detail'>): boolean =>
  fact.kind === 'judgeDuplicate' && (detail?.otherClaimId ?? fact.otherClaimId) !== fact.otherClaimId;

export const readDecision = (event: Pick<FoldedEvent, 'fact' | 'detail'>): Decision | null =>
  isOfOther(event) ? null : decisionOf(event.fact);

function keepReviewed(review: FoldedReview, { id, at, author, digest }: FoldedEvent): void {
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
}

function foldFact(review: FoldedReview, event: FoldedEvent): void {
  const { id, at, author, fact, detail } = event;
  switch (fact.kind) {
    case 'note':
      review.notes.push({ id, text: fact.text, at, author, editedAt: null });
      break;
    case 'editNote': {
      const note = review.notes.find((one) => one.id === fact.noteId);
      if (note !== undefined) Object.assign(note, { text: fact.text, editedAt: at });
      break;
    }
    case 'deleteNote':
      review.notes = review.notes.filter((note) => note.id !== fact.noteId);
      break;
    case 'tag':
      review.tags = [...new Set([...review.tags, ...fact.add])]
        .filter((tag) => !fact.remove.includes(tag))
        .sort();
      break;
    case 'flag':
      review.isFlagged = fact.isFlagged;
      break;
    case 'owner':
      review.owner = fact.owner;
      break;
    case 'deal':
      review.owner = detail?.owner ?? review.owner;
      break;
    case 'reminder':
      review.reminder = fact.day;
      break;
    case 'run':
    case 'runChecked':
    case 'runSent':
    case 'runLeft':
      foldRun(review, event, fact);
      break;
    case 'payment': {
      if (review.reviewedIn === null && event.digest !== null)
        Object.assign(review, { paidIn: id, comparedIn: id, digest: event.digest });
      if (fact.run !== undefined) foldRun(review, event, fact);
      const { payment, account } = fact;
      const paid =
        fact.amount === null || fact.day === null
          ? (detail?.payments ?? [])
          : [{ amount: fact.amount, day: fact.day }];
      const fromFile = detail?.fromFile === true;
      const payments = paymentsOf(
        review,
        review.runs.find(({ id: runId }) => runId === fact.run),
      );
      for (const { amount, day } of paid) {
        const known = payments.find(
          (one) => one.payment === payment && one.amount === amount && one.day === day,
        );
        if (fromFile && known?.fromFile === true) known.alsoBy.push({ author, at });
        else {
          const ofRun = fact.run === undefined ? {} : { run: fact.run };
          payments.push({
            ...{ id, payment, amount, day, account, author, at, fromFile, alsoBy: [], ...ofRun },
          });
        }
      }
      break;
    }
    case 'settlePayments':
      leavePaymentOut(review, fact.leaveOut);
      break;
    case 'judgeDuplicate': {
      const otherClaimId = detail?.otherClaimId ?? fact.otherClaimId;
      review.duplicates = [
        ...review.duplicates.filter((one) => one.otherClaimId !== otherClaimId),
        {
          otherClaimId,
          isDuplicate: fact.isDuplicate,
          isMarked: fact.isDuplicate && !isOfOther(event),
          at,
          fingerprint: detail?.fingerprint ?? null,
          relation:
            fact.relation === undefined ? null : { relation: fact.relation, isOfThis: !isOfOther(event) },
          eventId: id,
        },
      ];
      break;
    }
    case 'missing':
      review.missing = { answer: fact.answer, at };
      break;
  }
}
