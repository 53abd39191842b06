const hasValues = 'coalesce(NEW.reviewed, NEW.digest) IS NOT NULL';
/** The values of a claim where an event that is here stores the same. */
const sameValues = `SELECT v.n FROM stored_claims c CROSS JOIN claim_values v ON v.n=c.kept
    WHERE c.claim_id=NEW.claim_id AND v.reviewed IS NEW.reviewed AND v.digest IS NEW.digest`;

/** The view under this name, to which the claims of events are added as to a table. */
const makeView = (name: string): string => `
CREATE VIEW ${name} AS SELECT claim_id, event_seq, (SELECT reviewed FROM claim_values WHERE n=kept) AS reviewed,
  (SELECT digest FROM claim_values WHERE n=kept) AS digest, detail FROM stored_claims;
CREATE TRIGGER ${name}_came INSTEAD OF INSERT ON ${name}
  WHEN NOT EXISTS (SELECT 1 FROM stored_claims WHERE claim_id=NEW.claim_id AND event_seq=NEW.event_seq) BEGIN
  INSERT INTO claim_values (reviewed, digest) SELECT NEW.reviewed, NEW.digest
    WHERE ${hasValues} AND NOT EXISTS (${sameValues});
  INSERT INTO stored_claims (claim_id, event_seq, kept, detail) VALUES (NEW.claim_id, NEW.event_seq,
    iif(${hasValues}, ifnull((${sameValues}), last_insert_rowid()), NULL), NEW.detail);
END;`;

/**
 * The claims of events in half of their bytes: events of one claim mostly store the same values of it, which are in
 * `claim_values` once. `review_event_claims` is a view that reads both as they were. Values that no event of the claim has any
 * more are removed with the last one.
 */
export const sql = [
  `CREATE TABLE claim_values (n INTEGER PRIMARY KEY, reviewed BLOB, digest TEXT) STRICT;
CREATE TABLE stored_claims (
  claim_id INTEGER NOT NULL,
  event_seq INTEGER NOT NULL,
  kept INTEGER,
  detail TEXT,
  PRIMARY KEY (claim_id, event_seq)
) STRICT, WITHOUT ROWID;
${makeView('moved_claims')}`,
  {
    rowsOf: 'review_event_claims',
    sql: `INSERT INTO moved_claims (claim_id, event_seq, reviewed, digest, detail)
      SELECT claim_id, event_seq, reviewed, digest, detail FROM review_event_claims WHERE rowid>? AND rowid<=?`,
  },
  `DROP VIEW moved_claims;
DROP TABLE review_event_claims;
CREATE INDEX stored_claims_by_event ON stored_claims (event_seq);
CREATE TRIGGER stored_claim_left AFTER DELETE ON stored_claims
  WHEN NOT EXISTS (SELECT 1 FROM stored_claims WHERE claim_id=OLD.claim_id AND kept=OLD.kept) BEGIN
  DELETE FROM claim_values WHERE n=OLD.kept;
END;
${makeView('review_event_claims')}`,
] as const;
