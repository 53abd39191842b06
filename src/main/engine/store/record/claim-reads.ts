import type { Database } from '../file/database.ts';
import { readState, writeState } from './state.ts';

const readName = 'claimsReadAt';

/** Stores when all claims were read, as an ISO date-time in the service's time. */
export function markClaimsRead(database: Database, at: string): void {
  database
    .transaction(() => {
      writeState(database, readName, at);
      database.prepare('DELETE FROM claim_reads').run();
    })
    .immediate();
}

/** The time that was stored last; null: none yet. */
export const readNotedRead = (database: Database): string | null => readState<string>(database, readName);

/**
 * The time up to which all claims were read. For records read by an older version, it is the end of that sync by this
 * computer's clock. Null: no sync was completed. Claims in `claim_reads` were read later.
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
