import type { PersonName } from '../../../../rules/compare-values.ts';
import { addDays } from '../../../../rules/days.ts';
import { readUnclear } from '../../../../rules/money/chain-readings.ts';
import { computeEligible } from '../../../../rules/money/eligible.ts';
import { type ReimbursementRules, rulesOf } from '../../../../rules/money/reimbursement.ts';
import type { AccountStep } from '../../../../rules/plans/account-layers.ts';
import {
  type ClaimState,
  type Disagreement,
  disagreementLabels,
  joinFindings,
} from '../../../../rules/plans/accumulators.ts';
import { computeFamily, orderClaims } from '../../../../rules/plans/compute-family.ts';
import { nothingUnused, type Unused } from '../../../../rules/plans/family-account.ts';
import type { AccumulatorClaim, FamilyOf } from '../../../../rules/plans/family-counts.ts';
import {
  type PlanPeriod,
  type PlanYearRules,
  periodOf,
  planRulesOf,
} from '../../../../rules/plans/plan-rules.ts';
import { planYearMonthOf, planYearOf } from '../../../../rules/plans/plan-year.ts';
import { memo } from '../record/memo.ts';
import type { FactRules } from './claim-facts.ts';
import { sayFailure } from './contain-failures.ts';
import type { FamilyFacts } from './fact-source.ts';
import { readApplied } from './read-applied.ts';
import {
  createNameReader,
  type Family,
  type FamilyClaim,
  type FamilyPerson,
  findPersons,
} from './read-families.ts';

export interface FamilyYear {
  readonly memberId: number;
  readonly employerId: number | null;
  readonly planYear: string;
  /** The first day of the plan year or, where different rules apply from a day in mid-year, that day. */
  readonly begins: string;
  readonly isMidYear: boolean;
  readonly of: FamilyOf;
  /** The claims of all plan years. */
  readonly persons: readonly { readonly name: string | null; readonly relationship: string | null }[];
  /** How many of these, from the first, are in the records of the member and dependents. */
  readonly known: number;
  /** The claims in the order of processing. */
  readonly claims: readonly (AccumulatorClaim & {
    readonly isOpenDuplicate: boolean;
    /** Whether it belongs to the same plan year before these rules, which count it too. */
    readonly isEarlier: boolean;
  })[];
  readonly result: ReturnType<typeof computeFamily>;
}

function stateOf(claim: FamilyClaim, isProcessed: boolean): ClaimState {
  const { role } = claim;
  if (role === 'unclear') return 'unclear';
  if (role === 'reversal' || role === 'takenBack' || role === 'replaced') return 'replaced';
  if (role === 'missingOwed') return 'owedBack';
  if (claim.outcome === 'duplicate') return 'duplicate';
  if (claim.status === 'Rejected') return 'rejected';
  if (isProcessed) return role === 'missing' ? 'missing' : 'counts';
  return claim.status === 'In Process' ? 'notProcessed' : 'statusUnknown';
}

/** An amount that may or may not count, which is known only where it is 0. */
const orUnknown = (amount: number | null): 0 | null => (amount === 0 ? 0 : null);

function toAccumulatorClaim(
  claim: FamilyClaim,
  person: number,
  rules: PlanYearRules,
  reimbursement: ReimbursementRules,
): FamilyYear['claims'][number] {
  const { isProcessed, deductible, outOfPocket } = readApplied(claim);
  const state = stateOf(claim, isProcessed);
  const mayCount = state === 'statusUnknown' ? readApplied({ ...claim, status: 'Processed' }) : null;
  return {
    claimId: claim.id,
    person,
    processed: claim.processed,
    serviceDay: claim.first,
    network: claim.network,
    type: claim.type,
    state,
    deductible: mayCount === null ? deductible : orUnknown(mayCount.deductible),
    outOfPocket: mayCount === null ? outOfPocket : orUnknown(mayCount.outOfPocket),
    coinsurance: claim.coinsurance,
    copay: claim.copay,
    allowed: claim.allowed,
    responsibility: claim.responsibility,
    base: rules.account === null ? null : computeEligible(claim, reimbursement).amount,
    baseLess: 0,
    paid: Math.max(0, claim.reimbursed ?? 0),
    isDeclined: claim.outcome === 'notEligible',
    kept: claim.outcome === 'partlyEligible' ? claim.keptEligible : null,
    isOpenDuplicate: claim.openDuplicate !== null,
    isEarlier: false,
  };
}

/**
 * The same claims of a plan year, with those of an unclear chain counted as the least that it may come to, and for an
 * account as the most. `chains` has all claims of such chains; claims of other plan years count nothing here.
 */
function readUnclearChains(
  claims: readonly FamilyYear['claims'][number][],
  chains: ReadonlyMap<number, readonly number[]>,
): FamilyYear['claims'][number][] {
  if (chains.size === 0) return [...claims];
  const claimById = new Map(claims.map((claim) => [claim.claimId, claim]));
  for (const ids of chains.values()) {
    const chainClaims = ids.map((id) => claimById.get(id));
    const [first] = orderClaims(chainClaims.filter((claim) => claim !== undefined));
    const read = (field: 'deductible' | 'outOfPocket' | 'base') =>
      readUnclear(chainClaims.map((claim) => (claim === undefined ? 0 : claim[field])));
    const base = read('base');
    for (const claim of chainClaims) {
      if (claim === undefined) continue;
      const isFirst = claim === first;
      claimById.set(claim.claimId, {
        ...claim,
        deductible: isFirst ? (read('deductible')?.least ?? null) : 0,
        outOfPocket: isFirst ? (read('outOfPocket')?.least ?? null) : 0,
        base: isFirst ? (base?.most ?? null) : 0,
        baseLess: isFirst && base !== null ? base.most - base.least : 0,
      });
    }
  }
  return claims.map((claim) => claimById.get(claim.claimId) ?? claim);
}

/** The same claim if its plan year is unknown because it has no day of service: it may or may not count in each. */
const withoutYear = (claim: FamilyYear['claims'][number]): FamilyYear['claims'][number] => {
  const { deductible, outOfPocket, base } = claim;
  return {
    ...claim,
    deductible: orUnknown(deductible),
    outOfPocket: orUnknown(outOfPocket),
    base: orUnknown(base),
    coinsurance: null,
    kept: null,
  };
};

/**
 * Lists the people of a family, and the position of each claim's patient. If the records contain people, a patient with
 * another name is unknown (it may be a nickname); otherwise, the names on the claims are the people.
 */
function findPatients(family: Family, toName: (text: string | null) => PersonName | null) {
  const persons: FamilyPerson[] = [...family.persons];
  const find = (patientName: string | null): number | null => {
    const name = toName(patientName);
    if (name === null) return null;
    const matches = findPersons(persons, name);
    if (matches.length > 1) return null;
    if (matches[0] !== undefined || family.persons.length > 0) return matches[0] ?? null;
    return persons.push({ name, shownName: (patientName ?? '').trim(), relationship: null }) - 1;
  };
  const placeByName = new Map<string | null, number | null>();
  const places = family.claims.map(({ patientName }) => {
    if (!placeByName.has(patientName)) placeByName.set(patientName, find(patientName));
    return placeByName.get(patientName) ?? null;
  });
  return { persons, places, isUnknown: places.includes(null) };
}

/** An employer's plan year, or the part of it in which one set of rules applies, with the positions of its claims. */
interface Part extends PlanPeriod {
  readonly employerId: number | null;
  readonly planYear: Pick<ReturnType<typeof planYearOf>, 'name' | 'begins'>;
  readonly places: readonly number[];
}
const keyOf = ({ begins, employerId }: Pick<Part, 'begins' | 'employerId'>): string =>
  `${begins} ${employerId}`;

/** The claims of the same plan year and employer before these rules. */
const findEarlier = ({ claims }: Family, { employerId, begins, planYear }: Part): number[] =>
  claims.flatMap(({ first, employerId: claimEmployerId }, place) =>
    first !== null && claimEmployerId === employerId && first >= planYear.begins && first < begins
      ? [place]
      : [],
  );

/** What an account leaves is carried over through at most this many plan years without claims. */
const maxEmptyYears = 30;

/**
 * Computes families in their plan years, the earliest first; days without rules are left out. `hasComplete`: a sync was
 * verified complete, so a plan year without claims here has none. `toName` may be shared with others.
 */
export function createFamilyComputer(
  { service, settings }: FactRules,
  hasComplete: boolean,
  toName = createNameReader(),
): (family: Family) => FamilyYear[] {
  const partAt = (day: string, employerId: number | null): Part | null => {
    const planYear = planYearOf(day, planYearMonthOf(settings, service, employerId));
    const period = periodOf(planRulesOf(settings.planRules, service, employerId), day, planYear);
    return period && { ...period, employerId, planYear, places: [] };
  };
  /** Claims by the parts of plan years with rules, the earliest first; and claims without a day of such employers. */
  const divideClaims = ({ claims }: Family) => {
    const parts = new Map<string, Part & { readonly places: number[] }>();
    const undated: number[] = [];
    for (const [place, { first, employerId }] of claims.entries()) {
      const part = first === null ? null : partAt(first, employerId);
      if (part !== null) memo(parts, keyOf(part), () => ({ ...part, places: [] })).places.push(place);
      else if (first === null && planRulesOf(settings.planRules, service, employerId) !== null)
        undated.push(place);
    }
    const inOrder = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
    return { parts: inOrder, undated };
  };

  return (family) => {
    const { parts, undated } = divideClaims(family);
    if (parts.length === 0) return [];
    const { persons, places, isUnknown } = findPatients(family, toName);
    const unknownPerson = isUnknown ? persons.length : null;
    const all = { persons: persons.length + Number(isUnknown), unknownPerson };
    const personCount = family.persons.length;
    /**
     * Dependents belong to every plan year, because records have no days for them. Without a record of the member, the
     * family is whoever the claims of the plan year name.
     */
    const isFamilyIn = (claimPositions: readonly number[]): boolean =>
      family.hasDependents ||
      (personCount === 0 && new Set(claimPositions.flatMap((place) => places[place] ?? [])).size > 1);
    const shown = persons.map(({ shownName, relationship }) => ({ name: shownName, relationship }));
    const ofChains = family.claims.filter(({ role }) => role === 'unclear');
    const unclear = new Map(
      [...Map.groupBy(ofChains, ({ chain, id }) => chain ?? id)].map(([chain, some]) => [
        chain,
        some.map(({ id }) => id),
      ]),
    );
    const done = new Map<string, FamilyYear>();
    /** Parts without claims, which are computed only for what their accounts leave. */
    const empty = new Map<string, FamilyYear>();
    /** What accounts pay for claims by the rules of the claims' own day. */
    const shares = new Map<number, number>();

    const findUnusedBefore = ({ rules, begins, planYear, employerId }: Part): Unused => {
      if ((rules.account?.carryOver ?? null) === null) return nothingUnused;
      const day = addDays(rules.countsEarlier ? planYear.begins : begins, -1);
      const before = day === null ? null : partAt(day, employerId);
      if (before === null || before.rules.account === null) return nothingUnused;
      const key = keyOf(before);
      const familyYear = done.get(key) ?? empty.get(key);
      if (familyYear !== undefined) return familyYear.result.unused;
      if (!hasComplete || empty.size >= maxEmptyYears) return null;
      const computed = computePart(before);
      empty.set(key, computed);
      return computed.result.unused;
    };
    const computePart = (part: Part): FamilyYear => {
      const { rules, employerId, begins, isMidYear, planYear } = part;
      const reimbursement = rulesOf(settings.reimbursementRules, service, employerId);
      const read = (place: number) =>
        toAccumulatorClaim(
          family.claims[place] as FamilyClaim,
          places[place] ?? persons.length,
          rules,
          reimbursement,
        );
      const readEarlier = (place: number) => {
        const claim = read(place);
        return { ...claim, isEarlier: true, kept: shares.get(claim.claimId) ?? claim.kept };
      };
      const isOwn = (place: number): boolean => family.claims[place]?.employerId === employerId;
      const inOrder = orderClaims([
        ...(isMidYear && rules.countsEarlier ? findEarlier(family, part).map(readEarlier) : []),
        ...part.places.map(read),
        ...undated.filter(isOwn).map((place) => withoutYear(read(place))),
      ]);
      const claims = readUnclearChains(inOrder, unclear);
      const of: FamilyOf = { ...all, isFamily: isFamilyIn(part.places) };
      return {
        memberId: family.memberId,
        employerId,
        planYear: planYear.name,
        begins,
        isMidYear,
        of,
        known: personCount,
        claims,
        persons: isUnknown ? [...shown, { name: null, relationship: null }] : shown,
        result: computeFamily(rules, of, claims, findUnusedBefore(part)),
      };
    };

    for (const part of parts) {
      const computed = computePart(part);
      done.set(keyOf(part), computed);
      for (const [at, { claimId, isEarlier }] of computed.claims.entries()) {
        const share = computed.result.steps?.[at]?.share ?? null;
        if (!isEarlier && share !== null) shares.set(claimId, share);
      }
    }
    return [...done.values()];
  };
}

/** The amount of the first finding of these kinds; null: there is none. */
const amountOf = (disagreements: readonly Disagreement[], kind: Disagreement['kind']): number | null =>
  disagreements.find((disagreement) => disagreement.kind === kind)?.amount ?? null;

/** Returns the facts of these families' claims, by ID. One family's failure does not stop the others. */
export function factsOfFamilies(
  families: readonly Family[],
  rules: FactRules,
  compute: (family: Family) => FamilyYear[],
): Map<number, FamilyFacts> {
  const factsByClaim = new Map<number, FamilyFacts>();
  for (const family of families) {
    let facts: Map<number, FamilyFacts>;
    try {
      facts = factsOfFamily(compute(family));
    } catch (thrown) {
      facts = failedFamily(family, rules, thrown);
    }
    for (const [id, claimFacts] of facts) factsByClaim.set(id, claimFacts);
  }
  return factsByClaim;
}

/** The claims of a family that could not be computed: what an account pays for them is unknown. */
function failedFamily(
  { memberId, claims }: Family,
  { service, settings }: FactRules,
  thrown: unknown,
): Map<number, FamilyFacts> {
  const failure = sayFailure('Deductible, out-of-pocket maximum, and account of the family', thrown);
  return new Map(
    claims.flatMap(({ id, employerId }) => {
      const years = planRulesOf(settings.planRules, service, employerId)?.years;
      if (years === undefined) return [];
      const step = years.some(({ account }) => account !== null) ? notComputed : null;
      return [[id, { ...nothingFound, memberId, step, failure }]];
    }),
  );
}

const nothingFound = { disagrees: null, difference: null, deductible: null, outOfPocket: null };
const notComputed: AccountStep = {
  base: null,
  share: null,
  rule: 'notComputed',
  per: 'family',
  before: 0,
  parts: [],
};

function factsOfFamily(years: readonly FamilyYear[]): Map<number, FamilyFacts> {
  const factsByClaim = new Map<number, FamilyFacts>();
  for (const { memberId, claims, result } of years)
    for (const [at, { claimId, isEarlier }] of claims.entries()) {
      if (isEarlier) continue;
      const disagreements = result.disagreements[at] ?? [];
      const short = amountOf(disagreements, 'deductibleShort');
      factsByClaim.set(claimId, {
        memberId,
        step: result.steps?.[at] ?? null,
        disagrees: joinFindings(disagreements.map(({ kind }) => disagreementLabels[kind].label)) || null,
        difference:
          disagreements.length === 0 ? null : Math.max(...disagreements.map(({ amount }) => amount)),
        deductible: amountOf(disagreements, 'deductibleOver') ?? (short && -short),
        outOfPocket: amountOf(disagreements, 'outOfPocketOver'),
      });
    }
  return factsByClaim;
}
