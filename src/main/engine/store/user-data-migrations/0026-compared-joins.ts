/**
 * Invitations that were made or used on this computer, with what the compared code covers. `request`: the first request
 * to join that came with it, or the own one; `answer`: the inviting computer's nonce; `nonce`: that of this computer,
 * where it joins. Earlier invitations have no such code, so that no one can use them.
 */
export const sql = `
DROP TABLE team_invitations;
CREATE TABLE team_invitations (
  workspace_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  invitation TEXT NOT NULL,
  request TEXT,
  answer TEXT,
  nonce TEXT,
  PRIMARY KEY (workspace_id, digest)
) STRICT, WITHOUT ROWID;
`;
