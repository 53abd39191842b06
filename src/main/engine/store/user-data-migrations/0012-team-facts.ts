/**
 * What computers of a team told each other beside reviews: entries of its log that are about no claim, as far as they were
 * accepted. `role`: the author's when they wrote it. `is_own`: by this computer.
 */
export const sql = `
CREATE TABLE team_facts (
  workspace_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  at TEXT NOT NULL,
  author TEXT NOT NULL,
  computer TEXT NOT NULL,
  role TEXT NOT NULL,
  is_own INTEGER NOT NULL,
  fact TEXT NOT NULL,
  PRIMARY KEY (workspace_id, kind, number)
) STRICT, WITHOUT ROWID;
`;
