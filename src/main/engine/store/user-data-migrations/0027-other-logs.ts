/**
 * `team_rewound`: the server's log was an earlier one again, and this computer has not told the team yet: the number up to
 * which it had read, and the last one that both logs have. `team_other_logs`: what authors of entries had read that was
 * not in this log when their entries came.
 */
export const sql = `
CREATE TABLE team_rewound (
  workspace_id TEXT PRIMARY KEY,
  read_up_to INTEGER NOT NULL,
  common INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE team_other_logs (
  workspace_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  author TEXT NOT NULL,
  PRIMARY KEY (workspace_id, number, hash)
) STRICT, WITHOUT ROWID;
`;
