import type { Database } from '../file/database.ts';
import { readState, removeState, writeState } from '../record/state.ts';

interface DeferredIndex {
  readonly name: string;
  readonly sql: string;
}

export const deferredName = 'deferredIndexes';
const claimTables = "('claims', 'claim_lines', 'claim_members')";

/**
 * Drops the indexes of claims before the first claims are written, so that each is later built over all claims at
 * once. Otherwise each page of a first read would change most leaf pages of each index, which at a million claims is
 * most of the writing. The dropped indexes are recorded in the same transaction. Until they are built, lists are made
 * without them.
 */
export function deferClaimIndexes(database: Database): void {
  database
    .transaction(() => {
      if (database.prepare('SELECT 1 FROM claims LIMIT 1').get() !== undefined) return;
      const indexes = database
        .prepare(
          `SELECT name, sql FROM sqlite_schema WHERE type='index' AND sql IS NOT NULL AND tbl_name IN ${claimTables}`,
        )
        .all() as DeferredIndex[];
      if (indexes.length === 0) return;
      writeState(database, deferredName, indexes);
      for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
    })
    .immediate();
}

/** Builds the dropped indexes, one a transaction, so that a killed process loses at most one. `onIndex` counts them. */
export function buildDeferredIndexes(
  database: Database,
  onIndex: (done: number, total: number) => void = () => undefined,
): void {
  let done = 0;
  const isThere = database.prepare("SELECT 1 FROM sqlite_schema WHERE type='index' AND name=?");
  const buildNext = database.transaction((): boolean => {
    const indexes = readState<DeferredIndex[]>(database, deferredName);
    if (indexes === null) return false;
    const [next, ...rest] = indexes;
    if (next !== undefined) {
      onIndex(done, done + rest.length + 1);
      done += 1;
    }
    if (next !== undefined && isThere.get(next.name) === undefined) database.exec(next.sql);
    if (rest.length === 0) removeState(database, deferredName);
    else writeState(database, deferredName, rest);
    return rest.length > 0;
  });
  while (buildNext.immediate());
}
