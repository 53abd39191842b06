import type { AccountStep } from '../../../../rules/plans/account-layers.ts';
import { planRulesOf } from '../../../../rules/plans/plan-rules.ts';
import type { Database } from '../file/database.ts';
import { hasCompleteSync } from '../sync/sync-state.ts';
import type { FactRules } from './claim-facts.ts';
import { createFamilyComputer, factsOfFamilies } from './compute-families.ts';
import { createFamilyReader } from './read-families.ts';

/** Whether an employer has an account with layers or limits in any plan year. */
export const hasAccount = ({ service, settings }: FactRules, employerId: number | null): boolean =>
  planRulesOf(settings.planRules, service, employerId)?.years.some(({ account }) => account !== null) ??
  false;

/** What accounts pay of the claims of these families, by claim. */
export function readSteps(
  database: Database,
  memberIds: readonly number[],
  rules: FactRules,
): Map<number, AccountStep> {
  const compute = createFamilyComputer(rules, hasCompleteSync(database));
  const facts = factsOfFamilies(createFamilyReader(database)(memberIds), rules, compute);
  return new Map([...facts].flatMap(([id, { step }]) => (step === null ? [] : [[id, step]])));
}
