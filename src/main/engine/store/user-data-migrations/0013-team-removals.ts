/**
 * Removals for the team. `team_removals`: entries of kind removal, as they were sent; `statement` of a removal is what it
 * removes, null of an acknowledgement; `is_applied`: this computer has removed it; `is_due`: entries of the team's log may be
 * about what it removed. `team_removed_entries`: events whose content is no longer in the log. Their rest is in a removal.
 */
export const sql = `
CREATE TABLE team_removals (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  frame BLOB NOT NULL,
  statement TEXT,
  is_applied INTEGER NOT NULL,
  is_due INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_removed_entries (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
`;
