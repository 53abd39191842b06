/**
 * Stores how much a claim's chain changes its open amount. In a file that already has claims, `chains.moved` stays until the
 * card on Start is dismissed. Also stores why folding a review, or comparing a claim with others, failed. All facts are
 * computed again.
 */
export const sql = `
ALTER TABLE claim_facts ADD COLUMN chain_moved INTEGER;
ALTER TABLE claim_reviews ADD COLUMN failure TEXT;
CREATE TABLE failed_comparisons (id INTEGER PRIMARY KEY, why TEXT NOT NULL) STRICT;
CREATE TRIGGER comparison_failed AFTER INSERT ON failed_comparisons
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (NEW.id); END;
CREATE TRIGGER comparison_worked AFTER DELETE ON failed_comparisons
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (OLD.id); END;
CREATE INDEX claim_facts_by_moved ON claim_facts (id, chain_moved) WHERE chain_moved IS NOT NULL;
INSERT INTO sync_state (name, value) SELECT 'chains.moved', 'true' WHERE EXISTS (SELECT 1 FROM claims);
DELETE FROM sync_state WHERE name='worklists.settled';
INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM claims;
`;
