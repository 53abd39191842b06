/**
 * `change_size`: the order of the worklist of changed claims, also where an amount was or became blank. Reviews are
 * made again from their events, which fills the column.
 */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN change_size INTEGER;
DELETE FROM sync_state WHERE name='reviews';
`;
