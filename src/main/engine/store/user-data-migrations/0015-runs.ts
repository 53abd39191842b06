/** The events of runs are found by their kind, among all others. */
export const sql = `
CREATE INDEX review_events_of_runs ON review_events (workspace_id, kind)
  WHERE kind IN ('run', 'runChecked', 'runSent', 'runLeft', 'payment');
`;
