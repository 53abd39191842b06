/**
 * The reviews of claims, derived from the events in the user data file, so that lists join, sort and filter them. It can
 * be made again from there at any time; `sync_state` holds up to which event it was made.
 */
export const sql = `
CREATE TABLE claim_reviews (
  claim_id INTEGER PRIMARY KEY,
  state TEXT,
  outcome TEXT,
  on_whom TEXT,
  reason TEXT,
  reminder TEXT,
  owner TEXT,
  is_flagged INTEGER,
  tags TEXT,
  note TEXT,
  reviewed_at TEXT,
  reviewed_by TEXT,
  changed_at TEXT,
  changed_fields TEXT,
  changed_responsibility INTEGER,
  reimbursed INTEGER,
  digest TEXT
) STRICT;
CREATE INDEX claim_reviews_by_state ON claim_reviews (state, claim_id);
CREATE INDEX claim_reviews_changed ON claim_reviews (claim_id) WHERE changed_at IS NOT NULL;
CREATE INDEX claim_reviews_waiting ON claim_reviews (reminder) WHERE state='waiting';
INSERT INTO record_versions (kind, version) VALUES ('reviews', 1);
`;
