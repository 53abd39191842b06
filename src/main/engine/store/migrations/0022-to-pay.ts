/**
 * What is still to be paid of a claim that was decided as eligible: an open amount, or one that is not known. Facts and
 * worklists are made again, also since of two duplicates one has what is payable twice.
 */
export const sql = `
ALTER TABLE claim_facts ADD COLUMN to_pay TEXT;
DELETE FROM sync_state WHERE name='worklists.settled';
`;
