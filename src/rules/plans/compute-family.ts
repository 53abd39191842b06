import { countAccount, findAccountPayer, findUnused, type Unused } from './family-account.ts';
import { type AccumulatorClaim, type FamilyOf, standingsOf } from './family-counts.ts';
import { countMeters, findPlanPayer } from './family-meters.ts';
import type { PlanYearRules } from './plan-rules.ts';

/**
 * The order in which a carrier applies claims: by the day it processed them, because deductibles count when a claim is
 * processed, not on the day of service; then by day of service and ID, so that the order is the same on every computer.
 * Claims without a day of processing come last.
 */
export function orderClaims<T extends Pick<AccumulatorClaim, 'processed' | 'serviceDay' | 'claimId'>>(
  claims: readonly T[],
): T[] {
  const keyed = claims.map((claim) => ({
    claim,
    key: `${claim.processed ?? '~'} ${claim.serviceDay ?? '~'}`,
  }));
  keyed.sort((a, b) => (a.key === b.key ? a.claim.claimId - b.claim.claimId : a.key < b.key ? -1 : 1));
  return keyed.map(({ claim }) => claim);
}

/**
 * Computes the progress of a family in a plan year. It is a pure function: the same claims give the same result
 * everywhere. `claims` are in the order of `orderClaims`; `unused` is the amount of the account left from the previous
 * plan year.
 * Each meter is a sum capped by its limits: first that of the person, then that of the family. A claim adds the change
 * of the capped sum, negative for a reversal, so totals do not depend on the order.
 */
export function computeFamily(
  rules: PlanYearRules,
  familyShape: FamilyOf,
  claims: readonly AccumulatorClaim[],
  unused: Unused,
) {
  const { meters, shares, disagreements } = countMeters(rules, familyShape, claims);
  const counted = rules.account === null ? null : countAccount(rules.account, familyShape, claims, unused);
  const places = Array.from({ length: familyShape.persons }, (_none, at) => at);
  return {
    meters: meters.map((meter) => ({
      meter: meter.id,
      network: meter.network,
      ...standingsOf(meter),
    })),
    account: counted && {
      ...standingsOf(counted.account),
      carriedOver: counted.account.carriedOver,
      per: counted.account.rules.per,
      layers: [...counted.account.layers],
    },
    /** The amounts that the account leaves for the next plan year. */
    unused: counted && findUnused(counted.account),
    next: places.map((person) => ({
      planPays: person === familyShape.unknownPerson ? null : findPlanPayer(meters, person, 'deductible'),
      drugsPaid:
        person === familyShape.unknownPerson || rules.drugDeductible === null
          ? null
          : findPlanPayer(meters, person, 'drugDeductible'),
      accountPays:
        counted === null || person === familyShape.unknownPerson
          ? null
          : findAccountPayer(counted.account, person),
    })),
    shares,
    /** The account's payment of each claim; null: there is no account. */
    steps: counted?.steps ?? null,
    disagreements,
  };
}
