import { type ChainMember, type ChainRest, shareChain } from '../../../rules/money/chain-balance.ts';
import { decideAmounts } from '../../../rules/money/decided-amounts.ts';
import { eligibleByRules } from '../../../rules/money/eligible.ts';
import { paidOf, rulesOf } from '../../../rules/money/reimbursement.ts';
import type { FoldedReview } from '../../../rules/review/folded-review.ts';
import type { ClaimReview } from '../../../rules/review/review.ts';
import type { SettingsOfService } from '../../lib/engine-protocol.ts';
import type { ChainMate } from '../store/worklists/read-chain-claims.ts';
import type { EligibleClaim } from '../store/worklists/read-eligible.ts';

/** The facts of the claims of chains; claims and reviews of others may be included. */
interface ChainSources {
  readonly mates: readonly ChainMate[];
  readonly claims: readonly EligibleClaim[];
  readonly reviews: ReadonlyMap<number, FoldedReview>;
  readonly settings: SettingsOfService;
}

/** Computes each claim's share of its chain by current records and reviews; unchained claims are left out. */
export function shareChains({ mates, claims, reviews, settings }: ChainSources): Map<number, ChainRest> {
  const claimById = new Map(claims.map((claim) => [claim.claimId, claim]));
  const toMember = ({ id, role, by }: ChainMate): ChainMember => {
    const claim = claimById.get(id);
    const { outcome = null, amounts = null, payments = [] } = reviews.get(id) ?? {};
    const rules = rulesOf(settings.reimbursementRules, settings.service, claim?.employerId ?? null);
    const byRules = claim === undefined ? null : eligibleByRules(claim.source, rules, claim.account);
    const paid = paidOf(payments);
    const { eligible, disputed } = decideAmounts(byRules, { outcome, kept: amounts, ...paid });
    const days = payments.map(({ day }) => day).sort();
    return { id, role, by, eligible, disputed, ...paid, paidOn: days.at(-1) ?? null };
  };
  const chains = Map.groupBy(mates, ({ chain }) => chain);
  return new Map([...chains.values()].flatMap((some) => [...shareChain(some.map(toMember))]));
}

/** Describes the chain of a claim for a window; null: it is in no chain. */
export function describeChain(
  claimId: number,
  rests: ReadonlyMap<number, ChainRest>,
  { mates, reviews }: Pick<ChainSources, 'mates' | 'reviews'>,
): ClaimReview['chain'] {
  const rest = rests.get(claimId);
  const ownMate = mates.find(({ id }) => id === claimId);
  if (rest === undefined || ownMate === undefined) return null;
  const others = mates.filter(({ id, chain }) => id !== claimId && chain === ownMate.chain);
  return {
    ...rest,
    claims: others.map(({ id, role }) => {
      const review = reviews.get(id);
      return {
        claimId: id,
        role,
        isShown: rests.get(id)?.isShown ?? false,
        outcome: review?.outcome ?? null,
        reviewedAt: review?.reviewedAt ?? null,
        reviewedBy: review?.reviewedBy ?? null,
        reimbursed: paidOf(review?.payments ?? []).reimbursed,
      };
    }),
  };
}
