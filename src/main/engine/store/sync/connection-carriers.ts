import type { Database } from '../file/database.ts';
import { createVersionCounter } from '../record/records-version.ts';

/** The carrier of a connection, by the id under which claims name the connection. */
export interface ConnectionCarrier {
  readonly policyHolderId: number;
  readonly carrier: string;
}

/** The carrier of a connection; null where it was not read. */
export function findCarrier(database: Database, policyHolderId: number): string | null {
  const carrier = database
    .prepare('SELECT carrier FROM connection_carriers WHERE policy_holder_id=?')
    .pluck()
    .get(policyHolderId);
  return typeof carrier === 'string' ? carrier : null;
}

/**
 * Replaces the carriers that claims show; they come from Connect, so they are no part of any record. Lists made before
 * are outdated only where one differs.
 */
export function writeCarriers(database: Database, carriers: readonly ConnectionCarrier[]): void {
  database
    .transaction(() => {
      const known = database.prepare('SELECT policy_holder_id, carrier FROM connection_carriers').raw();
      const before = new Map(known.all() as [number, string][]);
      const after = new Map(carriers.map(({ policyHolderId, carrier }) => [policyHolderId, carrier]));
      if (before.size === after.size && [...after].every(([id, carrier]) => before.get(id) === carrier))
        return;
      database.prepare('DELETE FROM connection_carriers').run();
      const insert = database.prepare(
        'INSERT INTO connection_carriers (policy_holder_id, carrier) VALUES (?, ?)',
      );
      for (const [id, carrier] of after) insert.run(id, carrier);
      createVersionCounter(database)('claims');
    })
    .immediate();
}

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
