/** By when a claim is to be decided, and its next deadline. Facts and worklists are made again. */
export const sql = `
ALTER TABLE claim_facts ADD COLUMN decide_by TEXT;
ALTER TABLE claim_facts ADD COLUMN due_day TEXT;
ALTER TABLE claim_facts ADD COLUMN due_kind TEXT;
DELETE FROM sync_state WHERE name='worklists.settled';
`;
