/**
 * Reviews of claims: what was done, append-only, and with which claims. `reviewed` holds the values of the claim at
 * that moment, `digest` marks the record that they are of, `detail` is what differs from claim to claim.
 */
export const sql = `
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
