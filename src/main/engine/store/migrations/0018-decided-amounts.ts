/**
 * Columns for what a decision made of the eligible amount: `kept_eligible` and `kept_by_rules` of partly eligible
 * claims, and the declined and the disputed amount. `claim_worklists` gets the amount that the sum of its worklist adds
 * up. Reviews, facts and worklists are made again.
 */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN cause TEXT;
ALTER TABLE claim_reviews ADD COLUMN kept_eligible INTEGER;
ALTER TABLE claim_reviews ADD COLUMN kept_by_rules INTEGER;
DELETE FROM sync_state WHERE name IN ('reviews', 'worklists.settled');

ALTER TABLE claim_facts ADD COLUMN eligible_by_rules INTEGER;
ALTER TABLE claim_facts ADD COLUMN declined INTEGER;
ALTER TABLE claim_facts ADD COLUMN disputed INTEGER;

DROP TABLE claim_worklists;
DROP TABLE worklist_counts;
CREATE TABLE claim_worklists (
  worklist INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  id INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (worklist, rank, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX claim_worklists_by_claim ON claim_worklists (id);
CREATE TABLE worklist_counts (
  worklist INTEGER PRIMARY KEY,
  claims INTEGER NOT NULL,
  amount INTEGER NOT NULL
) STRICT;
CREATE TRIGGER worklist_joined AFTER INSERT ON claim_worklists BEGIN
  INSERT INTO worklist_counts (worklist, claims, amount) VALUES (NEW.worklist, 1, NEW.amount)
    ON CONFLICT (worklist) DO UPDATE SET claims=claims+1, amount=amount+NEW.amount;
END;
CREATE TRIGGER worklist_left AFTER DELETE ON claim_worklists BEGIN
  UPDATE worklist_counts SET claims=claims-1, amount=amount-OLD.amount WHERE worklist=OLD.worklist;
END;
`;
