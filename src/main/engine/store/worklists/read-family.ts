import type { FamilyMeter } from '../../../../rules/plans/accumulators.ts';
import { planYearMonthOf, planYearOf } from '../../../../rules/plans/plan-year.ts';
import type { Database } from '../file/database.ts';
import { hasCompleteSync } from '../sync/sync-state.ts';
import type { FactRules } from './claim-facts.ts';
import { createFamilyComputer, type FamilyYear } from './compute-families.ts';
import { createFamilyReader } from './read-families.ts';

/** Converts a family to a meter, without people whom only claims of other plan years name. */
function toMeter(year: FamilyYear, employerName: string | null): FamilyMeter {
  const { memberId, employerId, planYear, begins, isMidYear, of, claims, result } = year;
  const named = new Set(claims.map(({ person }) => person));
  const places = year.persons.flatMap((_person, at) => (at < year.known || named.has(at) ? [at] : []));
  const shownOf = <T>(all: readonly T[]): T[] => places.map((at) => all[at] as T);
  return {
    memberId,
    employerId,
    employerName,
    planYear,
    begins,
    isMidYear,
    isFamily: of.isFamily,
    persons: places.map((at) => ({
      ...(year.persons[at] as FamilyYear['persons'][number]),
      planPays: result.next[at]?.planPays ?? null,
      drugsPaid: result.next[at]?.drugsPaid ?? null,
      accountPays: result.next[at]?.accountPays ?? null,
    })),
    meters: result.meters.map((meter) => ({ ...meter, persons: shownOf(meter.persons) })),
    account: result.account && { ...result.account, persons: shownOf(result.account.persons) },
    claims: claims.map((claim, at) => {
      const { claimId, person, processed, serviceDay, network, state, deductible, outOfPocket } = claim;
      return {
        claimId,
        processed,
        serviceDay,
        network,
        state,
        deductible,
        outOfPocket,
        person: places.indexOf(person),
        shares: result.shares[at] ?? [],
        account: result.steps?.[at] ?? null,
        disagreements: result.disagreements[at] ?? [],
        isEarlier: claim.isEarlier,
        isOpenDuplicate: claim.isOpenDuplicate,
      };
    }),
  };
}

interface Wanted {
  readonly planYear: string | null;
  readonly claimId?: number | null | undefined;
  readonly today: string;
  readonly rules: FactRules;
}

/**
 * Chooses the plan year for each employer: the requested one, or that of the claim, or the current one, or the newest.
 * The claim's employer comes first, then the ones with more claims. If the plan years of employers have different
 * names, the current or newest one is that of the first.
 */
function chooseYears(
  years: readonly FamilyYear[],
  { planYear, claimId, today, rules }: Wanted,
): readonly FamilyYear[] {
  const isCurrent = ({ employerId, planYear: name }: FamilyYear): boolean =>
    planYearOf(today, planYearMonthOf(rules.settings, rules.service, employerId)).name === name;
  const ofClaim = years.find(({ claims }) =>
    claims.some((claim) => claim.claimId === claimId && !claim.isEarlier),
  );
  const isOfClaim = ({ employerId }: FamilyYear): number => Number(employerId === ofClaim?.employerId);
  const sizeOf = ({ employerId, planYear: name }: FamilyYear): number =>
    years
      .filter((year) => year.employerId === employerId && year.planYear === name)
      .reduce((sum, { claims }) => sum + claims.length, 0);
  // For one employer, the later rules come first.
  const byClaims = years.toSorted(
    (a, b) => isOfClaim(b) - isOfClaim(a) || sizeOf(b) - sizeOf(a) || (a.begins < b.begins ? 1 : -1),
  );
  const newest = years.at(-1)?.begins;
  const first = ofClaim ?? byClaims.find(isCurrent) ?? byClaims.find(({ begins }) => begins === newest);
  const chosen = planYear ?? first?.planYear;
  return byClaims.filter((year) => year.planYear === chosen);
}

/**
 * Reads the deductible and out-of-pocket progress of a member's family; null: neither the member nor a claim of the
 * member is here.
 */
export function readFamily(
  database: Database,
  request: Wanted & { readonly memberId: number },
): { memberName: string | null; planYears: string[]; families: FamilyMeter[] } | null {
  const name = database
    .prepare(
      `SELECT nullif(coalesce(full_name_derived, trim(coalesce(first_name, '')||' '||coalesce(last_name, ''))), '')
       FROM members WHERE id=?`,
    )
    .pluck();
  const storedName = name.get(request.memberId) as string | null | undefined;
  const families = createFamilyReader(database)([request.memberId]);
  if (storedName === undefined && families.every(({ claims }) => claims.length === 0)) return null;
  const years = families.flatMap(createFamilyComputer(request.rules, hasCompleteSync(database)));
  const employer = database.prepare('SELECT max(name) FROM employers WHERE id=?').pluck();
  const nameOf = (id: number | null): string | null =>
    id === null ? null : (employer.get(id) as string | null);
  return {
    memberName: storedName ?? null,
    planYears: [...new Set(years.map(({ planYear }) => planYear))].reverse(),
    families: chooseYears(years, request).map((year) => toMeter(year, nameOf(year.employerId))),
  };
}
