import type { Connection } from '../file/connection.ts';

const readName = 'claimsReadAt';

/** Notes up to when all claims were read, as an ISO date-time in the service's time. */
export function markClaimsRead(connection: Connection, at: string): void {
  connection
    .transaction(() => {
      connection
        .prepare('INSERT OR REPLACE INTO sync_state (name, value) VALUES (?, ?)')
        .run(readName, JSON.stringify(at));
      connection.prepare('DELETE FROM claim_reads').run();
    })
    .immediate();
}

/** What was noted last; null: nothing yet. */
export function readNotedRead(connection: Connection): string | null {
  const noted = connection.prepare('SELECT value FROM sync_state WHERE name=?').pluck().get(readName);
  return noted === undefined ? null : (JSON.parse(noted as string) as string);
}

/**
 * Up to when all claims were read; of records that an older version read, when that sync ended by this computer's clock.
 * Null: no sync came to its end. A claim in `claim_reads` was read later.
 */
export function readClaimsRead(connection: Connection): string | null {
  const noted = readNotedRead(connection);
  if (noted !== null) return noted;
  const finished = connection
    .prepare(
      "SELECT finished_at FROM sync_receipts WHERE outcome IN ('complete', 'notProven') ORDER BY rowid DESC LIMIT 1",
    )
    .pluck()
    .get();
  return (finished as string | undefined) ?? null;
}
