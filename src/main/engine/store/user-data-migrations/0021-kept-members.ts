/**
 * What this computer has read of the computers of a team, while the log of its server does not say it, because the server
 * went back. `role`: null where the membership ended. `body`, `signature`: the certificate.
 */
export const sql = `
CREATE TABLE team_kept_members (
  workspace_id TEXT NOT NULL,
  computer TEXT NOT NULL,
  email TEXT NOT NULL,
  role TEXT,
  body TEXT NOT NULL,
  signature TEXT NOT NULL,
  PRIMARY KEY (workspace_id, computer)
) STRICT, WITHOUT ROWID;
`;
