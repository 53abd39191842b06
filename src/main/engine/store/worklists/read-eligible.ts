import type { EligibleSource } from '../../../../rules/money/eligible-source.ts';
import type { AccountStep } from '../../../../rules/plans/account-layers.ts';
import { planRulesOf } from '../../../../rules/plans/plan-rules.ts';
import type { Database } from '../file/database.ts';
import { recordDigestSql } from '../record/reviewed-claims.ts';
import { hasCompleteSync } from '../sync/sync-state.ts';
import type { FactRules } from './claim-facts.ts';
import { createFamilyComputer, factsOfFamilies } from './compute-families.ts';
import { eligibleColumns, employerColumn, familyColumn, readFlags } from './eligible-columns.ts';
import { createFamilyReader } from './read-families.ts';

/** Whether an employer has an account with layers or limits in any plan year. */
export const hasAccount = ({ service, settings }: FactRules, employerId: number | null): boolean =>
  planRulesOf(settings.planRules, service, employerId)?.years.some(({ account }) => account !== null) ??
  false;

/** The payments of accounts for the claims of these families, by claim. */
function readSteps(
  database: Database,
  memberIds: readonly number[],
  rules: FactRules,
): Map<number, AccountStep> {
  const compute = createFamilyComputer(rules, hasCompleteSync(database));
  const facts = factsOfFamilies(createFamilyReader(database)(memberIds), rules, compute);
  return new Map([...facts].flatMap(([id, { step }]) => (step === null ? [] : [[id, step]])));
}

/** A claim with the values that the rules need. */
export interface EligibleClaim {
  readonly claimId: number;
  readonly employerId: number | null;
  /** Identifies the record of these values, as in `ReviewedClaim`. */
  readonly digest: string;
  readonly lines: number;
  readonly source: EligibleSource;
  /** The payment by an account with layers or limits; null: there is no such account. */
  readonly account: AccountStep | null;
}

/**
 * Reads claims with the values that the rules need, in no order; claims that are not here are left out. If an employer
 * has an account, the families of its claims are computed with the current values.
 */
export function readEligibleClaims(
  database: Database,
  { claimIds, rules }: { readonly claimIds: readonly number[]; readonly rules: FactRules },
): EligibleClaim[] {
  const columns = Object.entries(eligibleColumns).map(([name, column]) => `${column} AS ${name}`);
  const rows = database
    .prepare(
      `SELECT c.id AS claimId, ${employerColumn} AS employerId, ${recordDigestSql} AS digest,
         ${familyColumn} AS memberId,
         (SELECT count(*) FROM claim_lines l WHERE l.parent=c.id) AS lines, ${columns.join(', ')}
       FROM json_each(?) wanted CROSS JOIN claims c ON c.id=wanted.value`,
    )
    .all(JSON.stringify(claimIds)) as (Omit<EligibleClaim, 'source' | 'account'> &
    EligibleSource & { readonly memberId: number | null })[];
  const members = rows.flatMap(({ memberId, employerId }) =>
    memberId !== null && hasAccount(rules, employerId) ? [memberId] : [],
  );
  const steps = members.length === 0 ? null : readSteps(database, [...new Set(members)], rules);
  return rows.map(({ claimId, employerId, digest, lines, memberId: _member, ...source }) => ({
    claimId,
    employerId,
    digest,
    lines,
    source: { ...source, ...readFlags(source) },
    account: steps?.get(claimId) ?? null,
  }));
}
