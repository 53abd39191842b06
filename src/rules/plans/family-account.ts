import { type AccountStep, isOnePayer, layerAt, splitByLayers } from './account-layers.ts';
import { mayRemainLess, type NextPayer } from './accumulators.ts';
import {
  type AccumulatorClaim,
  addToCounts,
  type Count,
  type Counts,
  cutOff,
  type FamilyOf,
  leftOf,
  limitsOf,
  markPersons,
  smaller,
  standingOf,
  startCounts,
} from './family-counts.ts';
import type { AccountRules, Layers } from './plan-rules.ts';

/** The unused amounts of the account's limits after a plan year; null: unknown. */
export type Unused = { readonly family: number; readonly persons: readonly number[] } | null;
/** Before the first plan year with account rules, there is no carry-over. */
export const nothingUnused: Unused = { family: 0, persons: [] };

/** How much lower and how much higher a sum may be, because amounts are unknown. */
interface Unsure {
  less: number;
  more: number;
}

/** The sum that determines the layer of the next claim. */
interface Place extends Unsure {
  sum: number;
}

interface Account extends Counts {
  readonly rules: AccountRules;
  readonly layers: Layers;
  readonly places: readonly Place[];
  /** Sums of payments, per person and in total. */
  readonly unsure: { readonly family: Unsure; readonly persons: readonly Unsure[] };
  readonly isCarryKnown: boolean;
  readonly carriedOver: number | null;
}

/** Returns the carryover of each limit: the family's, or each person's. A member alone has one limit. */
function carryTo({ carryOver, limit }: AccountRules, unused: Unused, familyShape: FamilyOf) {
  const atMost = (amount: number): number => Math.max(0, cutOff(amount, carryOver?.most ?? null));
  const isOfFamily = !familyShape.isFamily || limit.family !== null;
  const isNone = carryOver === null || unused === null;
  const family = isNone || !isOfFamily ? 0 : atMost(unused.family);
  const persons = isNone || isOfFamily ? [] : unused.persons.map(atMost);
  return {
    family,
    persons: familyShape.isFamily ? persons : Array.from({ length: familyShape.persons }, () => family),
    carriedOver: unused === null ? null : family + persons.reduce((sum, amount) => sum + amount, 0),
    isAtLeast: carryOver !== null && unused === null,
  };
}

function startAccount(rules: AccountRules, familyShape: FamilyOf, unused: Unused): Account {
  const carried = carryTo(rules, unused, familyShape);
  const counts = startCounts(limitsOf(rules.limit, familyShape.isFamily), familyShape, carried);
  const place: Place = { sum: 0, less: 0, more: 0 };
  return {
    ...counts,
    rules,
    layers: familyShape.isFamily ? rules.layers.family : rules.layers.alone,
    places: counts.persons.map(() => (rules.per === 'family' ? place : { ...place })),
    unsure: {
      family: { less: 0, more: 0 },
      persons: counts.persons.map(() => ({ less: 0, more: 0 })),
    },
    isCarryKnown: !carried.isAtLeast,
    carriedOver: carried.isAtLeast ? null : carried.carriedOver,
  };
}

type Limited = { readonly share: number } | { readonly rule: 'earlierUnknown' | 'carryUnknown' };

const isNone = ({ less, more }: Unsure): boolean => less === 0 && more === 0;

/** Returns the part of a payment within a limit, or why that is unknown. */
function limitPayment(
  { sum, used, limit }: Count,
  payment: number,
  unsure: Unsure,
  isCarryKnown: boolean,
): Limited {
  const isSure = isNone(unsure);
  const share = cutOff(sum + payment, limit) - used;
  const [low, high] = [
    Math.min(sum, sum + payment) - unsure.less,
    Math.max(sum, sum + payment) + unsure.more,
  ];
  const isLimitKnown = isCarryKnown && (isSure || (limit !== null && low >= limit));
  if (limit === null || payment === 0 || high <= limit || isLimitKnown) return { share };
  return { rule: isSure ? 'carryUnknown' : 'earlierUnknown' };
}

const paidOf = (parts: AccountStep['parts']): number =>
  parts.reduce((sum, { payer, amount }) => sum + (payer === 'account' ? amount : 0), 0);

/** Computes the account's share of a claim, after the earlier claims. */
function computeStep(account: Account, familyShape: FamilyOf, claim: AccumulatorClaim): AccountStep {
  const { rules, layers, places, persons, family, unsure, isCarryKnown } = account;
  const { base, person } = claim;
  const place = places[person] as Place;
  const { sum: before } = place;
  const step = { base, share: null, per: rules.per, before, parts: [] };
  if (base === null) return { ...step, rule: claim.serviceDay === null ? 'yearUnknown' : 'baseUnknown' };
  if (base === 0) return { ...step, share: 0, rule: 'layers' };
  const isByPerson = familyShape.isFamily && (rules.per === 'person' || rules.limit.person !== null);
  if (person === familyShape.unknownPerson && isByPerson) return { ...step, rule: 'patientUnknown' };
  const [low, high] = [
    Math.min(before, before + base) - place.less,
    Math.max(before, before + base) + place.more,
  ];
  if (!isNone(place) && !isOnePayer(layers, low, high)) return { ...step, rule: 'earlierUnknown' };
  const parts = splitByLayers(layers, before, base);
  const payment = paidOf(parts);
  const personPayment = limitPayment(
    persons[person] as Count,
    payment,
    unsure.persons[person] as Unsure,
    isCarryKnown,
  );
  if ('rule' in personPayment) return { ...step, parts, rule: personPayment.rule };
  const all = limitPayment(family, personPayment.share, unsure.family, isCarryKnown);
  if ('rule' in all) return { ...step, parts, rule: all.rule };
  return { ...step, parts, share: all.share, rule: all.share === payment ? 'layers' : 'limited' };
}

/** The bounds of an unknown amount: at most what counts of the claim, or patient responsibility. */
function rangeOf({ base, responsibility }: AccumulatorClaim): Unsure {
  const most = base ?? responsibility;
  if (most === null || (base === null && most < 0))
    return { less: Number.POSITIVE_INFINITY, more: Number.POSITIVE_INFINITY };
  return most < 0 ? { less: -most, more: 0 } : { less: 0, more: most };
}

/** Marks the account's share of a claim as unknown and, if it has no layer, the layers of other claims as well. */
function countUnknown(
  account: Account,
  familyShape: FamilyOf,
  claim: AccumulatorClaim,
  isPlaced: boolean,
): void {
  const { person } = claim;
  const isOfAll = person === familyShape.unknownPerson;
  const { less, more } = rangeOf(claim);
  account.family.isAtLeast = true;
  markPersons(account, familyShape, person);
  const ofPersons = account.unsure.persons.filter((_unsure, at) => isOfAll || at === person);
  const places = account.places.filter((_place, at) => isOfAll || at === person);
  for (const unsure of new Set([account.unsure.family, ...ofPersons, ...(isPlaced ? [] : places)])) {
    unsure.less += less;
    unsure.more += more;
  }
}

/** Counts a claim in the layers. A declined part uses none of the account's layers, but the member's. */
function placeClaim({ places, unsure }: Account, claim: AccumulatorClaim, step: AccountStep): void {
  const { person, base, kept, baseLess } = claim;
  const place = places[person] as Place;
  place.sum += kept === null ? (base ?? 0) : (base ?? 0) - paidOf(step.parts) + kept;
  for (const range of [place, unsure.family, unsure.persons[person] as Unsure]) range.less += baseLess;
}

/** Counts payments on a claim that is no longer in the service: they use the account; the rest is unknown. */
function countMissing(account: Account, familyShape: FamilyOf, claim: AccumulatorClaim): void {
  if (claim.base === 0 && claim.paid === 0) return;
  if (claim.paid > 0) addToCounts(account, claim, claim.paid);
  countUnknown(account, familyShape, claim, false);
}

/** Counts the claims of a family on its reimbursement account, in order. */
export function countAccount(
  rules: AccountRules,
  familyShape: FamilyOf,
  claims: readonly AccumulatorClaim[],
  unused: Unused,
) {
  const account = startAccount(rules, familyShape, unused);
  const steps = claims.map((claim): AccountStep => {
    const step = computeStep(account, familyShape, claim);
    if (claim.state === 'missing' && !claim.isDeclined) countMissing(account, familyShape, claim);
    const mayCount = claim.state === 'counts' || claim.state === 'statusUnknown' || claim.state === 'unclear';
    if (!mayCount || claim.isDeclined) return step;
    const isPlaced = claim.base !== null && step.rule !== 'patientUnknown';
    if (isPlaced) placeClaim(account, claim, step);
    const isPaid = claim.kept !== null || step.share !== null || step.rule === 'carryUnknown';
    if (isPaid) addToCounts(account, claim, claim.kept ?? paidOf(step.parts));
    if (!isPaid || !isPlaced) countUnknown(account, familyShape, claim, isPlaced);
    else if (step.rule === 'carryUnknown') {
      account.family.isAtLeast = true;
      markPersons(account, familyShape, claim.person);
    }
    return step;
  });
  return { account, steps };
}

/** Who pays the next amount that the reimbursement rules count; null: unknown, as the limit may be higher. */
export function findAccountPayer(account: Account, person: number): NextPayer | null {
  const { layers, places, persons, family, isCarryKnown } = account;
  const place = places[person] as Place;
  const { sum } = place;
  const isPlaceAtLeast = !isNone(place);
  const { payer, left } = layerAt(layers, sum);
  const standing = standingOf(persons[person] as Count, family);
  if (payer === 'member') return { payer, amount: left, isAtMost: isPlaceAtLeast && left !== null };
  const amount = smaller(left, standing.remaining);
  if (!isCarryKnown && amount !== left) return null;
  if (amount !== null && amount <= 0) return { payer: 'member', amount: null, isAtMost: false };
  return { payer, amount, isAtMost: isPlaceAtLeast || mayRemainLess(standing, standingOf(family, null)) };
}

/** Returns the carry-over of an account to the next plan year. */
export function findUnused({ family, persons, unsure, isCarryKnown }: Account): Unused {
  if (!isCarryKnown || !isNone(unsure.family)) return null;
  return {
    family: leftOf(family.used, family.limit) ?? 0,
    persons: persons.map(({ used, limit }) => leftOf(used, limit) ?? 0),
  };
}
