import type { ReviewReport } from '../../../../contract/worklists.ts';
import type { Connection } from '../file/connection.ts';

/**
 * Sums of payments by employer and plan year; a claim of two employers counts for both, as in lists. What was
 * reimbursed of claims that the service no longer returns still counts; they are no longer eligible.
 */
export function readReimbursed(connection: Connection): ReviewReport['reimbursed'] {
  return connection
    .prepare(
      `SELECT owner.id AS employerId, f.plan_year AS planYear, count(*) FILTER (WHERE c.gone_since IS NULL) AS claims,
         ifnull(sum(f.eligible) FILTER (WHERE c.gone_since IS NULL), 0) AS eligible, ifnull(sum(v.reimbursed), 0) AS reimbursed
       FROM (SELECT DISTINCT m.parent AS claim, e.id FROM claim_members m
         JOIN claim_member_records r ON r.ref=m.ref JOIN employers e ON e.ref=r.employer_ref) owner
       JOIN claims c ON c.id=owner.claim
       JOIN claim_facts f ON f.id=c.id AND f.plan_year IS NOT NULL
       LEFT JOIN claim_reviews v ON v.claim_id=c.id
       WHERE c.gone_since IS NULL OR v.reimbursed IS NOT NULL
       GROUP BY 1, 2 ORDER BY 2 DESC, 1`,
    )
    .all() as ReviewReport['reimbursed'];
}
