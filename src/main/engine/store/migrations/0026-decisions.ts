/**
 * Who decided a claim, and whose decisions others looked at: what the report by person counts. Reviews are made again
 * from their events, which fills the tables.
 */
export const sql = `
CREATE TABLE claim_decisions (
  author TEXT NOT NULL,
  is_verified INTEGER NOT NULL,
  claim_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  at TEXT NOT NULL,
  outcome TEXT,
  is_reopened INTEGER NOT NULL,
  PRIMARY KEY (author, is_verified, claim_id, position)
) WITHOUT ROWID;
CREATE INDEX claim_decisions_by_claim ON claim_decisions (claim_id);
CREATE TABLE claim_checks (
  author TEXT NOT NULL,
  is_verified INTEGER NOT NULL,
  claim_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  at TEXT NOT NULL,
  agrees INTEGER NOT NULL,
  PRIMARY KEY (author, is_verified, claim_id, position)
) WITHOUT ROWID;
CREATE INDEX claim_checks_by_claim ON claim_checks (claim_id);
DELETE FROM sync_state WHERE name='reviews';
`;
