import type { Database } from '../file/database.ts';

/** Ids of the carrier connections that a member's claims name (docs/service.md, "What the claim fields mean"); the newest claims first. */
export function listConnectionsOf(database: Database, memberId: number): number[] {
  return database
    .prepare(
      `SELECT p.id FROM claim_members cm
       JOIN claims c ON c.id=cm.parent
       JOIN policy_holders p ON p.ref=c.policy_holder_ref
       WHERE cm.member_id=? AND p.id IS NOT NULL
       GROUP BY p.id ORDER BY max(c.id) DESC LIMIT 50`,
    )
    .pluck()
    .all(memberId) as number[];
}
