/**
 * The user data file as written by version 0.2, the first release: the append-only audit log, views, and the events of
 * reviews, each with its claims. `reviewed` has the values of a claim at the time of the event, `digest` identifies the
 * record that had them, `detail` is what differs from claim to claim.
 */
export const sql = `
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  action TEXT NOT NULL,
  workspace_id TEXT,
  details TEXT NOT NULL,
  hash TEXT NOT NULL,
  actor TEXT
) STRICT;
CREATE TRIGGER audit_stays BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_is_final BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE INDEX audit_by_record ON audit (workspace_id, json_extract(details, '$.recordId'), at)
  WHERE json_extract(details, '$.recordId') IS NOT NULL;

CREATE TABLE views (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX views_by_workspace ON views (workspace_id, name);

CREATE TABLE review_events (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  workspace_id TEXT NOT NULL,
  at TEXT NOT NULL,
  author TEXT NOT NULL,
  kind TEXT NOT NULL,
  fact TEXT NOT NULL,
  filter TEXT,
  undoes TEXT,
  receipt TEXT,
  is_imported INTEGER NOT NULL
) STRICT;
CREATE INDEX review_events_by_time ON review_events (workspace_id, at, id);
CREATE INDEX review_events_undoing ON review_events (undoes) WHERE undoes IS NOT NULL;
CREATE TABLE review_event_claims (
  claim_id INTEGER NOT NULL,
  event_seq INTEGER NOT NULL,
  reviewed TEXT,
  digest TEXT,
  detail TEXT,
  UNIQUE (claim_id, event_seq)
) STRICT;
CREATE INDEX review_event_claims_by_event ON review_event_claims (event_seq, claim_id);
`;
