const stamp = `2[0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z`;

/**
 * `folds_at`: the time by which an event is ordered where that is not its timestamp, because the computer that wrote it
 * could not know the time, or the timestamp does not sort as a time. It begins with the time that counts. `more`: what
 * a newer version wrote in an event besides the known parts, as JSON text. `claims_to_settle`: claims whose rows in
 * lists are to be updated, because an event before their latest one was added or changed its time.
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
