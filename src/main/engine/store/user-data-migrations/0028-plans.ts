/**
 * Statistics for SQLite's planner: that a workspace has very many events. Without them it expects ten, reads all events of the
 * workspace for those of one claim, or those after a number, and each act takes longer the more events there are.
 */
export const sql = `
PRAGMA analysis_limit=100;
ANALYZE;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('review_events', 'review_events_by_time', '1000000 1000000 2'),
  ('review_events', 'sqlite_autoindex_review_events_1', '1000000 1');
ANALYZE sqlite_schema;
`;
