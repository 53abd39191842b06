/**
 * Makes all reviews again from their events, because claims whose last act was undone could be missing from every
 * worklist.
 */
export const sql = "DELETE FROM sync_state WHERE name='reviews';";
