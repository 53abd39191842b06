/**
 * Packs the values of claims that reviews keep, which were most of the file as JSON text. The bytes that `pack_values`
 * returns begin with the version of their format.
 */
export const sql = [
  `CREATE TABLE packed_claims (
  claim_id INTEGER NOT NULL,
  event_seq INTEGER NOT NULL,
  reviewed BLOB,
  digest TEXT,
  detail TEXT,
  UNIQUE (claim_id, event_seq)
) STRICT`,
  {
    rowsOf: 'review_event_claims',
    sql: `INSERT INTO packed_claims (rowid, claim_id, event_seq, reviewed, digest, detail)
      SELECT rowid, claim_id, event_seq, pack_values(reviewed), digest, detail FROM review_event_claims
      WHERE rowid>? AND rowid<=?`,
  },
  `DROP TABLE review_event_claims;
ALTER TABLE packed_claims RENAME TO review_event_claims;
CREATE INDEX review_event_claims_by_event ON review_event_claims (event_seq, claim_id);`,
] as const;
