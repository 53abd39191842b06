import type { Database } from '../file/database.ts';
import { readState, removeState, writeState } from '../record/state.ts';

interface Deferred {
  readonly name: string;
  readonly sql: string;
}

export const deferredName = 'deferredIndexes';
const claimTables = "('claims', 'claim_lines', 'claim_members')";
/** Notes each new claim for the next comparison. */
const noteTrigger = 'claim_added';

/**
 * Drops the indexes of claims before the first claims are written, so that each is later built over all claims at once.
 * Otherwise each page of a first read would change most leaf pages of each index, which at a million claims is most of
 * the writing. The trigger that notes new claims one by one is dropped as well: all of them are noted at once. What was
 * dropped is recorded in the same transaction. Until it is restored, lists are made without indexes, and nothing is
 * compared.
 */
export function deferClaimIndexes(database: Database): void {
  database
    .transaction(() => {
      if (database.prepare('SELECT 1 FROM claims LIMIT 1').get() !== undefined) return;
      const dropped = database
        .prepare(
          `SELECT type, name, sql FROM sqlite_schema WHERE name='${noteTrigger}'
             OR (type='index' AND sql IS NOT NULL AND tbl_name IN ${claimTables}) ORDER BY type`,
        )
        .all() as (Deferred & { readonly type: string })[];
      if (dropped.length === 0) return;
      writeState(database, deferredName, dropped);
      for (const { type, name } of dropped) database.exec(`DROP ${type} ${name}`);
    })
    .immediate();
}

/** Builds the dropped indexes, one per transaction, so that a kill loses at most one. `onIndex` counts them. */
export function buildDeferredIndexes(
  database: Database,
  onIndex: (done: number, total: number) => void = () => undefined,
): void {
  let done = 0;
  const isThere = database.prepare('SELECT 1 FROM sqlite_schema WHERE name=?');
  const buildNext = database.transaction((): boolean => {
    const indexes = readState<Deferred[]>(database, deferredName);
    if (indexes === null) return false;
    const [next, ...rest] = indexes;
    if (next !== undefined) {
      onIndex(done, done + rest.length + 1);
      done += 1;
    }
    if (next !== undefined && isThere.get(next.name) === undefined) {
      database.exec(next.sql);
      if (next.name === noteTrigger) database.exec('INSERT INTO changed_claims (id) SELECT id FROM claims');
    }
    if (rest.length === 0) removeState(database, deferredName);
    else writeState(database, deferredName, rest);
    return rest.length > 0;
  });
  while (buildNext.immediate());
}
