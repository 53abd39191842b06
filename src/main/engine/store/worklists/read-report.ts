import type { ReviewReport } from '../../../../contract/worklists.ts';
import type { Connection } from '../file/connection.ts';

/** Days of finished work that a report goes back. */
const maxDoneRows = 2_000;

/**
 * Sums of reviews. `done`: by local day of the decision and its outcome, newest first, and how many of them a sync
 * changed since. `reimbursed`: by employer and plan year; a claim of two employers counts for both, as in lists.
 */
export function readReport(connection: Connection): ReviewReport {
  const done = connection
    .prepare(
      `SELECT date(reviewed_at, 'localtime') AS day, decided_outcome AS outcome, count(*) AS claims,
         count(changed_at) AS reopened
       FROM claim_reviews WHERE reviewed_at IS NOT NULL AND decided_outcome IS NOT NULL
       GROUP BY 1, 2 ORDER BY 1 DESC, 2 LIMIT ${maxDoneRows}`,
    )
    .all() as ReviewReport['done'];
  const reimbursed = connection
    .prepare(
      `SELECT owner.id AS employerId, f.plan_year AS planYear, count(*) AS claims,
         total(f.eligible) AS eligible, total(v.reimbursed) AS reimbursed
       FROM (SELECT DISTINCT m.parent AS claim, e.id FROM claim_members m
         JOIN claim_member_records r ON r.ref=m.ref JOIN employers e ON e.ref=r.employer_ref) owner
       JOIN claims c ON c.id=owner.claim AND c.gone_since IS NULL
       JOIN claim_facts f ON f.id=c.id AND f.plan_year IS NOT NULL
       LEFT JOIN claim_reviews v ON v.claim_id=c.id
       GROUP BY 1, 2 ORDER BY 2 DESC, 1`,
    )
    .all() as ReviewReport['reimbursed'];
  return { done, reimbursed };
}
