/** Keeps a copy of each workspace's rules of removal, which are in its records, where backups have it. */
export const sql = `CREATE TABLE kept_rules (
  workspace_id TEXT PRIMARY KEY,
  rules TEXT NOT NULL
) STRICT, WITHOUT ROWID;`;
