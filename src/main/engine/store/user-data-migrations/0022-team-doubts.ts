/**
 * Reopenings that a colleague's computer found and that do not count here: the record on this computer is older
 * (`is_denied` 0), or it is not and does not have the change (`is_denied` 1).
 */
export const sql = `
CREATE TABLE team_doubts (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  is_denied INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
`;
