import type { Output } from '../../../../contract/procedures.ts';
import { toAmount } from '../../../../rules/money/amounts.ts';
import { isPayable } from '../../../../rules/money/chains.ts';
import { computeEligible } from '../../../../rules/money/eligible.ts';
import { employerKeyOf, rulesOf } from '../../../../rules/money/reimbursement.ts';
import type { AccountStep } from '../../../../rules/plans/account-layers.ts';
import type { PlanRules } from '../../../../rules/plans/plan-rules.ts';
import { planYearMonthOf, planYearOf } from '../../../../rules/plans/plan-year.ts';
import type { Database } from '../file/database.ts';
import { hasCompleteSync } from '../sync/sync-state.ts';
import type { FactRules } from './claim-facts.ts';
import { createFamilyComputer, factsOfFamilies } from './compute-families.ts';
import { createFamilyReader, type FamilyClaim } from './read-families.ts';

type Tried = Output<'accumulators:try'>;

const familiesAtOnce = 500;
const maxShown = 200;

function createSum() {
  let eligible = 0n;
  let [notKnown, disagreeing] = [0, 0];
  return {
    add(amount: number | null, isDisagreeing: boolean): void {
      if (amount === null) notKnown += 1;
      else eligible += BigInt(amount);
      if (isDisagreeing) disagreeing += 1;
    },
    read: () => ({ eligible: toAmount(eligible), notKnown, disagreeing }),
  };
}

const isOpen = ({ role, outcome }: FamilyClaim): boolean =>
  (role === null || isPayable(role)) && outcome !== 'duplicate';

/** A change in what is eligible; a change to or from an unknown amount is the largest. */
const sizeOf = ({ current, tried }: Tried['changed'][number]): number =>
  current === null || tried === null ? Number.POSITIVE_INFINITY : Math.abs(tried - current);

/**
 * Computes what different plan rules of an employer would change, over all its claims here. `employerId` null: the
 * rules for all employers without their own. Changes nothing.
 */
export function tryPlanRules(
  database: Database,
  request: { employerId: number | null; tried: PlanRules | null; rules: FactRules },
): Tried {
  const { employerId, tried, rules } = request;
  const { service, settings } = rules;
  const key = employerKeyOf(service, employerId);
  const { [key]: _now, ...others } = settings.planRules;
  const planRules = tried === null ? others : { ...others, [key]: tried };
  const hasComplete = hasCompleteSync(database);
  const computeNow = createFamilyComputer(rules, hasComplete);
  const triedRules = { service, settings: { ...settings, planRules } };
  const computeTried = createFamilyComputer(triedRules, hasComplete);
  const members = database
    .prepare(
      `SELECT DISTINCT m.member_id FROM claim_members m WHERE m.member_id IS NOT NULL ${
        employerId === null
          ? ''
          : `AND m.ref IN (SELECT r.ref FROM claim_member_records r JOIN employers e ON e.ref=r.employer_ref WHERE e.id=?)`
      } ORDER BY 1`,
    )
    .pluck()
    .all(...(employerId === null ? [] : [employerId])) as number[];
  const concerns = ({ employerId: claimEmployerId }: FamilyClaim): boolean =>
    employerId === null
      ? settings.planRules[employerKeyOf(service, claimEmployerId)] === undefined
      : claimEmployerId === employerId;
  const [nowSum, triedSum] = [createSum(), createSum()];
  const changed: Tried['changed'] = [];
  const readFamilies = createFamilyReader(database);
  let [families, claims, changedClaims] = [0, 0, 0];
  for (let at = 0; at < members.length; at += familiesAtOnce) {
    for (const family of readFamilies(members.slice(at, at + familiesAtOnce))) {
      const now = factsOfFamilies([family], rules, computeNow);
      const then = factsOfFamilies([family], triedRules, computeTried);
      const openClaims = family.claims.filter((claim) => concerns(claim) && isOpen(claim));
      if (openClaims.some(({ id }) => now.has(id) || then.has(id))) families += 1;
      for (const claim of openClaims) {
        const { id, first } = claim;
        const base = computeEligible(
          claim,
          rulesOf(settings.reimbursementRules, service, claim.employerId),
        ).amount;
        const amountOf = (step: AccountStep | null | undefined) => (step ? step.share : base);
        const [before, after] = [amountOf(now.get(id)?.step), amountOf(then.get(id)?.step)];
        claims += 1;
        nowSum.add(before, now.get(id)?.disagrees != null);
        triedSum.add(after, then.get(id)?.disagrees != null);
        if (before === after || first === null) continue;
        changedClaims += 1;
        const month = planYearMonthOf(settings, service, claim.employerId);
        changed.push({
          claimId: id,
          memberId: family.memberId,
          current: before,
          tried: after,
          planYear: planYearOf(first, month).name,
        });
      }
    }
    if (changed.length > 10 * maxShown) keepLargest(changed);
  }
  keepLargest(changed);
  return { families, claims, current: nowSum.read(), tried: triedSum.read(), changedClaims, changed };
}

function keepLargest(changed: Tried['changed']): void {
  // Infinity minus Infinity is NaN.
  changed.sort((a, b) => (sizeOf(a) === sizeOf(b) ? a.claimId - b.claimId : sizeOf(b) - sizeOf(a)));
  changed.splice(maxShown);
}
