import type { DecisionRule } from '../../../../rules/decide/decision-rule.ts';
import { sayMarkedAct, toMarkedAct } from '../../../../rules/decide/rule-act.ts';
import { toAmount } from '../../../../rules/money/amounts.ts';
import { computePartly, isWhole, type KeptAmounts } from '../../../../rules/money/decided-amounts.ts';
import { rulesOf } from '../../../../rules/money/reimbursement.ts';
import type { Amount, Condition } from '../../../../rules/query.ts';
import type { ReviewedValues } from '../../../../rules/review/reviewed-values.ts';
import { worklistIds } from '../../../../rules/worklists/worklist-table.ts';
import type { Database } from '../file/database.ts';
import { buildTerms } from '../query/build-query.ts';
import { listTables } from '../query/list-tables.ts';
import { compileRule } from '../query/meets-rule.ts';
import type { createRecordReader } from '../record/record-reader.ts';
import { type ReviewedClaim, readReviewedClaims } from '../record/reviewed-claims.ts';
import type { FactRules } from './claim-facts.ts';
import { readEligibleClaims } from './read-eligible.ts';

type Records = ReturnType<typeof createRecordReader>;

/** The proposal of a rule for a claim, with the values behind it. */
export interface Proposal extends ReviewedClaim {
  readonly rule: DecisionRule;
  /** The amounts of a partly eligible act. */
  readonly amounts: KeptAmounts | null;
  /** The open amount of the claim, in ten-thousandths of a dollar. */
  readonly open: number;
}

const toDecide = worklistIds.indexOf('toDecide');

/**
 * Selects the claims in To decide that a rule may decide: something is open, no one has decided, owns, or paid
 * something of them, and they are in no chain.
 */
const undecidedSql = `SELECT f.id, f.open, v.tags
  FROM json_each(?) wanted CROSS JOIN claim_worklists w ON w.worklist=${toDecide} AND w.id=wanted.value
  JOIN claim_facts f ON f.id=w.id LEFT JOIN claim_reviews v ON v.claim_id=f.id
  WHERE f.open>0 AND f.chain_role IS NULL AND v.state IS NULL AND v.decided_outcome IS NULL AND v.owner IS NULL
    AND v.reimbursed IS NULL AND v.written_off IS NULL AND v.earlier_paid IS NULL AND v.run IS NULL`;

/** The claims among these that meet conditions like a list's, which exclude most without reading their values. */
function findMeeting(database: Database, ids: readonly number[], conditions: readonly Condition[]): number[] {
  const terms = buildTerms({ entity: 'claims', conditions: [...conditions], includesMissing: true });
  return database
    .prepare(
      `SELECT c.id FROM json_each(?) wanted CROSS JOIN claims c ON c.id=wanted.value ${listTables.claims.joins}
       WHERE ${terms.map(({ text }) => text).join(' AND ')}`,
    )
    .pluck()
    .all(JSON.stringify(ids), ...terms.flatMap(({ values }) => values)) as number[];
}

/** The amounts of a rule's partly eligible act, by claim; unknown and full amounts are left out. */
function computeParts(
  database: Database,
  { act }: DecisionRule,
  claimIds: readonly number[],
  rules: FactRules,
): Map<number, KeptAmounts | null> {
  if (act.kind !== 'partly') return new Map(claimIds.map((id) => [id, null]));
  const amounts = new Map<number, KeptAmounts>();
  for (const claim of readEligibleClaims(database, { claimIds, rules })) {
    const { reimbursementRules } = rules.settings;
    const employerRules = rulesOf(reimbursementRules, rules.service, claim.employerId);
    const part = computePartly(act.partly, claim.source, employerRules, claim.account);
    if (typeof part !== 'string' && !isWhole(part)) amounts.set(claim.claimId, part);
  }
  return amounts;
}

/** Finds the proposals for the claims among these that a rule may decide, by the first rule that matches. */
export function propose(
  database: Database,
  records: Records,
  { claimIds, rules }: { readonly claimIds: readonly number[]; readonly rules: FactRules },
): Proposal[] {
  const { proposing = [] } = rules;
  if (proposing.length === 0) return [];
  const rows = database.prepare(undecidedSql).all(JSON.stringify(claimIds)) as {
    id: number;
    open: number;
    tags: string | null;
  }[];
  const rest = new Map(rows.map((row) => [row.id, row]));
  const proposed: Proposal[] = [];
  for (const rule of proposing) {
    const { most, act } = rule;
    const isPossible = (id: number): boolean => {
      const row = rest.get(id);
      return (
        row !== undefined &&
        (most === null || row.open <= most) &&
        !(act.kind === 'tag' && row.tags?.split(', ').includes(act.tag) === true)
      );
    };
    const meets = compileRule(rule);
    const candidates = findMeeting(database, [...rest.keys()].filter(isPossible), rule.conditions);
    const met = readReviewedClaims(database, records, candidates).filter(({ reviewed }) =>
      meets(JSON.parse(reviewed) as ReviewedValues),
    );
    const amounts = computeParts(
      database,
      rule,
      met.map(({ claimId }) => claimId),
      rules,
    );
    for (const claim of met) {
      const part = amounts.get(claim.claimId);
      if (part === undefined) continue;
      proposed.push({ ...claim, rule, amounts: part, open: rest.get(claim.claimId)?.open ?? 0 });
      rest.delete(claim.claimId);
    }
  }
  return proposed;
}

/** Writes what rules propose for these claims, whose worklists were written before. */
export function writeProposals(
  database: Database,
  records: Records,
  request: { readonly claimIds: readonly number[]; readonly rules: FactRules & { readonly today: string } },
): void {
  const put = database.prepare(
    'UPDATE claim_facts SET proposal=?, proposal_rule=?, proposed_by=? WHERE id=?',
  );
  const ids = JSON.stringify(request.claimIds);
  database
    .prepare(
      `UPDATE claim_facts SET proposal=NULL, proposal_rule=NULL, proposed_by=NULL
       WHERE id IN (SELECT value FROM json_each(?)) AND proposed_by IS NOT NULL`,
    )
    .run(ids);
  for (const { claimId, rule, open, amounts } of propose(database, records, request)) {
    const words = sayMarkedAct(toMarkedAct(rule.act, request.rules.today), open, amounts);
    put.run(words, rule.name, rule.id, claimId);
  }
}

/** The facts behind the proposals of all rules, as text: if it changes, proposals are made again. */
export const proposingKeyOf = ({ proposing = [] }: Pick<FactRules, 'proposing'>): string =>
  JSON.stringify(
    proposing.map(({ id, name, conditions, employers, act, most }) => [
      id,
      name,
      conditions,
      employers,
      act,
      most,
    ]),
  );

/** Marks the claims in To decide for which rules propose something else from now on. */
export const outdateProposals = (database: Database): unknown =>
  database
    .prepare('INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM claim_worklists WHERE worklist=?')
    .run(toDecide);

/**
 * The next claims after this ID for which these rules propose something, with their open amount as in lists: at most a
 * rule's limit.
 */
export const listProposed = (
  database: Database,
  request: {
    readonly rules: readonly { readonly id: string; readonly amount: number }[];
    readonly after: number;
    readonly limit: number;
  },
): { claimId: number; ruleId: string; open: number }[] =>
  database
    .prepare(
      `SELECT f.id AS claimId, f.proposed_by AS ruleId, f.open FROM json_each(:rules) r CROSS JOIN claim_facts f
         ON f.proposed_by=r.value->>'id' AND f.open<=r.value->>'amount' WHERE f.id>:after ORDER BY f.id LIMIT :limit`,
    )
    .all({ ...request, rules: JSON.stringify(request.rules) }) as {
    claimId: number;
    ruleId: string;
    open: number;
  }[];

/** For how many claims each rule proposes something, and their open amount. */
export const sumProposed = (database: Database): { ruleId: string; claims: number; amount: Amount }[] =>
  (
    database
      .prepare(
        `SELECT proposed_by, count(*), sum(open) FROM claim_facts
         WHERE proposed_by IS NOT NULL GROUP BY proposed_by`,
      )
      .raw()
      .safeIntegers()
      .all() as [string, bigint, bigint][]
  ).map(([ruleId, claims, amount]) => ({ ruleId, claims: Number(claims), amount: toAmount(amount) }));

const triedAtOnce = 5_000;

/** The proposals of a rule for all claims in To decide, and how many have a blank column of a condition. */
export function tryOpen(
  database: Database,
  records: Records,
  { rule, rules }: { readonly rule: DecisionRule; readonly rules: FactRules },
) {
  const all = database
    .prepare('SELECT id FROM claim_worklists WHERE worklist=? ORDER BY id')
    .pluck()
    .all(toDecide) as number[];
  const fields = [...new Set(rule.conditions.map(({ field }) => field))];
  const blank = new Map(fields.map((field) => [field, 0]));
  let [claims, amount] = [0, 0n];
  for (let at = 0; at < all.length; at += triedAtOnce) {
    const claimIds = all.slice(at, at + triedAtOnce);
    for (const field of fields) {
      const isBlank: Condition = { field, operator: 'isEmpty', values: [] };
      blank.set(field, (blank.get(field) ?? 0) + findMeeting(database, claimIds, [isBlank]).length);
    }
    for (const { open } of propose(database, records, { claimIds, rules: { ...rules, proposing: [rule] } })) {
      claims += 1;
      amount += BigInt(open);
    }
  }
  return {
    claims,
    amount: toAmount(amount),
    blank: [...blank].map(([field, count]) => ({ field, claims: count })),
  };
}
