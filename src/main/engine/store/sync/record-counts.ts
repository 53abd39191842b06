import type { Database } from '../file/database.ts';
import { readState, writeState } from '../record/state.ts';

const countsName = 'counts';

export interface RecordCounts {
  readonly members: number;
  readonly archivedMembers: number;
  readonly dependents: number;
  readonly claims: number;
  readonly lines: number;
}

export interface VersionedCounts {
  readonly counts: RecordCounts;
  readonly version: string;
}

const readVersion = (database: Database): string =>
  (
    database
      .prepare("SELECT version FROM record_versions WHERE kind IN ('members', 'claims') ORDER BY kind")
      .pluck()
      .all() as number[]
  ).join(' ');

/**
 * Counts the records that the service still returns: all minus the few missing ones, because SQLite counts all from an
 * index, while a condition would read every row. This takes half a second at a million claims, so counts that
 * `keepCounts` stored for the same version of the records are used instead (`isKept`).
 */
export function countRecords(database: Database): VersionedCounts & { readonly isKept: boolean } {
  const version = readVersion(database);
  const kept = readState<VersionedCounts>(database, countsName);
  if (kept?.version === version) return { ...kept, isKept: true };
  const count = (sql: string): number => database.prepare(sql).pluck().get() as number;
  const counts = {
    members: count(
      'SELECT (SELECT count(*) FROM members) - (SELECT count(*) FROM members WHERE gone_since IS NOT NULL)',
    ),
    archivedMembers: count('SELECT count(*) FROM members WHERE gone_since IS NULL AND archived=1'),
    dependents: count(
      `SELECT (SELECT count(*) FROM dependents) - (SELECT count(*) FROM dependents
        WHERE parent IN (SELECT id FROM members WHERE gone_since IS NOT NULL))`,
    ),
    claims: count(
      'SELECT (SELECT count(*) FROM claims) - (SELECT count(*) FROM claims WHERE gone_since IS NOT NULL)',
    ),
    lines: count(
      `SELECT (SELECT count(*) FROM claim_lines) - (SELECT count(*) FROM claim_lines
        WHERE parent IN (SELECT id FROM claims WHERE gone_since IS NOT NULL))`,
    ),
  };
  return { counts, version, isKept: false };
}

/** Stores counts for the next start. They are not used if the records have changed since. */
export const keepCounts = (database: Database, counts: VersionedCounts): void =>
  writeState(database, countsName, counts);
