import type { Database } from '../file/database.ts';
import { readState, writeState } from './state.ts';

const readName = 'claimsReadAt';

/** Notes up to when all claims were read, as an ISO date-time in the service's time. */
export function markClaimsRead(database: Database, at: string): void {
  database
    .transaction(() => {
      writeState(database, readName, at);
      database.prepare('DELETE FROM claim_reads').run();
    })
    .immediate();
}

/** What was noted last; null: nothing yet. */
export const readNotedRead = (database: Database): string | null => readState<string>(database, readName);

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
