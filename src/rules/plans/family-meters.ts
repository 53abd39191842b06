import {
  type Disagreement,
  type FamilyMeter,
  mayRemainLess,
  meterIds,
  type NextPayer,
} from './accumulators.ts';
import {
  type AccumulatorClaim,
  addToCounts,
  type Count,
  type Counts,
  type FamilyOf,
  limitsOf,
  markPersons,
  mayBeMore,
  smaller,
  standingOf,
  startCounts,
} from './family-counts.ts';
import type { Limit, MeterRules, PlanYearRules } from './plan-rules.ts';

type MeterId = FamilyMeter['meters'][number]['meter'];
type MeterNetwork = FamilyMeter['meters'][number]['network'];
type Share = FamilyMeter['claims'][number]['shares'][number];

interface Meter extends Counts {
  readonly id: MeterId;
  readonly network: MeterNetwork;
  readonly rules: MeterRules;
  /** The types that count for another meter. */
  readonly others: readonly string[];
  /**
   * The amounts applied above the limits and not reversed since: the claim's position, its person, the amount, and
   * whether the claim belongs to this meter's own network.
   */
  readonly over: { at: number; person: number; amount: number; isOwn: boolean }[];
}

const plain = (name: string | null): string => (name ?? '').trim().toLowerCase();
const hasName = (names: readonly string[], name: string | null): boolean =>
  names.some((listed) => plain(listed) === plain(name));

const networkOf = (rules: PlanYearRules, network: string | null): 'in' | 'out' | null =>
  hasName(rules.inNetwork, network) ? 'in' : hasName(rules.outOfNetwork, network) ? 'out' : null;

const nothingMore = { family: 0, persons: [], isAtLeast: false };

function startMeters(rules: PlanYearRules, familyShape: FamilyOf): Meter[] {
  const meters: Meter[] = [];
  for (const id of meterIds) {
    const meterRules = rules[id];
    if (meterRules === null) continue;
    const others = id === 'deductible' ? (rules.drugDeductible?.types ?? []) : [];
    const put = (network: MeterNetwork, limit: Limit): void => {
      const counts = startCounts(limitsOf(limit, familyShape.isFamily), familyShape, nothingMore);
      meters.push({ id, network, rules: meterRules, others, over: [], ...counts });
    };
    put(meterRules.outOfNetwork === null ? 'all' : 'in', meterRules.inNetwork);
    if (meterRules.outOfNetwork !== null) put('out', meterRules.outOfNetwork);
  }
  return meters;
}

/** Whether a claim belongs to a meter by type and network; null: unknown. */
function belongsTo(
  { rules, others, network }: Meter,
  claim: AccumulatorClaim,
  claimNetwork: 'in' | 'out' | null,
) {
  const isAnyType = rules.types === null && others.length === 0;
  const isOfTypes =
    !hasName(others, claim.type) && (rules.types === null || hasName(rules.types, claim.type));
  const isType = isAnyType || (plain(claim.type) === '' ? null : isOfTypes);
  // A meter that also counts the other network counts claims of any network.
  const isCrossed = network === 'in' ? rules.outCountsIn : rules.inCountsOut;
  const isNetwork =
    network === 'all' || isCrossed || (claimNetwork === null ? null : claimNetwork === network);
  return isType === false || isNetwork === false
    ? false
    : isType === null || isNetwork === null
      ? null
      : true;
}

/** Reverses amounts that were applied above the limits: first this person's, the newest first. */
function takeBack(over: Meter['over'], person: number, amount: number): void {
  let left = amount;
  const newest = over.toReversed();
  for (const excess of [
    ...newest.filter((entry) => entry.person === person),
    ...newest.filter((entry) => entry.person !== person),
  ]) {
    const taken = Math.min(left, excess.amount);
    excess.amount -= taken;
    left -= taken;
  }
}

/**
 * Returns by how much the carrier applied too little to the deductible: it charged coinsurance while some of the
 * deductible remained. 0 if an earlier amount is unknown, because the deductible may then be met.
 */
function findShort(meter: Meter, claim: AccumulatorClaim): number {
  const { coinsurance, copay, allowed, deductible } = claim;
  const person = meter.persons[claim.person] as Count;
  const isNotKnown = mayBeMore(person) || mayBeMore(meter.family);
  if (meter.id === 'outOfPocket' || isNotKnown || coinsurance === null || coinsurance <= 0) return 0;
  const remaining = standingOf(person, meter.family).remaining ?? 0;
  const charged = allowed === null ? coinsurance : allowed - (deductible ?? 0) - (copay ?? 0);
  return Math.max(0, Math.min(remaining, charged));
}

/**
 * Returns the part of an amount above the limits. If the claims of a single member name someone who is not in the
 * records, it is only the part that is above the limits without those claims.
 */
function findOver(
  familyShape: FamilyOf,
  person: number,
  amount: number,
  added: Pick<Share, 'person' | 'family'>,
): number {
  if (familyShape.isFamily || familyShape.unknownPerson === null) return amount - added.family;
  return person === familyShape.unknownPerson ? 0 : amount - added.person;
}

/** Counts one claim on a meter; returns the amount that it adds, and by how much it is short. */
function countClaim(
  meter: Meter,
  familyShape: FamilyOf,
  claim: AccumulatorClaim,
  { at, network }: { at: number; network: 'in' | 'out' | null },
): { share: Share; short: number } {
  const amount = meter.id === 'outOfPocket' ? claim.outOfPocket : claim.deductible;
  const isUnsure = claim.state === 'missing' || claim.state === 'unclear';
  const mayCount = isUnsure || claim.state === 'counts' || claim.state === 'statusUnknown';
  const belongs = mayCount ? belongsTo(meter, claim, network) : false;
  const nothing = { share: { person: 0, family: 0, after: Math.max(0, meter.family.used) }, short: 0 };
  if (belongs === false || (belongs === null && amount === 0)) return nothing;
  if (belongs === null || amount === null || isUnsure) {
    meter.family.isAtLeast = true;
    markPersons(meter, familyShape, claim.person);
    if (belongs === null || amount === null || claim.state === 'missing') return nothing;
  }
  const added = addToCounts(meter, claim, amount);
  const over = findOver(familyShape, claim.person, amount, added);
  const isOwn = meter.network === 'all' || meter.network === network;
  if (over > 0) meter.over.push({ at, person: claim.person, amount: over, isOwn });
  if (over < 0) takeBack(meter.over, claim.person, -over);
  if (claim.person === familyShape.unknownPerson && amount !== 0)
    markPersons(meter, familyShape, claim.person);
  const share = { ...added, after: Math.max(0, meter.family.used) };
  return { share, short: isOwn ? findShort(meter, claim) : 0 };
}

/** Counts the claims of a family on each meter, in order. */
export function countMeters(
  rules: PlanYearRules,
  familyShape: FamilyOf,
  claims: readonly AccumulatorClaim[],
) {
  const meters = startMeters(rules, familyShape);
  const disagreements = claims.map((): Disagreement[] => []);
  const shares = claims.map((claim, at) => {
    const network = networkOf(rules, claim.network);
    const counted = meters.map((meter) => countClaim(meter, familyShape, claim, { at, network }));
    const short = counted.reduce((most, count) => Math.max(most, count.short), 0);
    if (short > 0) disagreements[at]?.push({ kind: 'deductibleShort', amount: short });
    return counted.map(({ share }) => share);
  });
  for (const { id, over } of meters)
    for (const { at, amount, isOwn } of over) {
      const kind = id === 'outOfPocket' ? 'outOfPocketOver' : 'deductibleOver';
      if (amount > 0 && isOwn) disagreements[at]?.push({ kind, amount });
    }
  return { meters, shares, disagreements };
}

/** Returns who pays one person's next claim in network under the plan, to which this deductible applies. */
export function findPlanPayer(
  meters: readonly Meter[],
  person: number,
  deductibleId: Exclude<MeterId, 'outOfPocket'>,
): NextPayer | null {
  const find = (id: MeterId) => {
    const meter = meters.find((candidate) => candidate.id === id && candidate.network !== 'out');
    if (meter === undefined) return null;
    const standing = standingOf(meter.persons[person] as Count, meter.family);
    return {
      remaining: standing.remaining,
      isAtMost: mayRemainLess(standing, standingOf(meter.family, null)),
    };
  };
  const [deductible, outOfPocket] = [find(deductibleId), find('outOfPocket')];
  if (deductible === null && outOfPocket === null) return null;
  const most = outOfPocket?.remaining ?? null;
  const isMostNotKnown = outOfPocket?.isAtMost === true;
  if (most === 0) return { payer: 'plan', amount: null, isAtMost: false };
  const first = deductible?.remaining ?? 0;
  if (first === 0) return { payer: 'shared', amount: most, isAtMost: isMostNotKnown };
  const isAtMost = deductible?.isAtMost === true || isMostNotKnown;
  return { payer: 'member', amount: smaller(first, most), isAtMost };
}
