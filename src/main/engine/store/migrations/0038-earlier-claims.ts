/**
 * The members of claims that had an ID before another one, of which payments are recorded, and what is odd about payments. Reviews and
 * facts are made again.
 */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN earlier_paid TEXT;
ALTER TABLE claim_reviews ADD COLUMN odd_payment TEXT;
CREATE INDEX claim_reviews_by_earlier ON claim_reviews (claim_id) WHERE earlier_paid IS NOT NULL;
DELETE FROM sync_state WHERE name IN ('reviews', 'worklists.settled');
`;
