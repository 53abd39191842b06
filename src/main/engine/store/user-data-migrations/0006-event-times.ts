const stamp = `2[0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z`;

/**
 * `folds_at`: by what an event counts, where that is not when it was stamped: a time that its computer could not have known
 * to be true, or text that does not sort as times do. It begins with the time that counts. `more`: what a newer version wrote beside the known parts of an
 * event, as JSON text. `claims_to_settle`: claims whose reviews changed by events of before.
 */
export const sql = `
ALTER TABLE review_events ADD COLUMN folds_at TEXT;
ALTER TABLE review_events ADD COLUMN more TEXT;
UPDATE review_events SET folds_at=CASE
    WHEN at GLOB '[01-]*' THEN '2000-01-01T00:00:00.000Z'
    WHEN at GLOB '2*' THEN ifnull(strftime('%Y-%m-%dT%H:%M:%fZ', at), '2000-01-01T00:00:00.000Z')
    ELSE '2999-12-31T23:59:59.999Z' END
  WHERE at NOT GLOB '${stamp}';
DROP INDEX review_events_by_time;
CREATE INDEX review_events_by_time ON review_events (workspace_id, ifnull(folds_at, at), at, id);
CREATE TABLE claims_to_settle (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT NOT NULL,
  claim_id INTEGER NOT NULL,
  UNIQUE (workspace_id, claim_id)
) STRICT;
`;
