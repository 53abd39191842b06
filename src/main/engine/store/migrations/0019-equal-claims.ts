/**
 * `equal_claims`, `equal_groups`: groups of equal claims that are too large to store every pair. The amount that is
 * payable twice is no longer stored, but computed when it is read. `judged_pairs` gets the event that judged a pair,
 * and which of the two claims is marked as the duplicate. All pairs are found again, and the reviews are made again
 * from their events.
 */
export const sql = `
DELETE FROM duplicate_pairs;
ALTER TABLE duplicate_pairs DROP COLUMN payable;
CREATE INDEX duplicate_pairs_replacing_left ON duplicate_pairs (left_id) WHERE is_left_replaced=1;
CREATE INDEX duplicate_pairs_replacing_right ON duplicate_pairs (right_id) WHERE is_right_replaced=1;

CREATE TABLE equal_claims (
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL
) STRICT;
CREATE INDEX equal_claims_by_fingerprint ON equal_claims (fingerprint);
CREATE TABLE equal_groups (
  fingerprint TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  is_of_feed INTEGER NOT NULL,
  is_outdated INTEGER NOT NULL,
  first_id INTEGER,
  first_amount INTEGER,
  second_id INTEGER,
  second_amount INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX equal_groups_outdated ON equal_groups (is_outdated) WHERE is_outdated=1;

ALTER TABLE judged_pairs ADD COLUMN marked_id INTEGER;
ALTER TABLE judged_pairs ADD COLUMN event_id TEXT;
DELETE FROM sync_state WHERE name='reviews';
INSERT INTO changed_claims (id) SELECT id FROM claims;
INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM claims;
`;
