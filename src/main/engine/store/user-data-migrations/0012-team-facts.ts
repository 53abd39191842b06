/**
 * What computers of a team sent each other besides reviews: accepted entries of its log that are about no claim.
 * `role`: that of the author at the time. `is_own`: written by this computer.
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
