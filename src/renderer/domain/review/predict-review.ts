import { decideAmounts } from '../../../rules/money/decided-amounts.ts';
import type { Row } from '../../../rules/query.ts';
import {
  type ClaimReview,
  decisionOf,
  type PartlyEligible,
  type ReviewAct,
  type ReviewState,
} from '../../../rules/review/review.ts';

const acceptedStates: Readonly<Record<ReviewState, ReviewState>> = {
  todo: 'done',
  inReview: 'inReview',
  waiting: 'waiting',
  back: 'waiting',
  escalated: 'escalated',
  done: 'done',
  notSelected: 'notSelected',
};

/** The typed amount of one claim; null for a rule, which the engine evaluates. */
const eligibleOf = (partly: PartlyEligible): number | null =>
  partly.by === 'amount'
    ? partly.amount
    : partly.by === 'lines'
      ? partly.lines.reduce((sum, { amount }) => sum + amount, 0)
      : null;

/**
 * The review as it will be after an act, shown before the engine has answered. Acts that create something (notes,
 * payments, judgments) are shown after they are saved.
 */
export function predictReview(review: ClaimReview, act: ReviewAct): ClaimReview {
  const decision = decisionOf(act);
  if (decision !== null) {
    const { state, outcome, onWhom, reason, reminder, partly = null, cause = null } = decision;
    const { byRules } = review;
    const eligible = partly === null ? null : eligibleOf(partly);
    return {
      ...{ ...review, state, outcome, onWhom, reason, reminder, partly, cause },
      ...decideAmounts(
        byRules,
        {
          outcome,
          kept: eligible === null ? null : { eligible, byRules },
          reimbursed: review.reimbursed,
          writtenOff: review.writtenOff,
        },
        review.chain,
      ),
      ...{ changedAt: null, foundBy: null, changes: [], olderRecord: null, decidedTwice: [] },
    };
  }
  switch (act.kind) {
    case 'accept':
      return {
        ...review,
        // The earlier decision counts again; its outcome is in the engine's answer.
        state: review.changedAt === null ? review.state : acceptedStates[review.state],
        changedAt: null,
        foundBy: null,
        changes: [],
        olderRecord: null,
      };
    case 'check':
      return act.agrees
        ? review
        : {
            ...review,
            state: 'todo',
            outcome: null,
            reason: act.reason,
            owner: review.owner ?? review.reviewedBy,
          };
    case 'tag':
      return {
        ...review,
        tags: [...new Set([...review.tags, ...act.add])].filter((tag) => !act.remove.includes(tag)).sort(),
      };
    case 'flag':
      return { ...review, isFlagged: act.isFlagged };
    case 'settlePayments':
      return { ...review, paidTwice: null };
    case 'owner':
      return { ...review, owner: act.owner };
    case 'reminder':
      return { ...review, reminder: act.day };
    default:
      return review;
  }
}

/** The new values of the cells of a claim's row that an act changes. */
export function predictCells(act: ReviewAct): Row {
  switch (act.kind) {
    case 'decision':
      return {
        'review.state': act.state,
        'review.outcome': act.outcome,
        'review.on_whom': act.onWhom,
        'review.reason': act.reason,
        'review.reminder': act.reminder,
        'review.cause': act.cause ?? null,
        'review.changed_at': null,
      };
    case 'accept':
      return { 'review.changed_at': null };
    case 'check':
      return act.agrees
        ? {}
        : { 'review.state': 'todo', 'review.outcome': null, 'review.reason': act.reason };
    case 'flag':
      return { 'review.flag': act.isFlagged || null };
    case 'owner':
      return { 'review.owner': act.owner };
    case 'reminder':
      return { 'review.reminder': act.day };
    default:
      return {};
  }
}
