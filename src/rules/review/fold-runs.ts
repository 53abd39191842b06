import { sumPayments } from '../money/reimbursement.ts';
import { paymentsOf } from './fold-earlier.ts';
import type { FoldedReview, RunDetail } from './folded-review.ts';
import type { ReviewFact } from './review.ts';
import { type ClaimRun, isOpenIn } from './run-facts.ts';

interface RunEvent {
  readonly id: string;
  readonly at: string;
  readonly author: string;
  readonly detail: { readonly run?: RunDetail; readonly reason?: string; readonly rejected?: true } | null;
}
type RunFact =
  | Extract<ReviewFact, { kind: 'run' | 'runChecked' | 'runSent' | 'runLeft' }>
  | Extract<ReviewFact, { kind: 'payment' }>;

const find = (runs: readonly ClaimRun[], id: string | undefined): ClaimRun | undefined =>
  runs.find((one) => one.id === id);

/**
 * Whether an event is of a run that the claim is not in, or no longer, or is a step that was taken before: it has no
 * effect. So a payment of a run counts once, and only for the claims of the run.
 */
export function isOfNoRun(runs: readonly ClaimRun[], fact: ReviewFact): boolean {
  if (fact.kind === 'payment')
    return fact.run !== undefined && !isOpenIn(find(runs, fact.run)?.state ?? 'inOther');
  if (fact.kind !== 'runChecked' && fact.kind !== 'runSent' && fact.kind !== 'runLeft') return false;
  const state = find(runs, fact.run)?.state ?? 'inOther';
  if (fact.kind === 'runChecked') return state !== 'made';
  if (fact.kind === 'runSent') return state !== 'made' && state !== 'checked';
  return !isOpenIn(state) && state !== 'recorded';
}

/**
 * Applies an event of a run to the review of a claim. A claim is in one open run: where two computers put it into a run
 * without having seen that of each other, the earlier run has it, also where it was recorded as reimbursed before the
 * later one was made.
 */
export function foldRun(review: FoldedReview, event: RunEvent, fact: RunFact): void {
  const { runs } = review;
  const { id, at, author, detail } = event;
  if (fact.kind === 'run') {
    const { amount = 0, after = [] } = detail?.run ?? {};
    const other = runs.find(
      (one) => isOpenIn(one.state) || (one.state === 'recorded' && !after.includes(one.id)),
    );
    const state = other === undefined ? 'made' : 'inOther';
    runs.push({ id, name: fact.name, amount, state, reason: other?.id ?? null });
    return;
  }
  const run = find(runs, fact.run);
  if (run === undefined) return;
  if (fact.kind === 'runChecked') run.state = 'checked';
  else if (fact.kind === 'runSent') run.state = 'sent';
  else if (fact.kind === 'payment') run.state = 'recorded';
  else {
    const payments = paymentsOf(review, run);
    const paid = payments.filter((one) => one.run === run.id);
    const amount = sumPayments(paid.map((one) => ({ kind: one.payment, amount: one.amount })));
    const last = paid.at(-1);
    if (last !== undefined && amount !== 0) {
      const { account, day } = last;
      payments.push({
        // An offset is taken back by counting as reimbursed again.
        ...{ id, payment: amount > 0 ? 'reversed' : 'reimbursed', amount: Math.abs(amount), day, account },
        ...{ author, at, run: run.id },
        ...{ fromFile: false, alsoBy: [] },
      });
    }
    Object.assign(run, { state: 'left', reason: detail?.reason ?? fact.reason });
    if (detail?.rejected === true) run.isRejected = true;
  }
}
