import type { FoldedReview } from './folded-review.ts';
import type { ClaimRun, RunState } from './run-facts.ts';

export const findRun = ({ runs }: FoldedReview, id: string | undefined): ClaimRun | undefined =>
  runs.find((run) => run.id === id);

/**
 * The claim's state in a run. It is `inOther` if it was never in it: the steps of a run have no effect on such a claim,
 * even if they were taken before.
 */
export const stateInRun = (review: FoldedReview, id: string): RunState =>
  findRun(review, id)?.state ?? 'inOther';
