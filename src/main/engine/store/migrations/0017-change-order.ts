/**
 * By what the worklist of changed claims is sorted, also where an amount was or became blank. The reviews are made again
 * from their events.
 */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN change_size INTEGER;
DELETE FROM sync_state WHERE name='reviews';
`;
