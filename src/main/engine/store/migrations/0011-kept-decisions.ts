/**
 * What reviews keep after a reopening, who decided second, and what was judged of pairs either way. The reviews are made
 * again from their events.
 */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN decided_outcome TEXT;
ALTER TABLE claim_reviews ADD COLUMN second_by TEXT;
ALTER TABLE claim_reviews ADD COLUMN last_event_at TEXT;
ALTER TABLE claim_reviews ADD COLUMN paid_values TEXT;
ALTER TABLE ruled_out_pairs RENAME TO judged_pairs;
ALTER TABLE judged_pairs ADD COLUMN is_duplicate INTEGER NOT NULL DEFAULT 0;
DELETE FROM sync_state WHERE name='reviews';
`;
