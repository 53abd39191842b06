import type { Database } from '../file/database.ts';
import type { StoredRules } from '../sync/retention.ts';

interface OfWorkspace {
  readonly workspaceId: string;
}

/**
 * The last rules of removal in a workspace's records; null: there were none. Backups contain no records, so the rules
 * are kept here as well.
 */
export function readKeptRules(database: Database, { workspaceId }: OfWorkspace): StoredRules | null {
  const text = database.prepare('SELECT rules FROM kept_rules WHERE workspace_id=?').pluck().get(workspaceId);
  return text === undefined ? null : (JSON.parse(text as string) as StoredRules);
}

/** Stores the rules for a restore, after which the records are read from the service again. */
export function keepRules(
  database: Database,
  { workspaceId, rules }: OfWorkspace & { readonly rules: StoredRules | null },
): null {
  if (rules === null) database.prepare('DELETE FROM kept_rules WHERE workspace_id=?').run(workspaceId);
  else
    database
      .prepare('INSERT OR REPLACE INTO kept_rules VALUES (?, ?)')
      .run(workspaceId, JSON.stringify(rules));
  return null;
}
