/** What the service no longer returns, in two steps; what each sync changed. */
export const sql = `
CREATE TABLE gone_records (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  since TEXT NOT NULL,
  confirmed_at TEXT,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
INSERT INTO gone_records (kind, id, since) SELECT 'members', id, gone_since FROM members WHERE gone_since IS NOT NULL;
INSERT INTO gone_records (kind, id, since) SELECT 'claims', id, gone_since FROM claims WHERE gone_since IS NOT NULL;

CREATE TABLE sync_changes (
  seq INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  change TEXT NOT NULL,
  at TEXT NOT NULL,
  fields TEXT NOT NULL,
  is_cut INTEGER NOT NULL,
  UNIQUE (run_id, kind, id)
) STRICT;
CREATE TABLE sync_change_counts (
  seq INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL,
  new INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  missing INTEGER NOT NULL DEFAULT 0,
  confirmed INTEGER NOT NULL DEFAULT 0,
  returned INTEGER NOT NULL DEFAULT 0
) STRICT;
`;
