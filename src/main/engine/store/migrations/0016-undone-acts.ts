/** Reviews are made again from their events: acts that were undone had left claims in no worklist. */
export const sql = "DELETE FROM sync_state WHERE name='reviews';";
