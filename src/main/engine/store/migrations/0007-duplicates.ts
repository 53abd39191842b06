/**
 * Claims that changed since duplicates and worklists were last brought up to date, each time once more; and the pairs
 * of claims that relate. Both follow from the claims.
 */
export const sql = `
CREATE TABLE changed_claims (
  seq INTEGER PRIMARY KEY,
  id INTEGER NOT NULL
) STRICT;
INSERT INTO changed_claims (id) SELECT id FROM claims;
CREATE TRIGGER claim_added AFTER INSERT ON claims
  BEGIN INSERT INTO changed_claims (id) VALUES (NEW.id); END;
CREATE TRIGGER claim_removed AFTER DELETE ON claims
  BEGIN INSERT INTO changed_claims (id) VALUES (OLD.id); END;
CREATE TRIGGER claim_changed AFTER UPDATE OF digest, gone_since ON claims
  WHEN OLD.digest IS NOT NEW.digest OR OLD.gone_since IS NOT NEW.gone_since
  BEGIN INSERT INTO changed_claims (id) VALUES (NEW.id); END;

CREATE TABLE duplicate_pairs (
  left_id INTEGER NOT NULL,
  right_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  payable INTEGER NOT NULL,
  is_left_replaced INTEGER NOT NULL,
  is_right_replaced INTEGER NOT NULL,
  is_of_feed INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (left_id, right_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX duplicate_pairs_by_right ON duplicate_pairs (right_id);
`;
