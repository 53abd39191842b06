/** What is odd about a claim, and why; and until when it is to be reviewed. Facts and worklists are made again. */
export const sql = `
ALTER TABLE claim_facts ADD COLUMN exceptions TEXT;
ALTER TABLE claim_facts ADD COLUMN exceptions_why TEXT;
ALTER TABLE claim_facts ADD COLUMN review_until TEXT;
DELETE FROM sync_state WHERE name='worklists.settled';
`;
