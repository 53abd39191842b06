import { type DecidedAmounts, decideAmounts } from '../money/decided-amounts.ts';
import { typedAmountOf } from './describe-partly.ts';
import { actOf, decisionOf, type ReviewAct } from './event-kinds.ts';
import { beginFold } from './fold-review.ts';
import { type FoldedReview, stateOn } from './folded-review.ts';
import type { ClaimReview } from './review.ts';

/** The values that are shown as the events left them. */
const shownNames = [
  'outcome',
  'onWhom',
  'reason',
  'reminder',
  'owner',
  'isFlagged',
  'tags',
  'changedAt',
  'foundBy',
  'paidTwice',
] as const;
type ShownName = (typeof shownNames)[number];

const pickShown = (review: Pick<FoldedReview, ShownName>) =>
  Object.fromEntries(shownNames.map((name) => [name, review[name]])) as Pick<FoldedReview, ShownName>;

type Shown = Pick<FoldedReview, ShownName | 'cause' | 'partly'> & Pick<ClaimReview, 'state'> & DecidedAmounts;

/** Returns what is shown of a folded review, with its amounts computed from those by the rules. */
export function showDecided(
  review: FoldedReview,
  context: Pick<ClaimReview, 'reimbursed' | 'writtenOff' | 'byRules' | 'chain'> & {
    readonly today: string;
    /** The state of a claim that nothing decides. */
    readonly undecided: () => 'todo' | 'notSelected';
  },
): Shown {
  const { outcome } = review;
  const { reimbursed, writtenOff } = context;
  return {
    state: stateOn(review, context.today) ?? context.undecided(),
    ...pickShown(review),
    // A decision that a sync reopened no longer counts.
    cause: outcome === null ? null : review.cause,
    partly: outcome === null ? null : review.partly,
    ...decideAmounts(
      context.byRules,
      { outcome, kept: review.amounts, reimbursed, writtenOff },
      context.chain,
    ),
  };
}

/**
 * The review as it will be after an act, shown before the engine has answered. Acts that create something (notes,
 * payments) are shown after they are saved.
 */
export function predictReview(review: ClaimReview, act: ReviewAct, today: string): ClaimReview {
  const kind = actOf(act);
  const { outcome, cause, partly, byRules, ifKept, reviewedBy } = review;
  const isDue = review.state === 'back' && review.changedAt === null;
  const state = review.state === 'notSelected' ? null : isDue ? 'waiting' : review.state;
  const { eligible } = review;
  const amounts = partly === null || eligible === null ? null : { eligible, byRules };
  const reviewedIn = review.reviewedAt === null ? null : 'before';
  const decided = { cause, partly, amounts, reviewedBy, reviewedIn, state };
  const fold = beginFold(review.claimId, { ...pickShown(review), ...decided });
  // Accepting confirms the decision from before a change.
  const undecided = state === 'back' ? 'waiting' : state;
  fold.decided =
    ifKept === null
      ? { state, outcome }
      : { state: ifKept.outcome === null ? undecided : 'done', outcome: ifKept.outcome };
  const part = decisionOf(act)?.partly;
  const typed = part !== undefined ? typedAmountOf(part) : act.kind === 'accept' ? ifKept?.eligible : null;
  const detail = typed == null ? null : { amounts: { eligible: typed, byRules } };
  const event = { id: 'sent', at: '', author: '', fact: act, undoes: null, digest: null, detail };
  if (kind.isShownSaved === true || kind.isEffective?.(fold.review, event) === false) return review;
  kind.fold?.(fold, event);
  const isConfirmed = fold.review.reviewedIn === event.id;
  return {
    ...review,
    ...(isConfirmed ? { changes: [], olderRecord: null, ifKept: null, decidedTwice: [] } : {}),
    ...showDecided(fold.review, {
      byRules,
      chain: review.chain,
      today,
      reimbursed: review.reimbursed,
      writtenOff: review.writtenOff,
      undecided: () => (review.state === 'notSelected' ? 'notSelected' : 'todo'),
    }),
  };
}
