import type { Database } from '../file/database.ts';
import { createVersionCounter } from '../record/records-version.ts';

/** The carrier of a connection, by the connection's ID in claims. */
export interface ConnectionCarrier {
  readonly policyHolderId: number;
  readonly carrier: string;
}

/** The carrier of a connection; null where it is unknown. */
export function findCarrier(database: Database, policyHolderId: number): string | null {
  const carrier = database
    .prepare('SELECT carrier FROM connection_carriers WHERE policy_holder_id=?')
    .pluck()
    .get(policyHolderId);
  return typeof carrier === 'string' ? carrier : null;
}

/**
 * The carriers by the references that claims have to their connections. An export reads them once, because joining them
 * to each claim takes a sixth of the time of reading the rows.
 */
export const readCarriersByRef = (database: Database) =>
  database
    .prepare(
      'SELECT p.ref, k.carrier FROM policy_holders p JOIN connection_carriers k ON k.policy_holder_id=p.id',
    )
    .raw()
    .all() as [number, string][];

/**
 * Replaces the carriers that claims show. They come from Connect and are not part of any record. Lists are outdated
 * only if a carrier changed.
 */
export function writeCarriers(database: Database, carriers: readonly ConnectionCarrier[]): void {
  database
    .transaction(() => {
      const select = database.prepare('SELECT policy_holder_id, carrier FROM connection_carriers').raw();
      const before = new Map(select.all() as [number, string][]);
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

/** IDs of the connections in a member's claims (docs/service.md, "What the claim fields mean"), newest claim first. */
export const listConnectionsOf = (database: Database, memberId: number): number[] =>
  database
    .prepare(
      `SELECT p.id FROM claim_members cm
       JOIN claims c ON c.id=cm.parent
       JOIN policy_holders p ON p.ref=c.policy_holder_ref
       WHERE cm.member_id=? AND p.id IS NOT NULL
       GROUP BY p.id ORDER BY max(c.id) DESC LIMIT 50`,
    )
    .pluck()
    .all(memberId) as number[];
