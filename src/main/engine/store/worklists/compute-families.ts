import type { AccountStep } from '../../../../contract/account-layers.ts';
import type { ClaimState, Disagreement } from '../../../../contract/accumulators.ts';
import { computeFamily, orderClaims } from '../../../../contract/compute-family.ts';
import { computeEligible, type EligibleSource } from '../../../../contract/eligible.ts';
import { nothingUnused, type Unused } from '../../../../contract/family-account.ts';
import type { AccumulatorClaim, FamilyOf } from '../../../../contract/family-counts.ts';
import {
  type PlanRules,
  type PlanYearRules,
  planRulesOf,
  planYearRulesOf,
} from '../../../../contract/plan-rules.ts';
import { planYearMonthOf, planYearOf } from '../../../../contract/plan-year.ts';
import {
  defaultReimbursementRules,
  eligibleParts,
  type ReimbursementRules,
  rulesOf,
} from '../../../../contract/reimbursement.ts';
import type { FactRules, FamilyFacts } from './claim-facts.ts';
import type { PersonName } from './compare-values.ts';
import {
  createNameReader,
  type Family,
  type FamilyClaim,
  type FamilyPerson,
  findPersons,
} from './read-families.ts';

/** A family in a plan year that has rules. */
export interface FamilyYear {
  readonly memberId: number;
  readonly employerId: number | null;
  readonly planYear: string;
  readonly begins: string;
  readonly of: FamilyOf;
  /** Of all plan years. */
  readonly persons: readonly { readonly name: string | null; readonly relationship: string | null }[];
  /** How many of these, the first ones, are in the records of the member and dependents. */
  readonly known: number;
  /** In the order of processing. */
  readonly claims: readonly (AccumulatorClaim & { readonly isOpenDuplicate: boolean })[];
  readonly result: ReturnType<typeof computeFamily>;
}

const all: ReimbursementRules = { ...defaultReimbursementRules, parts: [...eligibleParts] };
const onlyDeductible: ReimbursementRules = { ...all, parts: ['deductible'] };

/**
 * What the carrier applied to the deductible, and in all: what would be eligible of these parts, without regard to what
 * another plan paid of it. Null: not known.
 */
export function readApplied(source: EligibleSource): {
  readonly isProcessed: boolean;
  readonly deductible: number | null;
  readonly outOfPocket: number | null;
} {
  const { deductible, copay, coinsurance, responsibility } = source;
  // Parts that add up, the usual case, give the same by the table, which takes ten times as long.
  if (deductible !== null && copay !== null && coinsurance !== null && isPlain(source))
    if (Math.min(deductible, copay, coinsurance) >= 0 && deductible + copay + coinsurance === responsibility)
      return { isProcessed: true, deductible, outOfPocket: responsibility };
  const own = { ...source, otherPaid: null };
  const whole = computeEligible(own, all);
  return {
    isProcessed: whole.rule !== 'notProcessed',
    deductible: computeEligible(own, onlyDeductible).amount,
    outOfPocket: whole.amount,
  };
}

const isPlain = ({ status, isUnread, notCovered }: EligibleSource): boolean =>
  status === 'Processed' && !isUnread && (notCovered === null || notCovered >= 0);

function stateOf(claim: FamilyClaim, isProcessed: boolean): ClaimState {
  if (claim.isMissing) return 'missing';
  if (claim.outcome === 'duplicate') return 'duplicate';
  if (claim.isReplaced) return 'replaced';
  if (claim.status === 'Rejected') return 'rejected';
  return isProcessed ? 'counts' : 'notProcessed';
}

function toAccumulatorClaim(
  claim: FamilyClaim,
  person: number,
  rules: PlanYearRules,
  reimbursement: ReimbursementRules,
): FamilyYear['claims'][number] {
  const { isProcessed, deductible, outOfPocket } = readApplied(claim);
  return {
    claimId: claim.id,
    person,
    processed: claim.processed,
    serviceDay: claim.first,
    network: claim.network,
    type: claim.type,
    state: stateOf(claim, isProcessed),
    deductible,
    outOfPocket,
    coinsurance: claim.coinsurance,
    copay: claim.copay,
    allowed: claim.allowed,
    responsibility: claim.responsibility,
    base: rules.account === null ? null : computeEligible(claim, reimbursement).amount,
    isDeclined: claim.outcome === 'notEligible' || claim.outcome === 'noAction',
    kept: claim.outcome === 'partlyEligible' ? claim.keptEligible : null,
    isOpenDuplicate: claim.openDuplicate !== null,
  };
}

/** The same claim where its plan year is not known, as it has no day of service: it may count in each one, or not. */
const withoutYear = (claim: FamilyYear['claims'][number]): FamilyYear['claims'][number] => {
  const orUnknown = (amount: number | null): 0 | null => (amount === 0 ? 0 : null);
  const { deductible, outOfPocket, base } = claim;
  return {
    ...claim,
    ...{ deductible: orUnknown(deductible), outOfPocket: orUnknown(outOfPocket), base: orUnknown(base) },
    ...{ coinsurance: null, kept: null },
  };
};

/** Everybody of a family: those in its records, then other names on its claims; and the place of each claim's patient. */
function findPatients(family: Family, toName: (text: string | null) => PersonName | null) {
  const persons: FamilyPerson[] = [...family.persons];
  const find = (patientName: string | null): number | null => {
    const name = toName(patientName);
    if (name === null) return null;
    const found = findPersons(persons, name);
    if (found.length > 1) return null;
    if (found[0] !== undefined) return found[0];
    return persons.push({ name, shownName: (patientName ?? '').trim(), relationship: null }) - 1;
  };
  const known = new Map<string | null, number | null>();
  const places = family.claims.map(({ patientName }) => {
    if (!known.has(patientName)) known.set(patientName, find(patientName));
    return known.get(patientName) ?? null;
  });
  return { persons, places, isUnknown: places.includes(null) };
}

const previousOf = (begins: string): string =>
  `${String(Number(begins.slice(0, 4)) - 1).padStart(4, '0')}${begins.slice(4)}`;

/** Computes families in their plan years; plan years without rules are left out. `toName` may be shared with others. */
export function createFamilyComputer(
  { service, settings }: FactRules,
  toName = createNameReader(),
): (family: Family) => FamilyYear[] {
  /** What the plan year before left; not known where the family has no claims of it here. */
  const findUnusedBefore = (
    done: readonly FamilyYear[],
    rules: PlanRules,
    year: Pick<FamilyYear, 'begins' | 'employerId'>,
  ): Unused => {
    const begins = previousOf(year.begins);
    if ((planYearRulesOf(rules, begins)?.account ?? null) === null) return nothingUnused;
    const before = done.find((one) => one.begins === begins && one.employerId === year.employerId);
    return before?.result.unused ?? null;
  };

  return (family) => {
    const groups = new Map<string, { employerId: number | null; day: string; places: number[] }>();
    const undated: number[] = [];
    for (const [place, { first, employerId }] of family.claims.entries()) {
      if (planRulesOf(settings.planRules, service, employerId) === null) continue;
      if (first === null) {
        undated.push(place);
        continue;
      }
      const { begins } = planYearOf(first, planYearMonthOf(settings, service, employerId));
      const key = `${begins} ${employerId}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, { employerId, day: first, places: [place] });
      else group.places.push(place);
    }
    if (groups.size === 0) return [];
    const { persons, places, isUnknown } = findPatients(family, toName);
    const unknownPerson = isUnknown ? persons.length : null;
    const all = { persons: persons.length + Number(isUnknown), unknownPerson };
    const known = family.persons.length;
    /** Dependents are of every plan year, as records have no days of them; others where claims of the plan year name them. */
    const isFamilyIn = (own: readonly number[]): boolean => {
      if (family.hasDependents || persons.length < 2) return family.hasDependents;
      const named = own.flatMap((place) => places[place] ?? []).filter((at) => at >= known);
      return known + new Set(named).size > 1;
    };
    const shown = persons.map(({ shownName, relationship }) => ({ name: shownName, relationship }));
    const done: FamilyYear[] = [];
    for (const [, { employerId, day, places: own }] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const { name, begins } = planYearOf(day, planYearMonthOf(settings, service, employerId));
      const rules = planRulesOf(settings.planRules, service, employerId);
      const ofYear = planYearRulesOf(rules, begins);
      if (rules === null || ofYear === null) continue;
      const reimbursement = rulesOf(settings.reimbursementRules, service, employerId);
      const claims = orderClaims(
        [...own, ...undated].flatMap((place) => {
          const claim = family.claims[place] as FamilyClaim;
          if (claim.employerId !== employerId) return [];
          const read = toAccumulatorClaim(claim, places[place] ?? persons.length, ofYear, reimbursement);
          return [claim.first === null ? withoutYear(read) : read];
        }),
      );
      const of: FamilyOf = { ...all, isFamily: isFamilyIn(own) };
      const unused = findUnusedBefore(done, rules, { begins, employerId });
      done.push({
        memberId: family.memberId,
        ...{ employerId, planYear: name, begins, of, known, claims },
        persons: isUnknown ? [...shown, { name: null, relationship: null }] : shown,
        result: computeFamily(ofYear, of, claims, unused),
      });
    }
    return done;
  };
}

const disagreementLabels: Readonly<Record<Disagreement['kind'], string>> = {
  deductibleOver: 'Deductible applied above what was left',
  deductibleShort: 'Coinsurance before the deductible was met',
  outOfPocketOver: 'Out-of-pocket maximum exceeded',
};

/** What follows for each claim of a family, by its ID. */
export function factsOfFamily(
  years: readonly FamilyYear[],
): Map<number, FamilyFacts & { step: AccountStep | null }> {
  const found = new Map<number, FamilyFacts>();
  for (const { memberId, claims, result } of years)
    for (const [at, { claimId }] of claims.entries()) {
      const disagreements = result.disagreements[at] ?? [];
      const kinds = disagreements.map(({ kind }) => disagreementLabels[kind]);
      found.set(claimId, {
        memberId,
        step: result.steps?.[at] ?? null,
        disagrees: kinds.join(', ') || null,
        difference:
          disagreements.length === 0 ? null : Math.max(...disagreements.map(({ amount }) => amount)),
      });
    }
  return found;
}
