import type { ReviewFact } from '../../../rules/review/event-kinds.ts';
import type { FoldedReview } from '../../../rules/review/folded-review.ts';
import type { ListedFact } from '../../../rules/review/review.ts';
import { isOpenIn } from '../../../rules/review/run-facts.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ListedEvent } from '../store/user-data/list-events.ts';
import { readAtOnce } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';

const places = ['made', 'checked', 'sent', 'recorded'] as const;

/** The run of a run's event, and its position among the steps; null: it has no run, or changes no steps. */
function stepOf(fact: ListedFact | ReviewFact, eventId: string): { run: string; place: number } | null {
  if (fact.kind === 'run') return { run: eventId, place: 0 };
  if (fact.kind === 'runChecked') return { run: fact.run, place: 1 };
  if (fact.kind === 'runSent') return { run: fact.run, place: 2 };
  return fact.kind === 'payment' && fact.run !== undefined ? { run: fact.run, place: 3 } : null;
}

/** Whether a claim has a step after this one, or is in a later run, from which it would be missing. */
function hasLater(
  { runs }: Pick<FoldedReview, 'runs'>,
  { run: runId, place }: { run: string; place: number },
): boolean {
  const at = runs.findIndex(({ id }) => id === runId);
  const run = runs[at];
  if (run === undefined) return false;
  const isLater =
    (isOpenIn(run.state) || run.state === 'recorded') && places.indexOf(run.state as never) > place;
  return isLater || (place > 0 && runs.slice(at + 1).some(({ state }) => state !== 'inOther'));
}

/**
 * Refuses to undo a step of a run on which a later one depends, and to repeat one that was undone.
 *
 * @throws DeskError `run.laterStep`
 */
export async function checkRunUndo(
  ports: Pick<ReviewPorts, 'getUserData'>,
  workspaceId: string,
  { event, claimIds }: { readonly event: ListedEvent; readonly claimIds: readonly number[] },
): Promise<void> {
  const userData = await ports.getUserData(workspaceId);
  if (event.fact.kind === 'undo' && event.undoes !== null) {
    const undone = await userData.call('findReviewEvent', { workspaceId, id: event.undoes });
    if (undone !== null && stepOf(undone.event.fact, undone.event.id) !== null)
      throw new DeskError('run.laterStep');
    return;
  }
  const { fact } = event;
  const step = fact.kind === 'runLeft' ? { run: fact.run, place: places.length } : stepOf(fact, event.id);
  if (step === null) return;
  for (let at = 0; at < claimIds.length; at += readAtOnce) {
    const some = claimIds.slice(at, at + readAtOnce);
    const reviews = await userData.call('foldReviews', { workspaceId, claimIds: some });
    if (reviews.some((review) => hasLater(review, step))) throw new DeskError('run.laterStep');
  }
}

/**
 * The events that were recorded in one act with this one, including itself, newest first: the payments of a run, and
 * what they offset. If that is not stored, they are adjacent among the events of the run.
 */
export async function findSameAct(
  ports: Pick<ReviewPorts, 'getUserData'>,
  workspaceId: string,
  event: ListedEvent,
): Promise<ListedEvent[]> {
  const runOf = ({ fact }: ListedEvent) => (fact.kind === 'payment' ? fact.run : undefined);
  const runId = runOf(event);
  if (runId === undefined) return [event];
  const userData = await ports.getUserData(workspaceId);
  const events = (await userData.call('listRunEvents', { workspaceId, runId })).filter(
    ({ fact }) => fact.kind !== 'runLeft',
  );
  const isPair = (offset: ListedEvent | undefined, paid: ListedEvent | undefined): boolean => {
    if (offset?.fact.kind !== 'payment' || paid?.fact.kind !== 'payment') return false;
    if (offset.fact.payment !== 'offset' || paid.fact.payment !== 'reimbursed') return false;
    const { sameActAs } = offset.fact;
    return sameActAs === undefined
      ? offset.author === paid.author && events.indexOf(offset) + 1 === events.indexOf(paid)
      : sameActAs === paid.id;
  };
  const runEvent = events.find(({ id }) => id === event.id) ?? event;
  const offset = events.find((candidate) => isPair(candidate, runEvent));
  const paid = events.find((candidate) => isPair(runEvent, candidate));
  return [offset, runEvent, paid].filter((match) => match !== undefined);
}
