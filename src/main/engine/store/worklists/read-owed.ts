import type { LedgerClaim, OwedMember } from '../../../../contract/worklist-counts.ts';
import type { Database } from '../file/database.ts';
import { employerColumn } from './eligible-columns.ts';

/** The first member of a claim `c`, so that each claim counts for one member. */
const firstMember = `m.parent=c.id AND m.position=(SELECT min(position) FROM claim_members WHERE parent=c.id)`;

/** Reads what members owe back, the largest balance first. Amounts are ten-thousandths of a dollar. */
export function readOwed(
  database: Database,
  limit: number,
): { members: OwedMember[]; all: { claims: number; owed: number; members: number } } {
  const rows = database
    .prepare(
      `SELECT m.member_id AS memberId,
         max(nullif(trim(ifnull(r.last_name, '') || ', ' || ifnull(r.first_name, ''), ', '), '')) AS name,
         max(e.name) AS employer, count(*) AS claims, sum(c.owed) AS owed
       FROM (SELECT id, owed FROM claim_facts WHERE owed>0) c LEFT JOIN claim_members m ON ${firstMember}
       LEFT JOIN claim_member_records r ON r.ref=m.ref LEFT JOIN employers e ON e.ref=r.employer_ref
       GROUP BY m.member_id ORDER BY owed DESC, memberId`,
    )
    .all() as OwedMember[];
  return {
    members: rows.slice(0, limit),
    all: {
      claims: rows.reduce((sum, { claims }) => sum + claims, 0),
      owed: rows.reduce((sum, { owed }) => sum + owed, 0),
      members: rows.length,
    },
  };
}

/** The claims of these members on which something is owed back, by ID. */
export const readOwedClaims = (
  database: Database,
  memberIds: readonly number[],
): { claimId: number; memberId: number; employerId: number | null; owed: number }[] =>
  database
    .prepare(
      `SELECT c.id AS claimId, m.member_id AS memberId, ${employerColumn} AS employerId, c.owed
       FROM (SELECT id, owed FROM claim_facts WHERE owed>0) c JOIN claim_members m ON ${firstMember}
       WHERE m.member_id IN (SELECT value FROM json_each(?)) ORDER BY c.id`,
    )
    .all(JSON.stringify(memberIds)) as ReturnType<typeof readOwedClaims>;

type PaidClaim = Omit<LedgerClaim, 'payments' | 'isEarlier'>;

/** The claims with payments recorded when their IDs belonged to claims of this member, which now have others. */
export const readEarlierClaims = (database: Database, memberId: number): number[] =>
  database
    .prepare(
      `SELECT claim_id FROM claim_reviews WHERE earlier_paid IS NOT NULL
       AND EXISTS (SELECT 1 FROM json_each(earlier_paid) WHERE value=?) ORDER BY claim_id`,
    )
    .pluck()
    .all(memberId) as number[];

/** The claims of a member with recorded payments, by ID. */
export const readPaidClaims = (database: Database, memberId: number): PaidClaim[] =>
  (
    database
      .prepare(
        `SELECT c.id AS claimId, c.vendor_system_id AS number, c.gone_since IS NOT NULL AS isMissing,
           f.eligible+f.disputed AS eligible, v.reimbursed, ifnull(v.written_off, 0) AS writtenOff, f.owed
         FROM claim_members m JOIN claims c ON ${firstMember} JOIN claim_reviews v ON v.claim_id=c.id
           JOIN claim_facts f ON f.id=c.id
         WHERE m.member_id=? AND v.reimbursed IS NOT NULL ORDER BY c.id`,
      )
      .all(memberId) as (Omit<PaidClaim, 'isMissing'> & { isMissing: number })[]
  ).map((row) => ({ ...row, isMissing: row.isMissing === 1 }));
