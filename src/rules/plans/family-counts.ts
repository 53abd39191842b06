import type { ClaimState, Standing } from './accumulators.ts';
import type { Limit } from './plan-rules.ts';

/** The values of a claim for accumulators. Amounts are ten-thousandths of a dollar; null: unknown. */
export interface AccumulatorClaim {
  readonly claimId: number;
  /** The index of the patient among the people of the family. */
  readonly person: number;
  /** The day the carrier processed it, and its first day of service, `YYYY-MM-DD`. */
  readonly processed: string | null;
  readonly serviceDay: string | null;
  readonly network: string | null;
  readonly type: string | null;
  readonly state: ClaimState;
  /** The amounts that the carrier applied to the deductible, and in total. */
  readonly deductible: number | null;
  readonly outOfPocket: number | null;
  readonly coinsurance: number | null;
  readonly copay: number | null;
  readonly allowed: number | null;
  readonly responsibility: number | null;
  /** The amount that the reimbursement rules count, before the layers of an account. */
  readonly base: number | null;
  /** How much less than `base` an unclear chain may count. */
  readonly baseLess: number;
  /** The sum of the payments on it. */
  readonly paid: number;
  /** A decision declined it, so it does not use the account. */
  readonly isDeclined: boolean;
  /** The amount that a partly eligible decision set in place of the layers; null: none. */
  readonly kept: number | null;
}

export interface FamilyOf {
  readonly isFamily: boolean;
  readonly persons: number;
  /** The index for claims whose patient is unknown; null: there are none. */
  readonly unknownPerson: number | null;
}

/** The limits of an amount, and a sum capped by them. */
export interface Count {
  readonly limit: number | null;
  /** The limit may be higher. */
  readonly isLimitAtLeast: boolean;
  /** The sum of all amounts, and the part within the limit. */
  sum: number;
  used: number;
  /** The sum that the carrier applied, or that the layers result in. */
  applied: number;
  isAtLeast: boolean;
  metOn: number | null;
}

export type Counts = ReturnType<typeof startCounts>;

const startCount = (limit: number | null, isLimitAtLeast: boolean): Count => ({
  limit,
  isLimitAtLeast,
  sum: 0,
  used: 0,
  applied: 0,
  isAtLeast: false,
  metOn: null,
});

export const cutOff = (sum: number, limit: number | null): number =>
  limit === null ? sum : Math.min(sum, limit);

export const leftOf = (used: number, limit: number | null): number | null =>
  limit === null ? null : limit - Math.max(0, used);

/** The smaller amount; null means no limit. */
export const smaller = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** The limits that apply: those of a family, or that of a member alone. */
export const limitsOf = ({ alone, person, family }: Limit, isFamily: boolean): Omit<Limit, 'alone'> =>
  isFamily ? { person, family } : { person: alone, family: alone };

/** Creates counts at zero. `more` is added to the limits. */
export function startCounts(
  { person, family }: Omit<Limit, 'alone'>,
  familyShape: FamilyOf,
  more: { readonly family: number; readonly persons: readonly number[]; readonly isAtLeast: boolean },
) {
  const plus = (limit: number | null, added = 0): number | null => (limit === null ? null : limit + added);
  const persons = Array.from({ length: familyShape.persons }, (_none, at) =>
    startCount(at === familyShape.unknownPerson ? null : plus(person, more.persons[at]), more.isAtLeast),
  );
  return { family: startCount(plus(family, more.family), more.isAtLeast), persons };
}

/** Adds an amount, and returns the change in the used amount. */
function addTo(count: Count, amount: number, claimId: number): number {
  const before = count.used;
  count.sum += amount;
  count.used = cutOff(count.sum, count.limit);
  if (!isFull(count)) count.metOn = null;
  else count.metOn ??= claimId;
  return count.used - before;
}

/** Adds an amount to one person, and the part within the person's limit to the family. */
export function addToCounts(
  { family, persons }: Counts,
  { person, claimId }: Pick<AccumulatorClaim, 'person' | 'claimId'>,
  amount: number,
): { person: number; family: number } {
  const count = persons[person] as Count;
  count.applied += amount;
  family.applied += amount;
  const ofPerson = addTo(count, amount, claimId);
  return { person: ofPerson, family: addTo(family, ofPerson, claimId) };
}

/** Marks an amount of one person as unknown; if the patient is unknown too, those of everyone. */
export function markPersons({ persons }: Counts, familyShape: FamilyOf, person: number): void {
  for (const [at, count] of persons.entries())
    if (at === person || person === familyShape.unknownPerson) count.isAtLeast = true;
}

const isFull = ({ used, limit }: Count): boolean => limit !== null && used >= limit;

/** Whether more may be used than is counted. A sum below zero means a reversal without the claim that it reverses. */
export const mayBeMore = (count: Count): boolean =>
  count.used < 0 || (count.isAtLeast && (count.isLimitAtLeast || !isFull(count)));

export function standingOf(count: Count, family: Count | null): Standing {
  const remaining = leftOf(count.used, count.limit);
  return {
    used: Math.max(0, count.used),
    isAtLeast: mayBeMore(count),
    limit: count.limit,
    remaining: family === null ? remaining : smaller(remaining, leftOf(family.used, family.limit)),
    metOn: count.metOn,
    applied: count.applied,
  };
}

export const standingsOf = ({ family, persons }: Counts) => ({
  family: standingOf(family, null),
  persons: persons.map((count) => standingOf(count, family)),
});
