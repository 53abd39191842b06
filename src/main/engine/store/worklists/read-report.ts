import type { ReviewReport } from '../../../../contract/worklist-counts.ts';
import type { Database } from '../file/database.ts';

/** The sums of a row of the report, by name: which claims count, and which amount is added. */
const sums = {
  decided: ['isHere AND outcome IS NOT NULL', 'eligible'],
  undecided: ['isHere AND outcome IS NULL', 'eligible'],
  declined: ['isHere AND declined<>0', 'declined'],
  disputed: ["isHere AND outcome='disputed'", 'disputed'],
  reimbursed: ['reimbursed IS NOT NULL', 'reimbursed'],
} as const;
const names = Object.keys(sums) as (keyof typeof sums)[];

/**
 * Sums of decisions and payments by employer and plan year, either of which may be unknown; a claim of two employers
 * counts for both, as in lists. Reimbursements of claims that the service no longer returns still count; these claims
 * are no longer eligible.
 */
export function readReimbursed(database: Database): ReviewReport['reimbursed'] {
  const columns = names.map((name) => {
    const [which, amount] = sums[name];
    return `count(*) FILTER (WHERE ${which}), ifnull(sum(${amount}) FILTER (WHERE ${which}), 0)`;
  });
  const rows = database
    .prepare(
      `SELECT employer, plan_year, count(*) FILTER (WHERE isHere),
         count(*) FILTER (WHERE isHere AND (eligible IS NULL OR declined IS NULL OR disputed IS NULL)), ${columns.join(', ')}
       FROM (
         SELECT owner.id AS employer, f.plan_year, c.gone_since IS NULL AS isHere, f.eligible, f.declined, f.disputed,
           v.outcome, v.reimbursed
         FROM claims c JOIN claim_facts f ON f.id=c.id
         LEFT JOIN (SELECT DISTINCT m.parent AS claim, e.id FROM claim_members m
           JOIN claim_member_records r ON r.ref=m.ref JOIN employers e ON e.ref=r.employer_ref) owner ON owner.claim=c.id
         LEFT JOIN claim_reviews v ON v.claim_id=c.id
         WHERE c.gone_since IS NULL OR v.reimbursed IS NOT NULL)
       GROUP BY 1, 2 ORDER BY 2 DESC, employer IS NULL, 1`,
    )
    .raw()
    .all() as [number | null, string | null, number, number, ...number[]][];
  return rows.map(([employerId, planYear, claims, notKnown, ...cells]) => {
    const counted = names.map((name, at) => [name, { claims: cells[at * 2], amount: cells[at * 2 + 1] }]);
    const bySum = Object.fromEntries(counted) as Record<
      keyof typeof sums,
      { claims: number; amount: number }
    >;
    return { employerId, planYear, claims, ...bySum, notKnown };
  });
}
