/** What was written off, and what is owed back of a claim. Facts and worklists are made again. */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN written_off INTEGER;
ALTER TABLE claim_facts ADD COLUMN owed INTEGER;
CREATE INDEX claim_facts_by_owed ON claim_facts (owed) WHERE owed>0;
DELETE FROM sync_state WHERE name='worklists.settled';
`;
