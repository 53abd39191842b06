import { decideAmounts, mayWriteOff } from '../../../contract/decided-amounts.ts';
import { eligibleByRules } from '../../../contract/eligible.ts';
import type { Amount } from '../../../contract/query.ts';
import { paidOf, rulesOf, settlesOwed, signOf } from '../../../contract/reimbursement.ts';
import type { BrokenRule, ReviewAct } from '../../../contract/review.ts';
import { DeskError } from '../../lib/errors.ts';
import type { FoldedReview } from '../store/record/review-facts.ts';
import type { ActedClaim } from '../store/user-data/reviews.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import { readAtOnce } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';
import { openTwoPeopleRule } from './two-people.ts';

type Ports = Pick<ReviewPorts, 'getStore' | 'getUserData' | 'getSettings'>;

/** A payment of what is open of each of its claims. */
type OpenPayment = Extract<ReviewAct, { kind: 'payment' }> & { readonly amount: null };

export const isOpenPayment = (act: ReviewAct): act is OpenPayment =>
  act.kind === 'payment' && act.amount === null;

/** @throws DeskError `usage.invalid` for such a payment without a day, or of a kind that takes money back */
export function checkOpenPayment(act: ReviewAct): void {
  if (!isOpenPayment(act)) return;
  if (act.day === null || signOf(act.payment) !== 1) throw new DeskError('usage.invalid');
}

interface OpenOfClaim {
  readonly open: number | null;
  readonly owed: number | null;
  /** The largest amount that can be written off or offset. */
  readonly mayWriteOff: number;
  readonly review: FoldedReview | undefined;
}

/**
 * What is open and what is owed back of these claims, in ten-thousandths of a dollar; null: not known. Claims that are not here are left out.
 * With each is its review, where it has one.
 */
export async function readOpen(
  ports: Ports,
  workspaceId: string,
  claimIds: readonly number[],
): Promise<Map<number, OpenOfClaim>> {
  const settings = await ports.getSettings(workspaceId);
  const store = await ports.getStore(workspaceId);
  const userData = await ports.getUserData(workspaceId);
  const folded = userData.isThere()
    ? await userData.call('foldReviews', { workspaceId, claimIds: [...claimIds] })
    : [];
  const reviews = new Map(folded.map((review) => [review.claimId, review]));
  const claims = await store.read('readEligibleClaims', { claimIds, rules: factRulesOf(settings) });
  return new Map(
    claims.map(({ claimId, employerId, source, account }) => {
      const review = reviews.get(claimId);
      const { outcome = null, amounts = null, payments = [] } = review ?? {};
      const byRules = eligibleByRules(
        source,
        rulesOf(settings.reimbursementRules, settings.service, employerId),
        account,
      );
      const paid = paidOf(payments);
      const { open, owed } = decideAmounts(byRules, { outcome, kept: amounts, ...paid });
      return [claimId, { open, owed, mayWriteOff: mayWriteOff({ owed, ...paid }), review }];
    }),
  );
}

/** At most this many claims are listed that the two-person rule does not allow to be paid. */
const maxBroken = 200;

/** The number and the sum of the payments of what is open, and how many claims get none. */
export async function estimateOpen(
  ports: Ports & Pick<ReviewPorts, 'findAuthor'>,
  workspaceId: string,
  claimIds: Float64Array,
) {
  let [payments, amount, notKnown, nothingOpen, needsSecond] = [0, 0, 0, 0, 0];
  const broken: ({ claimId: number } & BrokenRule)[] = [];
  const findBroken = await openTwoPeopleRule(ports, workspaceId);
  const added = { payment: 'reimbursed', day: null, account: '' } as const;
  for (let at = 0; at < claimIds.length; at += readAtOnce) {
    const some = Array.from(claimIds.subarray(at, at + readAtOnce));
    for (const [claimId, { open, review }] of await readOpen(ports, workspaceId, some)) {
      if (open === null) notKnown += 1;
      else if (open <= 0) nothingOpen += 1;
      else {
        const fact = { kind: 'payment', ...added, amount: open } as const;
        const rule = findBroken?.(review, { fact }) ?? null;
        if (rule === null) {
          payments += 1;
          amount += open;
        } else {
          needsSecond += 1;
          if (broken.length < maxBroken) broken.push({ claimId, ...rule });
        }
      }
    }
  }
  return { payments, amount: amount as Amount, notKnown, nothingOpen, needsSecond, broken };
}

/**
 * The claims of such a payment, each with its amount: what is open of it now. Claims of which it is not known go to
 * `notKnown`, and those with nothing open have no payment.
 */
export async function* keepOpen(
  ports: Ports,
  workspaceId: string,
  parts: AsyncIterable<readonly ActedClaim[]>,
  { day, notKnown }: { readonly day: string; readonly notKnown: number[] },
): AsyncGenerator<readonly ActedClaim[]> {
  for await (const part of parts) {
    const open = await readOpen(
      ports,
      workspaceId,
      part.map(({ claimId }) => claimId),
    );
    notKnown.push(...[...open].flatMap(([claimId, one]) => (one.open === null ? [claimId] : [])));
    yield part.flatMap((one) => {
      const amount = open.get(one.claimId)?.open ?? 0;
      return amount > 0 ? [{ ...one, detail: { payments: [{ amount, day }] } }] : [];
    });
  }
}

/** An amount that is written off or offset. */
export const isWriteOff = (
  act: ReviewAct,
): act is Extract<ReviewAct, { kind: 'payment' }> & { amount: number } =>
  act.kind === 'payment' && act.amount !== null && settlesOwed(act.payment);

/** The same claims. @throws DeskError `review.moreThanOwed` where less than this amount is owed back of one of them */
export async function* checkOwed(
  ports: Ports,
  workspaceId: string,
  parts: AsyncIterable<readonly ActedClaim[]>,
  amount: number,
): AsyncGenerator<readonly ActedClaim[]> {
  for await (const part of parts) {
    const claimIds = part.map(({ claimId }) => claimId);
    const open = await readOpen(ports, workspaceId, claimIds);
    if (claimIds.some((claimId) => amount > (open.get(claimId)?.mayWriteOff ?? 0)))
      throw new DeskError('review.moreThanOwed');
    yield part;
  }
}
