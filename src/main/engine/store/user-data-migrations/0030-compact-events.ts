/** A random ID as 16 bytes; another one as it is. */
const packedId = (id: string): string => `CASE
  WHEN length(${id})=36 AND ${id} GLOB '${[8, 4, 4, 4, 12].map((count) => '[0-9a-f]'.repeat(count)).join('-')}'
  THEN unhex(replace(${id}, '-', '')) ELSE ${id} END`;
const ms = (at: string): string =>
  `CAST(unixepoch(substr(${at}, 1, 19))*1000+substr(${at}, 21, 3) AS INTEGER)`;
const toMoment = (at: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${at}/1000.0, 'unixepoch')`;
/** A moment as Claimdesk writes it in milliseconds; another text as it is. */
const packedMoment = (at: string): string =>
  `CASE WHEN length(${at})=24 AND ${toMoment(ms(at))}=${at} THEN ${ms(at)} ELSE ${at} END`;
/** A text that several events have by its number; another one as it is. */
const packedText = (text: string): string =>
  `ifnull((SELECT n FROM review_texts WHERE text=${text}), ${text})`;

const readId = (id: string): string =>
  `CASE typeof(${id}) WHEN 'blob' THEN lower(substr(hex(${id}), 1, 8)||'-'||substr(hex(${id}), 9, 4)||'-'||
  substr(hex(${id}), 13, 4)||'-'||substr(hex(${id}), 17, 4)||'-'||substr(hex(${id}), 21)) ELSE ${id} END`;
const readMoment = (at: string): string =>
  `CASE typeof(${at}) WHEN 'integer' THEN ${toMoment(at)} ELSE ${at} END`;
const readText = (text: string): string =>
  `CASE typeof(${text}) WHEN 'integer' THEN (SELECT text FROM review_texts WHERE n=${text}) ELSE ${text} END`;

/** Where a proof has the ID of its certificate (`packed-proofs.ts`), of 22 characters, counted from 1. */
const [certificateAt, certificateEnd] = [72, 94];
const certificate = `CAST(substr(proof, ${certificateAt}, 22) AS TEXT)`;
const hasCertificate = `length(${certificate})=22 AND ${certificate} NOT GLOB '*[^A-Za-z0-9_-]*'`;
const columns = [
  'id',
  'workspace_id',
  'at',
  'author',
  'kind',
  'fact',
  'filter',
  'undoes',
  'receipt',
  'is_imported',
  'folds_at',
  'more',
  'proof',
  'seen',
  'number',
];

/**
 * Events in half of their bytes, in `stored_events`; `review_events` is a view that reads them as they were. An ID is 16 bytes, a
 * time is in milliseconds, and texts that several events have are in `review_texts` by their number: workspace, author,
 * certificate, and facts and receipts that came twice. What is in another form stays as it is. `folds_ms`: the time that
 * `folds_at` begins with. Fails, so that nothing is changed, where an event would be read differently.
 */
export const sql = [
  `CREATE TABLE review_texts (n INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO review_texts (text)
  SELECT workspace_id FROM review_events UNION SELECT author FROM review_events
  UNION SELECT ${certificate} FROM review_events WHERE ${hasCertificate}
  UNION SELECT fact FROM review_events WHERE length(fact)<=500 GROUP BY fact HAVING count(*)>1
  UNION SELECT receipt FROM review_events WHERE length(receipt)<=500 GROUP BY receipt HAVING count(*)>1;
CREATE TABLE stored_events (
  seq INTEGER PRIMARY KEY,
  id ANY NOT NULL UNIQUE,
  workspace INTEGER NOT NULL,
  at ANY NOT NULL,
  author ANY NOT NULL,
  kind TEXT NOT NULL,
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
) STRICT`,
  {
    rowsOf: 'review_events',
    sql: `INSERT INTO stored_events (seq, id, workspace, at, author, kind, fact, filter, undoes, receipt, is_imported, folds_at,
        folds_ms, more, certificate, proof, seen, number)
      SELECT seq, ${packedId('id')}, (SELECT n FROM review_texts WHERE text=workspace_id), ${packedMoment('at')},
        ${packedText('author')}, kind, ${packedText('fact')}, filter, undoes, ${packedText('receipt')}, is_imported, folds_at,
        ${packedMoment('substr(folds_at, 1, 24)')}, more,
        iif(${hasCertificate}, ${packedText(certificate)}, NULL),
        iif(${hasCertificate},
          CAST(substr(proof, 1, ${certificateAt - 1})||substr(proof, ${certificateEnd}) AS BLOB), proof),
        seen, number
      FROM review_events WHERE rowid>? AND rowid<=?`,
  },
  `ALTER TABLE review_events RENAME TO whole_events;
CREATE VIEW review_events AS SELECT seq, ${readId('id')} AS id,
  (SELECT text FROM review_texts WHERE n=workspace) AS workspace_id, ${readMoment('at')} AS at,
  ${readText('author')} AS author, kind, ${readText('fact')} AS fact, filter, undoes, ${readText('receipt')} AS receipt,
  is_imported, folds_at, more,
  iif(certificate IS NULL, proof, CAST(substr(proof, 1, ${certificateAt - 1})||${readText('certificate')}||
    substr(proof, ${certificateAt}) AS BLOB)) AS proof,
  seen, number, id AS packed_id, workspace, ifnull(folds_ms, at) AS key_ms FROM stored_events;
CREATE TEMP TABLE differing (events INTEGER CHECK (events=0));`,
  {
    rowsOf: 'whole_events',
    sql: `INSERT INTO differing SELECT count(*)-sum(EXISTS (SELECT 1 FROM main.review_events e WHERE e.seq=o.seq
        AND ${columns.map((name) => `o.${name} IS e.${name}`).join(' AND ')}))
      FROM main.whole_events o WHERE rowid>? AND rowid<=?`,
  },
  `DROP TABLE differing;
DROP TABLE whole_events;
CREATE INDEX stored_events_by_time ON stored_events (workspace, ifnull(folds_ms, at));
CREATE INDEX stored_events_undoing ON stored_events (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX stored_events_of_runs ON stored_events (workspace, kind)
  WHERE kind IN ('run', 'runChecked', 'runSent', 'runLeft', 'payment');
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
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('stored_events', 'stored_events_by_time', '1000000 1000000 2'),
  ('stored_events', 'sqlite_autoindex_stored_events_1', '1000000 1');
ANALYZE sqlite_schema;`,
] as const;
