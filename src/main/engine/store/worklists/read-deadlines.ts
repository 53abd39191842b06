import type { DeadlineKind } from '../../../../rules/plans/deadlines.ts';
import type { Database } from '../file/database.ts';
import { employerColumn } from './eligible-columns.ts';

/** How many claims of an employer have their next deadline on a day; null: their employer is unknown. */
export interface DueDay {
  readonly day: string;
  readonly kind: DeadlineKind;
  readonly employerId: number | null;
  readonly employer: string | null;
  readonly claims: number;
}

/** The next deadlines of claims by day, kind and employer, without claims that are no longer in the service. */
export const readDueDays = (database: Database): DueDay[] =>
  database
    .prepare(
      `WITH due AS (SELECT f.due_day AS day, f.due_kind AS kind, ${employerColumn} AS employerId
         FROM claim_facts f JOIN claims c ON c.id=f.id WHERE f.due_day IS NOT NULL AND c.gone_since IS NULL)
       SELECT day, kind, employerId, (SELECT name FROM employers e WHERE e.id=employerId LIMIT 1) AS employer,
         count(*) AS claims FROM due GROUP BY day, kind, employerId ORDER BY day, kind, employer, employerId`,
    )
    .all() as DueDay[];

/**
 * The next deadline of a claim, and the number of days in the rule behind it: after the carrier processed the claim or,
 * to reimburse, after the plan year; to answer, after the appeal.
 */
export const readDeadline = (
  database: Database,
  claimId: number,
): { kind: DeadlineKind; day: string; days: number } | null =>
  (database
    .prepare(
      `SELECT due_kind AS kind, due_day AS day, CAST(julianday(due_day)-CASE due_kind
         WHEN 'Reimburse' THEN julianday(plan_year_end)-1
         WHEN 'Answer' THEN julianday((SELECT appeal_day FROM claim_reviews WHERE claim_id=f.id))
         ELSE julianday(substr(coalesce(c.processed_on, c.eob_date), 1, 10)) END AS INTEGER) AS days
       FROM claim_facts f JOIN claims c ON c.id=f.id WHERE f.id=? AND due_day IS NOT NULL`,
    )
    .get(claimId) as { kind: DeadlineKind; day: string; days: number } | undefined) ?? null;
