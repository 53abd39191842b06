import { sumPayments } from '../../../contract/reimbursement.ts';
import { decisionOf, type ReviewFact } from '../../../contract/review.ts';
import { DeskError } from '../../lib/errors.ts';
import type { FoldedReview } from '../store/record/review-facts.ts';
import { type FoldedEvent, findUndone, foldReview, readDecision } from '../store/user-data/fold-review.ts';
import type { ActedClaim } from '../store/user-data/reviews.ts';
import { foldSettingFacts } from '../store/user-data/setting-facts.ts';
import type { ReviewPorts } from './review-ports.ts';

/** The amount above which who decided a claim may not record its payment, in ten-thousandths of a dollar; null: no rule. */
const readTwoPeopleRule = async (
  { getSettings }: Pick<ReviewPorts, 'getSettings'>,
  workspaceId: string,
): Promise<number | null> => (await getSettings(workspaceId)).team?.twoPeopleAbove ?? null;

/**
 * Whether one person would decide a claim and record more than this amount for it, in either order. What the person
 * recorded before counts as well, so that a payment in parts is no way around the rule.
 */
export function breaksTwoPeople(
  { reviewedBy, payments }: Pick<FoldedReview, 'reviewedBy' | 'payments'>,
  author: string,
  { fact, detail }: { readonly fact: ReviewFact; readonly detail?: ActedClaim['detail'] },
  above: number,
): boolean {
  const own = payments.filter((one) => one.author === author).map((one) => ({ ...one, kind: one.payment }));
  if (fact.kind === 'payment') {
    const { payment: kind, amount } = fact;
    const added = amount === null ? (detail?.payments ?? []) : [{ amount }];
    const adds = kind !== 'repaid' && kind !== 'reversed';
    return (
      adds &&
      reviewedBy === author &&
      sumPayments([...own, ...added.map((one) => ({ ...one, kind }))]) > above
    );
  }
  const decision = decisionOf(fact);
  return decision?.state === 'done' && sumPayments(own) > above;
}

/** Passes claims on that an act may be about. @throws DeskError `review.needsSecond` at one that breaks the team's rule */
export async function* checkTwoPeople(
  ports: Pick<ReviewPorts, 'getSettings' | 'getUserData' | 'findAuthor'>,
  workspaceId: string,
  parts: AsyncIterable<readonly ActedClaim[]>,
  fact: ReviewFact,
): AsyncGenerator<readonly ActedClaim[]> {
  const isOfRule = fact.kind === 'payment' || decisionOf(fact)?.state === 'done';
  const above = isOfRule ? await readTwoPeopleRule(ports, workspaceId) : null;
  if (above === null) return yield* parts;
  const [userData, author] = [await ports.getUserData(workspaceId), await ports.findAuthor(workspaceId)];
  for await (const part of parts) {
    const claimIds = part.map(({ claimId }) => claimId);
    const reviews = await userData.call('foldReviews', { workspaceId, claimIds });
    const details = new Map(part.map(({ claimId, detail }) => [claimId, detail]));
    const broken = reviews.find((review) =>
      breaksTwoPeople(review, author, { fact, detail: details.get(review.claimId) }, above),
    );
    if (broken !== undefined)
      throw new DeskError('review.needsSecond', { details: { claimId: broken.claimId } });
    yield part;
  }
}

/** The changes of the amount, oldest first. */
export type AmountsOfRule = readonly { readonly at: string; readonly above: number | null }[];

/**
 * The events of a claim that break the team's rule and are here nevertheless, as by an older version or a changed one, with
 * the amount of the rule at that time. Events that were undone break nothing.
 */
export function findBreaks(
  claimId: number,
  all: readonly FoldedEvent[],
  amounts: AmountsOfRule,
): Map<string, number> {
  const found = new Map<string, number>();
  const undone = findUndone(all);
  const events = all.filter(({ id }) => !undone.has(id));
  if (!events.some(({ fact }) => fact.kind === 'payment')) return found;
  for (const [index, event] of events.entries()) {
    const { id, at, author, fact, detail } = event;
    const above = amounts.findLast((one) => one.at <= at)?.above ?? null;
    if (above === null || (fact.kind !== 'payment' && readDecision(event) === null)) continue;
    const before = foldReview(claimId, events.slice(0, index));
    if (breaksTwoPeople(before, author, { fact, ...(detail !== null && { detail }) }, above))
      found.set(id, above);
  }
  return found;
}

/** `findBreaks` in the history of a claim; of one without a team nothing is read. */
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
