import type { LineAmounts } from '../../../../rules/money/line-parts.ts';
import type { RunState } from '../../../../rules/review/run-facts.ts';
import type { Database } from '../file/database.ts';

/** A claim with what a run and its file need. Null where the claim lacks a value. */
export interface RunClaim {
  readonly claimId: number;
  readonly claimNumber: string | null;
  readonly patient: string | null;
  readonly provider: string | null;
  /** Ten-thousandths of a dollar. */
  readonly billed: number | null;
  readonly allowed: number | null;
  readonly serviceStart: string | null;
  readonly serviceEnd: string | null;
  readonly memberId: number | null;
  readonly memberKey: string | null;
  readonly memberLast: string | null;
  readonly memberFirst: string | null;
  readonly employerId: number | null;
  readonly employer: string | null;
  /** Whether the claim is on this computer, and whether the service no longer returns it. */
  readonly isHere: boolean;
  readonly isMissing: boolean;
}
/** The same with its part in a run; the amount is in ten-thousandths of a dollar. */
export interface RunRow extends RunClaim {
  readonly amount: number;
  readonly state: RunState;
  /** The reason of `left`. */
  readonly reason: string | null;
}

const range = 'c.date_of_service_start, c.date_of_service_end, c.date_of_service_bounds';
/** The employer of the first member who has one, as rules apply (`employerColumn`). */
const employerSql = (column: string): string =>
  `(SELECT e.${column} FROM claim_members n JOIN claim_member_records s ON s.ref=n.ref
    JOIN employers e ON e.ref=s.employer_ref WHERE n.parent=c.id ORDER BY n.position LIMIT 1)`;

const columns = `c.vendor_system_id AS claimNumber, c.patient_name AS patient, c.service_provider AS provider,
  c.amount_billed AS billed, c.amount_allowed AS allowed,
  range_first_day(${range}) AS serviceStart,
  nullif(substr(replace(range_days(${range}), '..', '----------'), 12), '----------') AS serviceEnd,
  m.member_id AS memberId, p.partner_key AS memberKey, r.last_name AS memberLast, r.first_name AS memberFirst,
  ${employerSql('id')} AS employerId, ${employerSql('name')} AS employer,
  c.id IS NOT NULL AS isHere, c.gone_since IS NOT NULL AS isMissing`;
const joins = `LEFT JOIN claim_members m ON m.parent=c.id
    AND m.position=(SELECT min(position) FROM claim_members WHERE parent=c.id)
  LEFT JOIN claim_member_records r ON r.ref=m.ref LEFT JOIN members p ON p.id=m.member_id`;

type Stored<Row> = Omit<Row, 'isHere' | 'isMissing'> & { isHere: number; isMissing: number };
const toRow = <Row extends RunClaim>(row: Stored<Row>): Row =>
  ({ ...row, isHere: row.isHere === 1, isMissing: row.isMissing === 1 }) as unknown as Row;

/** Reads claims by ID, in no order; those that are not here are left out. */
export function readRunClaims(database: Database, claimIds: readonly number[]): RunClaim[] {
  const rows = database
    .prepare(
      `SELECT c.id AS claimId, ${columns} FROM json_each(?) wanted CROSS JOIN claims c ON c.id=wanted.value ${joins}`,
    )
    .all(JSON.stringify(claimIds)) as Stored<RunClaim>[];
  return rows.map((row) => toRow<RunClaim>(row));
}

/** Reads all claims of a run, including those that left it, by ID. */
export function readRunRows(database: Database, runId: string): RunRow[] {
  const rows = database
    .prepare(
      `SELECT x.claim_id AS claimId, x.amount, x.state, x.reason, ${columns} FROM claim_runs x
       LEFT JOIN claims c ON c.id=x.claim_id ${joins} WHERE x.run_id=? ORDER BY x.claim_id`,
    )
    .all(runId) as Stored<RunRow>[];
  return rows.map((row) => toRow<RunRow>(row));
}

/** A line of a claim with the values for a pay file, and those from which its eligible part is computed. */
export interface RunLine extends LineAmounts {
  readonly claimId: number;
  /** From 0. */
  readonly position: number;
  readonly procedure: string | null;
  readonly billed: number | null;
  readonly allowed: number | null;
}

/** The lines of these claims, in their order. */
export const readRunLines = (database: Database, claimIds: readonly number[]): RunLine[] =>
  database
    .prepare(
      `SELECT parent AS claimId, position, procedure_code AS procedure, amount_billed AS billed,
         amount_allowed AS allowed, reduction AS deductible, coinsurance_patient AS coinsurance, copayment AS copay,
         patient_responsibility AS responsibility
       FROM claim_lines WHERE parent IN (SELECT value FROM json_each(?)) ORDER BY parent, position`,
    )
    .all(JSON.stringify(claimIds)) as RunLine[];

/** The number of claims and the amounts of each run, by state. */
export const sumRuns = (
  database: Database,
): { id: string; state: RunState; claims: number; amount: number }[] =>
  database
    .prepare(
      'SELECT run_id AS id, state, count(*) AS claims, sum(amount) AS amount FROM claim_runs GROUP BY run_id, state',
    )
    .all() as ReturnType<typeof sumRuns>;
