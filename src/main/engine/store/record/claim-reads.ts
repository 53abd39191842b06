import type { Database } from '../file/database.ts';

const readName = 'claimsReadAt';

/** Notes up to when all claims were read, as an ISO date-time in the service's time. */
export function markClaimsRead(database: Database, at: string): void {
  database
    .transaction(() => {
      database
        .prepare('INSERT OR REPLACE INTO sync_state (name, value) VALUES (?, ?)')
        .run(readName, JSON.stringify(at));
      database.prepare('DELETE FROM claim_reads').run();
    })
    .immediate();
}

/** What was noted last; null: nothing yet. */
export function readNotedRead(database: Database): string | null {
  const noted = database.prepare('SELECT value FROM sync_state WHERE name=?').pluck().get(readName);
  return noted === undefined ? null : (JSON.parse(noted as string) as string);
}

/**
 * Up to when all claims were read; of records that an older version read, when that sync ended by this computer's clock.
 * Null: no sync came to its end. A claim in `claim_reads` was read later.
 */
export function readClaimsRead(database: Database): string | null {
  const noted = readNotedRead(database);
  if (noted !== null) return noted;
  const finished = database
    .prepare(
      "SELECT finished_at FROM sync_receipts WHERE outcome IN ('complete', 'notProven') ORDER BY rowid DESC LIMIT 1",
    )
    .pluck()
    .get();
  return (finished as string | undefined) ?? null;
}
