/**
 * By how much a carrier's deductible is too high, or too low (negative), and its out-of-pocket maximum is exceeded: each
 * with its own amount. The copy of the reviews is made again, as the values of the last payment now have those of the
 * lines. Facts and worklists are made again.
 */
export const sql = `
ALTER TABLE claim_facts ADD COLUMN carrier_deductible INTEGER;
ALTER TABLE claim_facts ADD COLUMN carrier_out_of_pocket INTEGER;
DELETE FROM sync_state WHERE name IN ('reviews', 'worklists.settled');
`;
