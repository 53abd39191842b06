import { addDays } from '../../../rules/days.ts';
import type { ChainRole } from '../../../rules/money/chains.ts';
import { findHoldingRun, type MateOfRuns } from '../../../rules/money/corrections.ts';
import { decideAmounts, mayWriteOff } from '../../../rules/money/decided-amounts.ts';
import { eligibleByRules } from '../../../rules/money/eligible.ts';
import {
  maxDaysAhead,
  type PaymentKind,
  paidOf,
  type ReimbursementRules,
  rulesOf,
  settlesOwed,
  signOf,
} from '../../../rules/money/reimbursement.ts';
import type { Amount } from '../../../rules/query.ts';
import type { ReviewAct } from '../../../rules/review/event-kinds.ts';
import type { FoldedReview } from '../../../rules/review/folded-review.ts';
import type { BrokenRule } from '../../../rules/review/review.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/write-event.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import { readAtOnce } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';
import { shareChains } from './share-chains.ts';
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
  /** The eligible amount of the claim itself, as decided. */
  readonly eligible: number | null;
  readonly open: number | null;
  readonly owed: number | null;
  /** The reimbursed amount of its chain: no more can be repaid or reversed. */
  readonly reimbursed: number;
  /** Its role in its chain; null: it is in no chain. */
  readonly role: ChainRole | null;
  /** The largest amount that can be written off or offset. */
  readonly mayWriteOff: number;
  readonly review: FoldedReview | undefined;
  readonly rules: ReimbursementRules;
  readonly chainClaims: readonly number[];
  /** The claims of its chain that are, or were, in a run. */
  readonly mates: readonly MateOfRuns[];
}

/**
 * Reads what is open and what is owed back of these claims, in ten-thousandths of a dollar; null: not known.
 * Claims that are not here are left out. Each has its review, where there is one.
 */
export async function readOpen(
  ports: Ports,
  workspaceId: string,
  claimIds: readonly number[],
): Promise<Map<number, OpenOfClaim>> {
  const settings = await ports.getSettings(workspaceId);
  const store = await ports.getStore(workspaceId);
  const userData = await ports.getUserData(workspaceId);
  const mates = await store.read('readChainMates', { claimIds });
  const all = [...new Set([...claimIds, ...mates.map(({ id }) => id)])];
  const folded = userData.isThere() ? await userData.call('foldReviews', { workspaceId, claimIds: all }) : [];
  const reviews = new Map(folded.map((review) => [review.claimId, review]));
  const claims = await store.read('readEligibleClaims', { claimIds: all, rules: factRulesOf(settings) });
  const chains = shareChains({ mates, claims, reviews, settings });
  const asked = new Set(claimIds);
  const chainOf = new Map(mates.map(({ id, chain }) => [id, chain]));
  const byChain = Map.groupBy(
    mates.flatMap(({ id, chain, role }): (MateOfRuns & { chain: number })[] => {
      const runs = reviews.get(id)?.runs ?? [];
      return runs.length === 0 ? [] : [{ claimId: id, chain, role, runs }];
    }),
    ({ chain }) => chain,
  );
  const askedClaims = claims.filter(({ claimId }) => asked.has(claimId));
  return new Map(
    askedClaims.map(({ claimId, employerId, source, account }) => {
      const review = reviews.get(claimId);
      const { outcome = null, amounts = null, payments = [] } = review ?? {};
      const rules = rulesOf(settings.reimbursementRules, settings.service, employerId);
      const byRules = eligibleByRules(source, rules, account);
      const paid = paidOf(payments);
      const chain = chains.get(claimId) ?? null;
      const { eligible, open, owed } = decideAmounts(byRules, { outcome, kept: amounts, ...paid }, chain);
      const reimbursed = paid.reimbursed + (chain?.reimbursed ?? 0);
      const writtenOff = paid.writtenOff + (chain?.writtenOff ?? 0);
      const most = mayWriteOff({ owed, reimbursed, writtenOff });
      const ofChain = byChain.get(chainOf.get(claimId) ?? claimId) ?? [];
      return [
        claimId,
        {
          eligible,
          open,
          owed,
          reimbursed,
          review,
          rules,
          role: chain?.role ?? null,
          mayWriteOff: most,
          chainClaims: mates.flatMap(({ id, chain: mateChain }) =>
            id !== claimId && mateChain === chainOf.get(claimId) ? [id] : [],
          ),
          mates: ofChain.filter((mate) => mate.claimId !== claimId),
        },
      ];
    }),
  );
}

/** The most that a payment of this kind can be, where it takes money back or settles what is owed. */
export const limitOf = (payment: PaymentKind, open: OpenOfClaim | undefined): number =>
  (settlesOwed(payment) ? open?.mayWriteOff : open?.reimbursed) ?? 0;

/** At most this many claims are listed that the two-person rule does not allow to be paid. */
const maxBroken = 200;

/** The number and the sum of the payments of what is open, and how many claims get none. */
export async function estimateOpen(
  ports: Ports & Pick<ReviewPorts, 'findAuthor'>,
  workspaceId: string,
  claimIds: Float64Array,
) {
  let [allOpen, payments, amount, notKnown, nothingOpen, inRun, needsSecond] = [0, 0, 0, 0, 0, 0, 0];
  const broken: ({ claimId: number } & BrokenRule)[] = [];
  const findBroken = await openTwoPeopleRule(ports, workspaceId);
  const added = { payment: 'reimbursed', day: null, account: '' } as const;
  for (let at = 0; at < claimIds.length; at += readAtOnce) {
    const some = Array.from(claimIds.subarray(at, at + readAtOnce));
    for (const [claimId, { open, review, mates }] of await readOpen(ports, workspaceId, some)) {
      if (open === null) notKnown += 1;
      else if (open <= 0) nothingOpen += 1;
      else {
        allOpen += open;
        const fact = { kind: 'payment', ...added, amount: open } as const;
        const rule = findBroken?.(review, { fact }) ?? null;
        if (rule === null) {
          payments += 1;
          if (findHoldingRun(review?.runs ?? [], mates) !== undefined) inRun += 1;
          amount += open;
        } else {
          needsSecond += 1;
          if (broken.length < maxBroken) broken.push({ claimId, ...rule });
        }
      }
    }
  }
  const sums = { open: allOpen as Amount, amount: amount as Amount };
  return { ...sums, payments, notKnown, nothingOpen, inRun, needsSecond, broken };
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
    notKnown.push(...[...open].flatMap(([claimId, openClaim]) => (openClaim.open === null ? [claimId] : [])));
    yield part.flatMap((claim) => {
      const amount = open.get(claim.claimId)?.open ?? 0;
      return amount > 0 ? [{ ...claim, detail: { payments: [{ amount, day }] } }] : [];
    });
  }
}

/** Whether a day is too far ahead for a payment, which may be planned. */
export const isTooFarAhead = (day: string, today: string): boolean =>
  day > (addDays(today, maxDaysAhead) ?? day);

/** @throws DeskError `review.badPayment` for an amount of less than a cent, or a day that is too far ahead of `today` */
export function checkPayment(act: ReviewAct, today: string): void {
  if (act.kind !== 'payment') return;
  const isWhole = act.amount === null || act.amount % 100 === 0;
  if (!isWhole || (act.day !== null && isTooFarAhead(act.day, today)))
    throw new DeskError('review.badPayment');
}

/** An amount that comes back, or is written off or offset. */
export const isTakenBack = (
  act: ReviewAct,
): act is Extract<ReviewAct, { kind: 'payment' }> & { amount: number } =>
  act.kind === 'payment' && act.amount !== null && (settlesOwed(act.payment) || signOf(act.payment) < 0);

/**
 * The same claims. @throws DeskError `review.moreThanOwed`, `review.moreThanPaid` where less than this amount is owed back,
 *   or was paid, of the chain of one of them
 */
export async function* checkOwed(
  ports: Ports,
  workspaceId: string,
  parts: AsyncIterable<readonly ActedClaim[]>,
  { amount, payment }: { readonly amount: number; readonly payment: PaymentKind },
): AsyncGenerator<readonly ActedClaim[]> {
  for await (const part of parts) {
    const claimIds = part.map(({ claimId }) => claimId);
    const open = await readOpen(ports, workspaceId, claimIds);
    const most = (claimId: number): number => limitOf(payment, open.get(claimId));
    if (claimIds.some((claimId) => amount > most(claimId)))
      throw new DeskError(settlesOwed(payment) ? 'review.moreThanOwed' : 'review.moreThanPaid');
    yield part;
  }
}

/** The first days of service of these claims, of those that have one. */
export async function readServiceDays(
  ports: Pick<Ports, 'getStore'>,
  workspaceId: string,
  claimIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await (await ports.getStore(workspaceId)).read('readRunClaims', { claimIds });
  return new Map(
    rows.flatMap(({ claimId, serviceStart }) => (serviceStart === null ? [] : [[claimId, serviceStart]])),
  );
}

/** The same claims. @throws DeskError `review.beforeService` where a payment is dated before the service of one of them */
export async function* checkEarly(
  ports: Ports,
  workspaceId: string,
  parts: AsyncIterable<readonly ActedClaim[]>,
  act: ReviewAct,
): AsyncGenerator<readonly ActedClaim[]> {
  for await (const part of parts) {
    if (act.kind === 'payment' && act.day !== null) {
      const { day } = act;
      const claimIds = part.map(({ claimId }) => claimId);
      const days = await readServiceDays(ports, workspaceId, claimIds);
      if ([...days.values()].some((from) => day < from)) throw new DeskError('review.beforeService');
    }
    yield part;
  }
}
