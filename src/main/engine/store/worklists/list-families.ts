import type { FamilyMeter, FamilyRow } from '../../../../contract/accumulators.ts';
import { planYearMonthOf, planYearOf } from '../../../../contract/plan-year.ts';
import type { Database } from '../file/database.ts';
import type { FactRules } from './claim-facts.ts';
import { createFamilyComputer, type FamilyYear } from './compute-families.ts';
import { createFamilyReader } from './read-families.ts';

const nameSql = (alias: string): string =>
  `nullif(coalesce(${alias}.full_name_derived, trim(coalesce(${alias}.first_name, '')||' '||coalesce(${alias}.last_name, ''))), '')`;

function toMeter(year: FamilyYear): FamilyMeter {
  const { memberId, employerId, planYear, begins, of, persons, claims, result } = year;
  return {
    ...{ memberId, employerId, planYear, begins },
    isFamily: of.isFamily,
    persons: persons.map((person, at) => ({
      ...person,
      planPays: result.next[at]?.planPays ?? null,
      accountPays: result.next[at]?.accountPays ?? null,
    })),
    meters: result.meters,
    account: result.account,
    claims: claims.map((claim, at) => {
      const { claimId, person, processed, serviceDay, network, state, deductible, outOfPocket } = claim;
      return {
        ...{ claimId, person, processed, serviceDay, network, state, deductible, outOfPocket },
        shares: result.shares[at] ?? [],
        account: result.steps?.[at] ?? null,
        disagreements: result.disagreements[at] ?? [],
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

/** The plan year that was asked for, or of the claim, the current one, else the newest; of two employers, that with more claims. */
function chooseYear(
  years: readonly FamilyYear[],
  { planYear, claimId, today, rules }: Wanted,
): FamilyYear | null {
  const ofClaim = years.find(({ claims }) => claims.some((claim) => claim.claimId === claimId));
  if (planYear === null && ofClaim !== undefined) return ofClaim;
  const isCurrent = ({ employerId, begins }: FamilyYear): boolean =>
    planYearOf(today, planYearMonthOf(rules.settings, rules.service, employerId)).begins === begins;
  const newest = years.at(-1);
  const wanted =
    planYear === null
      ? [years.filter(isCurrent), years.filter(({ begins }) => begins === newest?.begins)].find(
          (found) => found.length > 0,
        )
      : years.filter((year) => year.planYear === planYear);
  return (wanted ?? []).toSorted((a, b) => b.claims.length - a.claims.length)[0] ?? null;
}

/** Where the family of a member stands; null: neither the member nor a claim of it is here. */
export function readFamily(
  database: Database,
  wanted: Wanted & { readonly memberId: number },
): { memberName: string | null; planYears: string[]; family: FamilyMeter | null } | null {
  const name = database.prepare(`SELECT ${nameSql('m')} FROM members m WHERE id=?`).pluck();
  const found = name.get(wanted.memberId) as string | null | undefined;
  const families = createFamilyReader(database)([wanted.memberId]);
  if (found === undefined && families.every(({ claims }) => claims.length === 0)) return null;
  const years = families.flatMap(createFamilyComputer(wanted.rules));
  const chosen = chooseYear(years, wanted);
  return {
    memberName: found ?? null,
    planYears: [...new Set(years.map(({ planYear }) => planYear))].reverse(),
    family: chosen === null ? null : toMeter(chosen),
  };
}

/** Families with plan rules, those with the largest difference first. */
export function listFamilies(
  database: Database,
  wanted: {
    offset: number;
    limit: number;
    employerId?: number | undefined;
    planYear?: string | undefined;
    isDisagreeing?: boolean | undefined;
  },
): { families: FamilyRow[]; total: number } {
  const { offset, limit, employerId, planYear, isDisagreeing } = wanted;
  const terms = [
    ...(employerId === undefined ? [] : ['y.employer_id=:employerId']),
    ...(planYear === undefined ? [] : ['y.plan_year=:planYear']),
    ...(isDisagreeing === undefined ? [] : [isDisagreeing ? 'y.disagreeing>0' : 'y.disagreeing=0']),
  ];
  const where = terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;
  const filter = {
    ...(employerId === undefined ? {} : { employerId }),
    ...(planYear === undefined ? {} : { planYear }),
  };
  const total = database
    .prepare(`SELECT count(*) FROM family_years y ${where}`)
    .pluck()
    .get(filter) as number;
  const rows = database
    .prepare(
      `SELECT y.*, ${nameSql('m')} AS memberName FROM family_years y LEFT JOIN members m ON m.id=y.member_id ${where}
       ORDER BY y.difference DESC, y.member_id, y.plan_year DESC LIMIT :limit OFFSET :offset`,
    )
    .all({ ...filter, limit, offset }) as Record<string, never>[];
  const meter = (row: Record<string, never>, of: string): FamilyRow['deductible'] =>
    row[`${of}_used`] === null
      ? null
      : { used: row[`${of}_used`] as never, limit: row[`${of}_limit`] as never };
  const families = rows.map(
    (row): FamilyRow => ({
      memberId: row.member_id as never,
      memberName: row.memberName as never,
      employerId: row.employer_id as never,
      planYear: row.plan_year as never,
      isAtLeast: row.is_at_least === 1,
      deductible: meter(row, 'deductible'),
      outOfPocket: meter(row, 'out_of_pocket'),
      account: meter(row, 'account'),
      disagreeing: row.disagreeing as never,
      difference: row.difference as never,
    }),
  );
  return { families, total };
}
