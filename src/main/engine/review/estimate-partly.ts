import { toAmount } from '../../../rules/money/amounts.ts';
import { computePartly } from '../../../rules/money/decided-amounts.ts';
import { rulesOf } from '../../../rules/money/reimbursement.ts';
import type { Amount } from '../../../rules/query.ts';
import type { PartlyEligible } from '../../../rules/review/decision.ts';
import { DeskError } from '../../lib/errors.ts';
import { factRulesOf } from '../store/worklists/claim-facts.ts';
import { readAtOnce } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';

/**
 * The total that a rule gives for these claims, in ten-thousandths of a dollar, and the eligible total of the claims
 * for which the rule gives an amount.
 *
 * @throws DeskError `review.amountForMany` for a fixed amount, which is possible for one claim only
 */
export async function estimatePartly(
  ports: Pick<ReviewPorts, 'getStore' | 'getSettings'>,
  workspaceId: string,
  claimIds: Float64Array,
  partly: PartlyEligible,
): Promise<{ eligible: Amount; byRules: Amount; notKnown: number }> {
  if (partly.by === 'amount' || partly.by === 'lines') throw new DeskError('review.amountForMany');
  const settings = await ports.getSettings(workspaceId);
  const rules = factRulesOf(settings);
  const store = await ports.getStore(workspaceId);
  let [eligible, byRules, notKnown] = [0n, 0n, 0];
  for (let at = 0; at < claimIds.length; at += readAtOnce) {
    const some = Array.from(claimIds.subarray(at, at + readAtOnce));
    for (const { employerId, source, account } of await store.read('readEligibleClaims', {
      claimIds: some,
      rules,
    })) {
      const own = rulesOf(settings.reimbursementRules, settings.service, employerId);
      const amounts = computePartly(partly, source, own, account);
      if (typeof amounts === 'string') notKnown += 1;
      else {
        eligible += BigInt(amounts.eligible);
        byRules += BigInt(amounts.byRules ?? 0);
      }
    }
  }
  return { eligible: toAmount(eligible), byRules: toAmount(byRules), notKnown };
}
