/**
 * `to_pay`: what is still to be paid of a claim that was decided as eligible, which is an open amount or one that is
 * not known. Facts and worklists are made again, also because the amount that is payable twice now counts for one claim
 * of a pair of duplicates only.
 */
export const sql = `
ALTER TABLE claim_facts ADD COLUMN to_pay TEXT;
DELETE FROM sync_state WHERE name='worklists.settled';
`;
