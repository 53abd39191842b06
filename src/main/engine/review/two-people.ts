import { signOf, sumPayments } from '../../../rules/money/reimbursement.ts';
import { decisionOf, type ReviewFact, readDecision } from '../../../rules/review/event-kinds.ts';
import type { FoldedEvent } from '../../../rules/review/fold-review.ts';
import { findUndone, foldReview } from '../../../rules/review/fold-review.ts';
import type { FoldedReview, ReviewDetail } from '../../../rules/review/folded-review.ts';
import type { BrokenRule } from '../../../rules/review/review.ts';
import { foldSettingFacts } from '../store/user-data/setting-facts.ts';
import type { ReviewPorts } from './review-ports.ts';

type Ports = Pick<ReviewPorts, 'getSettings' | 'findAuthor'>;
type DecidedAndPaid = Pick<FoldedReview, 'reviewedBy' | 'payments'> & Partial<Pick<FoldedReview, 'rule'>>;
interface Added {
  readonly fact: ReviewFact;
  readonly detail?: ReviewDetail | null | undefined;
}

/**
 * Returns by how much one author would record more than this amount for a claim that they also decide, in either order,
 * in ten-thousandths of a dollar; 0: not at all. Earlier payments by the author count as well, so that paying in parts
 * does not avoid the rule.
 */
function exceedsTwoPeople(
  { reviewedBy, rule, payments }: DecidedAndPaid,
  author: string,
  { fact, detail }: Added,
  above: number,
): number {
  const ownPayments = payments
    .filter((payment) => payment.author === author)
    .map((payment) => ({ ...payment, kind: payment.payment }));
  if (fact.kind === 'payment') {
    const { payment: kind, amount } = fact;
    const added = amount === null ? (detail?.payments ?? []) : [{ amount }];
    // For a decision of a rule, whoever confirmed that the rule decides counts as well.
    const isDecider = reviewedBy === author || (rule?.how === 'done' && rule.confirmedBy === author);
    if (signOf(kind) !== 1 || !isDecider) return 0;
    return Math.max(
      0,
      sumPayments([...ownPayments, ...added.map((payment) => ({ ...payment, kind }))]) - above,
    );
  }
  const decides = readDecision({ fact, detail: detail ?? null })?.state === 'done';
  return decides ? Math.max(0, sumPayments(ownPayments) - above) : 0;
}

/** The team's rule as it applies to this act of this computer's user; null: none, or one about other acts. */
export async function openTwoPeopleRule(ports: Ports, workspaceId: string, act: ReviewFact) {
  const isOfRule = act.kind === 'payment' || act.kind === 'byRule' || decisionOf(act)?.state === 'done';
  const above = isOfRule ? ((await ports.getSettings(workspaceId)).team?.twoPeopleAbove ?? null) : null;
  if (above === null) return null;
  const author = await ports.findAuthor(workspaceId);
  /** How an act on a claim with this review, or without one, breaks the rule; null: it does not. */
  return (review: DecidedAndPaid | undefined, added: Added): BrokenRule | null => {
    const over = review === undefined ? 0 : exceedsTwoPeople(review, author, added, above);
    return over === 0 ? null : { above, over, decidedBy: author };
  };
}

/** The changes of the amount, oldest first. */
type AmountsOfRule = readonly { readonly at: string; readonly above: number | null }[];

/**
 * The events of a claim that break the team's rule but are here anyway, such as those of an older or altered version,
 * with the amount of the rule at that time. Events that were undone break nothing.
 */
export function findBreaks(
  claimId: number,
  all: readonly FoldedEvent[],
  amounts: AmountsOfRule,
): Map<string, number> {
  const breaks = new Map<string, number>();
  const undone = findUndone(all);
  const events = all.filter(({ id }) => !undone.has(id));
  if (!events.some(({ fact }) => fact.kind === 'payment')) return breaks;
  for (const [index, event] of events.entries()) {
    const { id, at, author, fact, detail } = event;
    const above = amounts.findLast((limit) => limit.at <= at)?.above ?? null;
    if (above === null || (fact.kind !== 'payment' && readDecision(event) === null)) continue;
    const before = foldReview(claimId, events.slice(0, index));
    if (exceedsTwoPeople(before, author, { fact, detail }, above) > 0) breaks.set(id, above);
  }
  return breaks;
}

/** `findBreaks` in the history of a claim; without a team, nothing is read. */
export async function readBreaks(
  ports: Pick<ReviewPorts, 'getSettings' | 'getUserData'>,
  workspaceId: string,
  claimId: number,
): Promise<ReadonlyMap<string, number>> {
  if ((await ports.getSettings(workspaceId)).team === null) return new Map();
  const userData = await ports.getUserData(workspaceId);
  const { history } = foldSettingFacts(
    await userData.call('readTeamFacts', { workspaceId, kind: 'teamSettings' }),
  );
  const amounts = history.flatMap(({ at, change }) =>
    change.setting === 'twoPeopleAbove' ? [{ at, above: change.value ?? null }] : [],
  );
  if (amounts.length === 0) return new Map();
  return findBreaks(claimId, await userData.call('readClaimEvents', { workspaceId, claimId }), amounts);
}
