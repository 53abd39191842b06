import { type Disagreement, type FamilyMeter, mayRemainLess, type NextPayer } from './accumulators.ts';
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

export interface Meter extends Counts {
  readonly id: MeterId;
  readonly network: MeterNetwork;
  readonly rules: MeterRules;
  /** What was applied above the limits and not taken back since: the claim's place, its person, the amount. */
  readonly over: { at: number; person: number; amount: number }[];
}

const plain = (name: string | null): string => (name ?? '').trim().toLowerCase();
const hasName = (names: readonly string[], name: string | null): boolean =>
  names.some((one) => plain(one) === plain(name));

const networkOf = (rules: PlanYearRules, network: string | null): 'in' | 'out' | null =>
  hasName(rules.inNetwork, network) ? 'in' : hasName(rules.outOfNetwork, network) ? 'out' : null;

const nothingMore = { family: 0, persons: [], isAtLeast: false };

function startMeters(rules: PlanYearRules, of: FamilyOf): Meter[] {
  const meters: Meter[] = [];
  for (const id of ['deductible', 'outOfPocket'] as const) {
    const own = rules[id];
    if (own === null) continue;
    const put = (network: MeterNetwork, limit: Limit): void => {
      const limits = limitsOf(limit, of.isFamily, own.kind === 'embedded');
      meters.push({ id, network, rules: own, over: [], ...startCounts(limits, of, nothingMore) });
    };
    put(own.outOfNetwork === null ? 'all' : 'in', own.inNetwork);
    if (own.outOfNetwork !== null) put('out', own.outOfNetwork);
  }
  return meters;
}

/** Whether a claim belongs to a meter by type and network; null: not known. */
function belongsTo({ rules, network }: Meter, claim: AccumulatorClaim, of: 'in' | 'out' | null) {
  const isType = rules.types === null || (plain(claim.type) === '' ? null : hasName(rules.types, claim.type));
  const isNetwork = network === 'all' || (of === null ? null : of === network);
  return isType === false || isNetwork === false
    ? false
    : isType === null || isNetwork === null
      ? null
      : true;
}

/** Takes an amount back from what was applied above the limits: first from this person, the newest first. */
function takeBack(over: Meter['over'], person: number, amount: number): void {
  let left = amount;
  const newest = over.toReversed();
  for (const one of [
    ...newest.filter((of) => of.person === person),
    ...newest.filter((of) => of.person !== person),
  ]) {
    const taken = Math.min(left, one.amount);
    one.amount -= taken;
    left -= taken;
  }
}

/**
 * By how much the carrier applied too little to the deductible: it charged coinsurance while some of the deductible
 * remained. 0 where an amount before is not known, as then the deductible may be met.
 */
function findShort(meter: Meter, claim: AccumulatorClaim): number {
  const { coinsurance, copay, allowed, deductible } = claim;
  const person = meter.persons[claim.person] as Count;
  const isNotKnown = mayBeMore(person) || mayBeMore(meter.family);
  if (meter.id !== 'deductible' || isNotKnown || coinsurance === null || coinsurance <= 0) return 0;
  const remaining = standingOf(person, meter.family).remaining ?? 0;
  const charged = allowed === null ? coinsurance : allowed - (deductible ?? 0) - (copay ?? 0);
  return Math.max(0, Math.min(remaining, charged));
}

/** What one claim adds to a meter, and by how much it is short. */
function countClaim(
  meter: Meter,
  of: FamilyOf,
  claim: AccumulatorClaim,
  { at, network }: { at: number; network: 'in' | 'out' | null },
): { share: Share; short: number } {
  const amount = meter.id === 'deductible' ? claim.deductible : claim.outOfPocket;
  const belongs = claim.state === 'counts' ? belongsTo(meter, claim, network) : false;
  const nothing = { share: { person: 0, family: 0, after: Math.max(0, meter.family.used) }, short: 0 };
  if (belongs === false || (belongs === null && amount === 0)) return nothing;
  if (belongs === null || amount === null) {
    meter.family.isAtLeast = true;
    markPersons(meter, of, claim.person);
    return nothing;
  }
  const added = addToCounts(meter, claim, amount);
  const over = amount - added.family;
  if (over > 0) meter.over.push({ at, person: claim.person, amount: over });
  if (over < 0) takeBack(meter.over, claim.person, -over);
  if (claim.person === of.unknownPerson && amount !== 0) markPersons(meter, of, claim.person);
  const share = { ...added, after: Math.max(0, meter.family.used) };
  return { share, short: findShort(meter, claim) };
}

/** Counts the claims of a family on each meter, in their order. */
export function countMeters(rules: PlanYearRules, of: FamilyOf, claims: readonly AccumulatorClaim[]) {
  const meters = startMeters(rules, of);
  const disagreements = claims.map((): Disagreement[] => []);
  const shares = claims.map((claim, at) => {
    const network = networkOf(rules, claim.network);
    const counted = meters.map((meter) => countClaim(meter, of, claim, { at, network }));
    const short = counted.reduce((most, one) => Math.max(most, one.short), 0);
    if (short > 0) disagreements[at]?.push({ kind: 'deductibleShort', amount: short });
    return counted.map(({ share }) => share);
  });
  for (const { id, over } of meters)
    for (const { at, amount } of over) {
      const kind = id === 'deductible' ? 'deductibleOver' : 'outOfPocketOver';
      if (amount > 0) disagreements[at]?.push({ kind, amount });
    }
  return { meters, shares, disagreements };
}

/** Who pays the plan's next claim of a person in network. */
export function findPlanPayer(meters: readonly Meter[], person: number): NextPayer | null {
  const find = (id: MeterId) => {
    const meter = meters.find((one) => one.id === id && one.network !== 'out');
    if (meter === undefined) return null;
    const standing = standingOf(meter.persons[person] as Count, meter.family);
    return {
      remaining: standing.remaining,
      isAtMost: mayRemainLess(standing, standingOf(meter.family, null)),
    };
  };
  const [deductible, outOfPocket] = [find('deductible'), find('outOfPocket')];
  if (deductible === null && outOfPocket === null) return null;
  const most = outOfPocket?.remaining ?? null;
  const isMostNotKnown = outOfPocket?.isAtMost === true;
  if (most === 0) return { payer: 'plan', amount: null, isAtMost: false };
  const first = deductible?.remaining ?? 0;
  if (first === 0) return { payer: 'shared', amount: most, isAtMost: isMostNotKnown };
  const isAtMost = deductible?.isAtMost === true || isMostNotKnown;
  return { payer: 'member', amount: smaller(first, most), isAtMost };
}
