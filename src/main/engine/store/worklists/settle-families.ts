import type { Standing } from '../../../../contract/accumulators.ts';
import { planRulesOf } from '../../../../contract/plan-rules.ts';
import type { Database } from '../file/database.ts';
import type { FactRules, FamilyFacts } from './claim-facts.ts';
import { createFamilyComputer, type FamilyYear, factsOfFamily } from './compute-families.ts';
import { employerColumn, familyColumn } from './eligible-columns.ts';
import { createFamilyReader } from './read-families.ts';

/** The number of families that are read at once. */
const familiesAtOnce = 200;

/** Whether any employer of the service has plan rules. */
export const hasPlanRules = ({ service, settings }: FactRules): boolean =>
  Object.entries(settings.planRules).some(
    ([key, { years }]) => years.length > 0 && (key === service || key.startsWith(`${service}#`)),
  );

/** Removes what was computed by plan rules that are no longer there; true where there was anything. */
export const clearFamilies = (database: Database): boolean =>
  database.prepare('DELETE FROM family_years').run().changes +
    database.prepare('DELETE FROM outdated_families').run().changes >
  0;

type Known = [
  id: number,
  family: number | null,
  rule: string | null,
  share: number | null,
  disagrees: string | null,
  difference: number | null,
];

const isKnown = ([, ...cells]: Known, facts: FamilyFacts | undefined): boolean => {
  const now = [
    facts?.memberId ?? null,
    facts?.step?.rule ?? null,
    facts?.step?.share ?? null,
    facts?.disagrees ?? null,
    facts?.difference ?? null,
  ];
  return cells.every((cell, at) => cell === now[at]);
};

/** The columns of a family in a list; of separate networks, those in network. */
function toRow({ memberId, employerId, planYear, result }: FamilyYear): (number | string | null)[] {
  const inNetwork = (id: string): Standing | null =>
    result.meters.find(({ meter, network }) => meter === id && network !== 'out')?.family ?? null;
  const standings = [inNetwork('deductible'), inNetwork('outOfPocket'), result.account?.family ?? null];
  const disagreeing = result.disagreements.filter((found) => found.length > 0);
  const isAtLeast =
    result.meters.some(({ family }) => family.isAtLeast) || result.account?.family.isAtLeast === true;
  return [
    ...[memberId, employerId, planYear, Number(isAtLeast)],
    ...standings.flatMap((of) => [of?.used ?? null, of?.limit ?? null]),
    disagreeing.length,
    disagreeing.reduce((sum, found) => sum + Math.max(...found.map(({ amount }) => amount)), 0),
  ];
}

function createYearWriter(database: Database): (memberIds: string, years: readonly FamilyYear[]) => void {
  const clear = database.prepare(
    'DELETE FROM family_years WHERE member_id IN (SELECT value FROM json_each(?))',
  );
  const put = database.prepare(`INSERT INTO family_years (member_id, employer_id, plan_year, is_at_least,
    deductible_used, deductible_limit, out_of_pocket_used, out_of_pocket_limit, account_used, account_limit,
    disagreeing, difference) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const forget = database.prepare(
    'DELETE FROM outdated_families WHERE member_id IN (SELECT value FROM json_each(?))',
  );
  return (memberIds, years) => {
    clear.run(memberIds);
    for (const year of years) put.run(...toRow(year));
    forget.run(memberIds);
  };
}

/**
 * Makes the operation that computes the families of outdated claims, and chooses the claims whose facts are to be written:
 * of the given ones those whose family was computed or has no rules, and all others of these families whose facts change.
 * It computes each family whole and once, and stops where about `most` claims are chosen.
 */
export function createFamilySettler(
  database: Database,
): (
  rules: FactRules,
  ids: readonly number[],
  most: number,
) => { ids: number[]; facts: Map<number, FamilyFacts> } {
  const readFamilies = createFamilyReader(database);
  const writeYears = createYearWriter(database);
  const selectOwners = database
    .prepare(
      `SELECT wanted.value, ${employerColumn}, ${familyColumn}, f.family
       FROM json_each(?) wanted LEFT JOIN claims c ON c.id=wanted.value LEFT JOIN claim_facts f ON f.id=wanted.value`,
    )
    .raw();
  const selectOutdated = database
    .prepare('SELECT member_id FROM outdated_families ORDER BY 1 LIMIT ?')
    .pluck();
  const outdate = database.prepare(
    'INSERT OR IGNORE INTO outdated_families (member_id) SELECT value FROM json_each(?)',
  );
  const selectFormer = database
    .prepare('SELECT id FROM claim_facts WHERE family IN (SELECT value FROM json_each(?))')
    .pluck();
  const selectKnown = database
    .prepare(
      `SELECT id, family, account_rule, account_share, carrier_disagrees, carrier_difference
       FROM claim_facts WHERE id IN (SELECT value FROM json_each(?))`,
    )
    .raw();

  return (rules, ids, most) => {
    const free: number[] = [];
    const byMember = new Map<number, number[]>();
    for (const [id, employerId, memberId, former] of selectOwners.iterate(JSON.stringify(ids)) as Iterable<
      [number, number | null, number | null, number | null]
    >) {
      const hasRules =
        memberId !== null && planRulesOf(rules.settings.planRules, rules.service, employerId) !== null;
      const members = new Set([hasRules ? memberId : null, former].filter((member) => member !== null));
      if (members.size === 0) free.push(id);
      for (const member of members) byMember.set(member, [...(byMember.get(member) ?? []), id]);
    }
    for (const memberId of selectOutdated.all(familiesAtOnce) as number[])
      if (!byMember.has(memberId)) byMember.set(memberId, []);
    const waiting = [...byMember.keys()];
    const chosen = new Set(free);
    const facts = new Map<number, FamilyFacts>();
    const compute = createFamilyComputer(rules);
    do {
      const some = waiting.splice(0, familiesAtOnce);
      const wanted = JSON.stringify(some);
      const families = readFamilies(some);
      const years = families.flatMap(compute);
      writeYears(wanted, years);
      for (const [id, of] of factsOfFamily(years)) facts.set(id, of);
      const claimIds = new Set([
        ...families.flatMap(({ claims }) => claims.map(({ id }) => id)),
        ...(selectFormer.all(wanted) as number[]),
      ]);
      const known = selectKnown.all(JSON.stringify([...claimIds])) as Known[];
      for (const row of known) if (isKnown(row, facts.get(row[0]))) claimIds.delete(row[0]);
      for (const id of [...claimIds, ...some.flatMap((member) => byMember.get(member) ?? [])]) chosen.add(id);
    } while (waiting.length > 0 && chosen.size < most);
    // A claim that moved to another family is settled with the first of the two.
    const moved = waiting.filter((member) => byMember.get(member)?.some((id) => chosen.has(id)));
    outdate.run(JSON.stringify(moved));
    return { ids: [...chosen], facts };
  };
}
