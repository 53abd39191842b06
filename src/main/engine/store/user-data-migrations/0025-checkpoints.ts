/**
 * `team_checkpoints`: entries of kind checkpoint with their acts as JSON; `entry`: their numbers. `team_behind`: of a computer
 * that began with a checkpoint, which one, how many of its parts it has read, and how far it has read the log before it.
 */
export const sql = `
CREATE TABLE team_checkpoints (
  workspace_id TEXT NOT NULL,
  entry INTEGER NOT NULL,
  id TEXT NOT NULL,
  computer TEXT NOT NULL,
  act TEXT NOT NULL,
  PRIMARY KEY (workspace_id, entry)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_behind (
  workspace_id TEXT PRIMARY KEY,
  header TEXT NOT NULL,
  act TEXT NOT NULL,
  parts INTEGER NOT NULL,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
