import type { ChainRole } from '../../../rules/money/chains.ts';
import { findHoldingRun, type MateOfRuns } from '../../../rules/money/corrections.ts';
import { decideAmounts, mayWriteOff } from '../../../rules/money/decided-amounts.ts';
import { eligibleByRules } from '../../../rules/money/eligible.ts';
import {
  type PaymentKind,
  paidOf,
  type ReimbursementRules,
  reducesOwed,
  rulesOf,
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

interface OpenOfClaim {
  /** The eligible amount of the claim itself, as decided. */
  readonly eligible: number | null;
  readonly open: number | null;
  readonly owed: number | null;
  /** The reimbursed amount of its chain: no more than this can be repaid or reversed. */
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
 * Reads the open and owed-back amounts of these claims, in ten-thousandths of a dollar; null: unknown. Claims that are
 * not here are left out. Each claim includes its review, if it has one.
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

/** The most that a payment of this kind can be, if it takes money back or reduces what is owed. */
export const limitOf = (payment: PaymentKind, open: OpenOfClaim | undefined): number =>
  (reducesOwed(payment) ? open?.mayWriteOff : open?.reimbursed) ?? 0;

/** The most claims listed for which the two-person rule prohibits the payment. */
const maxBroken = 200;

/** The number and the sum of payments of the open amounts, and how many claims get none. */
export async function estimateOpen(
  ports: Ports & Pick<ReviewPorts, 'findAuthor'>,
  workspaceId: string,
  claimIds: Float64Array,
) {
  let [allOpen, payments, amount, notKnown, nothingOpen, inRun, needsSecond] = [0, 0, 0, 0, 0, 0, 0];
  const broken: ({ claimId: number } & BrokenRule)[] = [];
  const added = { kind: 'payment', payment: 'reimbursed', amount: null, day: null, account: '' } as const;
  const findBroken = await openTwoPeopleRule(ports, workspaceId, added);
  for (let at = 0; at < claimIds.length; at += readAtOnce) {
    const some = Array.from(claimIds.subarray(at, at + readAtOnce));
    for (const [claimId, { open, review, mates }] of await readOpen(ports, workspaceId, some)) {
      if (open === null) notKnown += 1;
      else if (open <= 0) nothingOpen += 1;
      else {
        allOpen += open;
        const rule = findBroken?.(review, { fact: { ...added, amount: open } }) ?? null;
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

/** The first days of service of these claims; claims without one are left out. */
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

/** Whether an amount is returned, written off or offset. */
const isTakenBack = (payment: PaymentKind): boolean => reducesOwed(payment) || signOf(payment) < 0;

/**
 * The claims of a payment. For a payment of the open amount, each claim gets its current amount: claims with an unknown
 * amount go to `notKnown`, and claims with nothing open are left out.
 * @throws DeskError `review.moreThanOwed`, `review.moreThanPaid` if less than the amount is owed back, or was paid, on
 * the chain of one of them; `review.beforeService` if it is dated before the service of one of them, without
 * `acceptsEarly`
 */
export async function completePayments(
  ports: Ports,
  workspaceId: string,
  claims: readonly ActedClaim[],
  act: Extract<ReviewAct, { kind: 'payment' }>,
  { acceptsEarly, notKnown }: { readonly acceptsEarly: boolean; readonly notKnown: number[] },
): Promise<readonly ActedClaim[]> {
  const { payment, amount, day } = act;
  const claimIds = claims.map(({ claimId }) => claimId);
  const open =
    amount === null || isTakenBack(payment)
      ? await readOpen(ports, workspaceId, claimIds)
      : new Map<number, OpenOfClaim>();
  if (
    amount !== null &&
    isTakenBack(payment) &&
    claimIds.some((id) => amount > limitOf(payment, open.get(id)))
  )
    throw new DeskError(reducesOwed(payment) ? 'review.moreThanOwed' : 'review.moreThanPaid');
  const paid = claims.flatMap((claim): ActedClaim[] => {
    if (amount !== null || day === null) return [claim];
    const { open: openAmount } = open.get(claim.claimId) ?? { open: 0 };
    if (openAmount === null) notKnown.push(claim.claimId);
    return openAmount !== null && openAmount > 0
      ? [{ ...claim, detail: { payments: [{ amount: openAmount, day }] } }]
      : [];
  });
  if (acceptsEarly || day === null) return paid;
  const paidIds = paid.map(({ claimId }) => claimId);
  const days = await readServiceDays(ports, workspaceId, paidIds);
  if ([...days.values()].some((from) => day < from)) throw new DeskError('review.beforeService');
  return paid;
}
