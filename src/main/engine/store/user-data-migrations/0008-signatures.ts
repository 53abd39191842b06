/** `proof`: what proves who wrote an imported event. `certificates`: of colleagues' computers, by their SSH keys. */
export const sql = `
ALTER TABLE review_events ADD COLUMN proof TEXT;
CREATE TABLE certificates (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  signature TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
`;
