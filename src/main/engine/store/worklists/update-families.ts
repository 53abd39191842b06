import { planRulesOf } from '../../../../rules/plans/plan-rules.ts';
import type { Database } from '../file/database.ts';
import { hasCompleteSync } from '../sync/sync-state.ts';
import type { FactRules } from './claim-facts.ts';
import { createFamilyComputer, factsOfFamilies } from './compute-families.ts';
import { ownersSql } from './eligible-columns.ts';
import type { FamilyFacts } from './fact-source.ts';
import { createFamilyReader, createNameReader, type FamilyCells } from './read-families.ts';

/** The number of families that are read at once. */
const familiesAtOnce = 200;

/** Whether any employer of the service has plan rules. */
export const hasPlanRules = ({ service, settings }: FactRules): boolean =>
  Object.entries(settings.planRules).some(
    ([key, { years }]) => years.length > 0 && (key === service || key.startsWith(`${service}#`)),
  );

/** Whether the stored family facts of a claim equal the computed ones. */
function isStored(cells: FamilyCells | null, facts: FamilyFacts | undefined): boolean {
  if (cells === null) return false;
  const [family, rule, share, disagrees, deductible, outOfPocket] = cells;
  if (facts === undefined) return family === null;
  const { memberId, step } = facts;
  return (
    family === memberId &&
    rule === (step?.rule ?? null) &&
    share === (step?.share ?? null) &&
    disagrees === facts.disagrees &&
    deductible === facts.deductible &&
    outOfPocket === facts.outOfPocket
  );
}

/**
 * Creates the operation that computes the families of outdated claims, and chooses the claims whose facts are written:
 * those of the given ones whose family was computed or has no rules, and all others of these families whose facts
 * change. It computes each family as a whole and once, and stops at about `most` claims.
 */
export function createFamilyUpdater(
  database: Database,
): (
  rules: FactRules,
  ids: readonly number[],
  most: number,
) => { ids: number[]; facts: Map<number, FamilyFacts> } {
  const toName = createNameReader();
  const readFamilies = createFamilyReader(database, toName);
  const selectOwners = database.prepare(ownersSql).raw();
  const selectFormer = database
    .prepare(
      'SELECT id, family FROM claim_facts WHERE family IS NOT NULL AND id IN (SELECT value FROM json_each(?))',
    )
    .raw();
  const selectOutdated = database
    .prepare('SELECT member_id FROM outdated_families ORDER BY 1 LIMIT ?')
    .pluck();
  const forget = database.prepare(
    'DELETE FROM outdated_families WHERE member_id IN (SELECT value FROM json_each(?))',
  );
  const outdate = database.prepare(
    'INSERT OR IGNORE INTO outdated_families (member_id) SELECT value FROM json_each(?)',
  );
  const selectOfFamilies = database
    .prepare('SELECT id FROM claim_facts WHERE family IN (SELECT value FROM json_each(?))')
    .pluck();

  return (rules, ids, most) => {
    const free: number[] = [];
    const byMember = new Map<number, number[]>();
    const asked = JSON.stringify(ids);
    const former = new Map(selectFormer.all(asked) as [id: number, family: number][]);
    const put = (memberId: number, id: number): void => {
      const claimIds = byMember.get(memberId);
      if (claimIds === undefined) byMember.set(memberId, [id]);
      else claimIds.push(id);
    };
    for (const [id, employerId, memberId] of selectOwners.all(asked) as [
      number,
      number | null,
      number | null,
    ][]) {
      const before = former.get(id);
      const hasRules =
        memberId !== null && planRulesOf(rules.settings.planRules, rules.service, employerId) !== null;
      if (hasRules) put(memberId, id);
      if (before !== undefined && (before !== memberId || !hasRules)) put(before, id);
      if (!hasRules && before === undefined) free.push(id);
    }
    for (const memberId of selectOutdated.all(familiesAtOnce) as number[])
      if (!byMember.has(memberId)) byMember.set(memberId, []);
    const waiting = [...byMember.keys()];
    const chosen = new Set(free);
    const facts = new Map<number, FamilyFacts>();
    const compute = createFamilyComputer(rules, hasCompleteSync(database), toName);
    do {
      const some = waiting.splice(0, familiesAtOnce);
      const membersJson = JSON.stringify(some);
      const families = readFamilies(some);
      for (const [id, familyFacts] of factsOfFamilies(families, rules, compute)) facts.set(id, familyFacts);
      forget.run(membersJson);
      const left = new Set(selectOfFamilies.all(membersJson) as number[]);
      for (const { claims } of families)
        for (const { id, known } of claims) {
          left.delete(id);
          if (!isStored(known, facts.get(id))) chosen.add(id);
        }
      for (const id of left) chosen.add(id);
      for (const member of some) for (const id of byMember.get(member) ?? []) chosen.add(id);
    } while (waiting.length > 0 && chosen.size < most);
    // A claim that moved to another family is updated with the first of the two.
    const moved = waiting.filter((member) => byMember.get(member)?.some((id) => chosen.has(id)));
    outdate.run(JSON.stringify(moved));
    return { ids: [...chosen], facts };
  };
}
