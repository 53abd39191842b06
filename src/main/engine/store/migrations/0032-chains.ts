/**
 * Chains of claims: an original, its reversals and its corrections. `claim_chains` has the claims that may belong
 * together (`group_id`, its smallest claim) and what follows for each; `related_claims` what people said of two of them.
 * Pairs of duplicates have no adjustments any more. All claims are compared, and reviews and facts made again.
 */
export const sql = `
CREATE TABLE claim_chains (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL,
  chain INTEGER,
  role TEXT,
  by_id INTEGER
) STRICT;
CREATE INDEX claim_chains_by_group ON claim_chains (group_id);
CREATE INDEX claim_chains_by_chain ON claim_chains (chain);
CREATE TABLE related_claims (
  claim_id INTEGER NOT NULL,
  other_id INTEGER NOT NULL,
  relation TEXT NOT NULL,
  event_id TEXT NOT NULL,
  PRIMARY KEY (claim_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX related_claims_by_other ON related_claims (other_id);
CREATE TRIGGER claims_related AFTER INSERT ON related_claims
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (NEW.claim_id), (NEW.other_id); END;
CREATE TRIGGER claims_not_related AFTER DELETE ON related_claims
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (OLD.claim_id), (OLD.other_id); END;

DROP INDEX duplicate_pairs_replacing_left;
DROP INDEX duplicate_pairs_replacing_right;
DELETE FROM duplicate_pairs WHERE kind='adjustment';
ALTER TABLE duplicate_pairs DROP COLUMN is_left_replaced;
ALTER TABLE duplicate_pairs DROP COLUMN is_right_replaced;

ALTER TABLE claim_reviews ADD COLUMN paid_on TEXT;
ALTER TABLE claim_reviews ADD COLUMN gone_answer TEXT;
ALTER TABLE claim_reviews ADD COLUMN gone_answered_at TEXT;
ALTER TABLE claim_facts ADD COLUMN chain_role TEXT;
ALTER TABLE claim_facts ADD COLUMN chain_claim INTEGER;
ALTER TABLE claim_facts ADD COLUMN to_decide TEXT;
ALTER TABLE claim_facts ADD COLUMN is_void INTEGER;
DELETE FROM sync_state WHERE name IN ('reviews', 'worklists.settled');
INSERT INTO changed_claims (id) SELECT id FROM claims;
INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM claims;
`;
