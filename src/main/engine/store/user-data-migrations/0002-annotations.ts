/** What people wrote: about a record of a workspace, by the service's id; and the lists they named. */
export const sql = `
CREATE TABLE annotations (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  target TEXT NOT NULL,
  record_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  facts TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX annotations_by_record ON annotations (workspace_id, target, record_id);
CREATE TABLE views (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX views_by_workspace ON views (workspace_id, name);
`;
