/** By how much the amounts of a claim disagree, by which their worklist is sorted. Facts and worklists are made again. */
export const sql = `
ALTER TABLE claim_facts ADD COLUMN amounts_difference INTEGER;
DELETE FROM sync_state WHERE name='worklists.settled';
`;
