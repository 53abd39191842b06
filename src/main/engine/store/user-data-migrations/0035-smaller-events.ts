const readId = (id: string): string =>
  `CASE typeof(${id}) WHEN 'blob' THEN lower(substr(hex(${id}), 1, 8)||'-'||substr(hex(${id}), 9, 4)||'-'||
  substr(hex(${id}), 13, 4)||'-'||substr(hex(${id}), 17, 4)||'-'||substr(hex(${id}), 21)) ELSE ${id} END`;
const toMoment = (at: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${at}/1000.0, 'unixepoch')`;
const readMoment = (at: string): string =>
  `CASE typeof(${at}) WHEN 'integer' THEN ${toMoment(at)} ELSE ${at} END`;
const readText = (text: string): string =>
  `CASE typeof(${text}) WHEN 'integer' THEN (SELECT text FROM review_texts WHERE n=${text}) ELSE ${text} END`;

/** Lengths in a proof (`packed-proofs.ts`): its version and time, the signature, and what was seen where that is nothing. */
const [timeBytes, signatureBytes, seenBytes] = [6, 64, 8];
/** Where a stored proof goes on after the certificate, which it is stored without, counted from 1. */
const restAt = 1 + timeBytes + signatureBytes + 1;
const timeOf = (at: string): string => `unhex(printf('%012x', ${at}))`;
const hasTimeOf = `typeof(at)='integer' AND substr(proof, 2, ${timeBytes})=${timeOf('at')}`;
const nothingSeen = `x'${'00'.repeat(seenBytes)}'`;
const signature = `substr(proof, ${2 + timeBytes}, ${signatureBytes})`;
const packedProof = `CASE
  WHEN certificate IS NULL OR NOT (${hasTimeOf}) THEN proof
  WHEN substr(proof, ${restAt}, ${seenBytes})=${nothingSeen}
    THEN CAST(x'03'||${signature}||substr(proof, ${restAt + seenBytes}) AS BLOB)
  ELSE CAST(x'04'||${signature}||substr(proof, ${restAt}) AS BLOB) END`;
const short = `x'02'||${timeOf('at')}||substr(proof, 2, ${signatureBytes})||${readText('certificate')}`;
const readProof = `iif(certificate IS NULL, proof, CAST(CASE substr(proof, 1, 1)
    WHEN x'03' THEN ${short}||${nothingSeen}||substr(proof, ${2 + signatureBytes})
    WHEN x'04' THEN ${short}||substr(proof, ${2 + signatureBytes})
    ELSE substr(proof, 1, ${restAt - 1})||${readText('certificate')}||substr(proof, ${restAt}) END AS BLOB))`;

/** The view under this name, of events in a table. */
const makeView = (name: string, table: string): string => `
CREATE VIEW ${name} AS SELECT seq, ${readId('id')} AS id,
  (SELECT text FROM review_texts WHERE n=workspace) AS workspace_id, ${readMoment('at')} AS at,
  ${readText('author')} AS author, ifnull(kind, 'decision') AS kind, ${readText('fact')} AS fact, filter, undoes,
  ${readText('receipt')} AS receipt, is_imported, folds_at, more, ${readProof} AS proof,
  seen, number, id AS packed_id, workspace, ifnull(folds_ms, at) AS key_ms FROM ${table};`;

/** A digest of 16 bytes in hexadecimal as bytes; another text as it is. */
const packedDigest = (digest: string): string =>
  `iif(length(${digest})=32 AND ${digest} NOT GLOB '*[^0-9a-f]*', unhex(${digest}), ${digest})`;
const readDigest = `iif(typeof(digest)='blob', lower(hex(digest)), digest)`;
const hasValues = 'coalesce(NEW.reviewed, NEW.digest) IS NOT NULL';
/** The values of a claim where an event that is here stores the same. */
const sameValues = `SELECT v.n FROM stored_claims c CROSS JOIN claim_values v ON v.n=c.kept
    WHERE c.claim_id=NEW.claim_id AND v.reviewed IS NEW.reviewed AND v.digest IS ${packedDigest('NEW.digest')}`;

const columns =
  'seq, id, workspace, at, author, kind, fact, filter, undoes, receipt, is_imported, folds_at, folds_ms, more, certificate, proof, seen, number';
const readColumns =
  'seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported, folds_at, more, proof, seen, number';

/**
 * Events in nine tenths of their bytes. The kind is null where it is a decision. The index of IDs has the first bytes of each. A
 * proof that begins with 3 or 4 instead of its version has no time, which is that of its event, and with 3 nothing was seen;
 * one that is none, which no version writes, is stored whole. The digest of a claim's values is bytes. Fails, so that nothing is changed, where an event would be read differently.
 */
export const sql = [
  `CREATE TABLE smaller_events (
  seq INTEGER PRIMARY KEY,
  id ANY NOT NULL,
  workspace INTEGER NOT NULL,
  at ANY NOT NULL,
  author ANY NOT NULL,
  kind TEXT,
  fact ANY NOT NULL,
  filter TEXT,
  undoes TEXT,
  receipt ANY,
  is_imported INTEGER NOT NULL,
  folds_at TEXT,
  folds_ms ANY,
  more TEXT,
  certificate ANY,
  proof BLOB,
  seen BLOB,
  number INTEGER
) STRICT;
CREATE TABLE smaller_values (n INTEGER PRIMARY KEY, reviewed BLOB, digest ANY) STRICT;
UPDATE stored_events SET proof=(SELECT proof FROM review_events e WHERE e.seq=stored_events.seq), certificate=NULL
  WHERE certificate IS NOT NULL AND substr(proof, 1, 1)<>x'02';`,
  {
    rowsOf: 'stored_events',
    sql: `INSERT INTO smaller_events (${columns})
      SELECT ${columns.replace(/\bkind\b/, "nullif(kind, 'decision')").replace(/\bproof\b/, packedProof)}
      FROM stored_events WHERE rowid>? AND rowid<=?`,
  },
  {
    rowsOf: 'claim_values',
    sql: `INSERT INTO smaller_values (n, reviewed, digest)
      SELECT n, reviewed, ${packedDigest('digest')} FROM claim_values WHERE rowid>? AND rowid<=?`,
  },
  `${makeView('read_events', 'smaller_events')}
CREATE TEMP TABLE differing (events INTEGER CHECK (events=0));`,
  {
    rowsOf: 'stored_events',
    sql: `INSERT INTO differing SELECT ifnull(count(*)-sum(EXISTS (SELECT 1 FROM main.read_events e WHERE e.seq=o.seq
        AND ${readColumns
          .split(', ')
          .map((name) => `o.${name} IS e.${name}`)
          .join(' AND ')})), 0)
      FROM main.review_events o WHERE seq>? AND seq<=?`,
  },
  {
    rowsOf: 'claim_values',
    sql: `INSERT INTO differing SELECT count(*)
      FROM main.claim_values o JOIN (SELECT n, reviewed, ${readDigest} AS digest FROM main.smaller_values) s ON s.n=o.n
      WHERE o.n>? AND o.n<=? AND NOT (o.reviewed IS s.reviewed AND o.digest IS s.digest)`,
  },
  `DROP TABLE differing;
DROP VIEW review_event_claims;
DROP TRIGGER stored_claim_left;
DROP TABLE claim_values;
ALTER TABLE smaller_values RENAME TO claim_values;
CREATE TRIGGER stored_claim_left AFTER DELETE ON stored_claims
  WHEN NOT EXISTS (SELECT 1 FROM stored_claims WHERE claim_id=OLD.claim_id AND kept=OLD.kept) BEGIN
  DELETE FROM claim_values WHERE n=OLD.kept;
END;
CREATE VIEW review_event_claims AS SELECT claim_id, event_seq, (SELECT reviewed FROM claim_values WHERE n=kept) AS reviewed,
  (SELECT ${readDigest} FROM claim_values WHERE n=kept) AS digest, detail FROM stored_claims;
CREATE TRIGGER review_event_claims_came INSTEAD OF INSERT ON review_event_claims
  WHEN NOT EXISTS (SELECT 1 FROM stored_claims WHERE claim_id=NEW.claim_id AND event_seq=NEW.event_seq) BEGIN
  INSERT INTO claim_values (reviewed, digest) SELECT NEW.reviewed, ${packedDigest('NEW.digest')}
    WHERE ${hasValues} AND NOT EXISTS (${sameValues});
  INSERT INTO stored_claims (claim_id, event_seq, kept, detail) VALUES (NEW.claim_id, NEW.event_seq,
    iif(${hasValues}, ifnull((${sameValues}), last_insert_rowid()), NULL), NEW.detail);
END;
DROP VIEW read_events;
DROP VIEW review_events;
DROP TABLE stored_events;
ALTER TABLE smaller_events RENAME TO stored_events;
${makeView('review_events', 'stored_events')}
CREATE INDEX stored_events_by_id ON stored_events (substr(id, 1, 4));
CREATE INDEX stored_events_by_time ON stored_events (workspace, ifnull(folds_ms, at));
CREATE INDEX stored_events_undoing ON stored_events (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX stored_events_of_runs ON stored_events (workspace, ifnull(kind, 'decision'))
  WHERE ifnull(kind, 'decision') IN ('run', 'runChecked', 'runSent', 'runLeft', 'payment');
CREATE INDEX stored_events_of_documents ON stored_events (workspace) WHERE ifnull(kind, 'decision')='document';
CREATE TRIGGER review_event_came AFTER INSERT ON stored_events
  WHEN NEW.number IS NULL
    AND EXISTS (SELECT 1 FROM team_entries WHERE id=${readId('NEW.id')} AND number>0) BEGIN
  UPDATE stored_events SET number=(SELECT t.number FROM team_entries t JOIN team_position p ON p.log=t.log
    WHERE t.id=${readId('NEW.id')} AND t.number>0
      AND p.workspace_id=(SELECT text FROM review_texts WHERE n=NEW.workspace)) WHERE seq=NEW.seq;
END;
CREATE TRIGGER review_event_left AFTER DELETE ON stored_events WHEN OLD.number IS NOT NULL BEGIN
  UPDATE team_entries SET id=${readId('OLD.id')} WHERE number=OLD.number
    AND log=(SELECT log FROM team_position
      WHERE workspace_id=(SELECT text FROM review_texts WHERE n=OLD.workspace));
END;
DELETE FROM sqlite_stat1 WHERE tbl='stored_events';
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('stored_events', 'stored_events_by_time', '1000000 1000000 2'),
  ('stored_events', 'stored_events_by_id', '1000000 1');
ANALYZE sqlite_schema;`,
] as const;
