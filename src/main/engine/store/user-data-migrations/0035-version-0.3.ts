const stamp = `2[0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z`;
const foldsAt = `CASE WHEN at GLOB '${stamp}' THEN NULL
    WHEN at GLOB '[01-]*' THEN '2000-01-01T00:00:00.000Z'
    WHEN at GLOB '2*' THEN ifnull(strftime('%Y-%m-%dT%H:%M:%fZ', at), '2000-01-01T00:00:00.000Z')
    ELSE '2999-12-31T23:59:59.999Z' END`;

/** SQL that converts a random ID to 16 bytes and leaves any other ID unchanged. */
const packedId = (id: string): string => `CASE
  WHEN length(${id})=36 AND ${id} GLOB '${[8, 4, 4, 4, 12].map((count) => '[0-9a-f]'.repeat(count)).join('-')}'
  THEN unhex(replace(${id}, '-', '')) ELSE ${id} END`;
const ms = (at: string): string =>
  `CAST(unixepoch(substr(${at}, 1, 19))*1000+substr(${at}, 21, 3) AS INTEGER)`;
const toMoment = (at: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${at}/1000.0, 'unixepoch')`;
/** SQL that converts a moment in Claimdesk's form to milliseconds and leaves any other text unchanged. */
const packedMoment = (at: string): string =>
  `CASE WHEN length(${at})=24 AND ${toMoment(ms(at))}=${at} THEN ${ms(at)} ELSE ${at} END`;
/** SQL that replaces a text that several events share by its number and leaves any other unchanged. */
const packedText = (text: string): string =>
  `ifnull((SELECT n FROM review_texts WHERE text=${text}), ${text})`;
/** SQL that converts a hexadecimal digest of 16 bytes to bytes and leaves any other text unchanged. */
const packedDigest = (digest: string): string =>
  `iif(length(${digest})=32 AND ${digest} NOT GLOB '*[^0-9a-f]*', unhex(${digest}), ${digest})`;

const readId = (id: string): string =>
  `CASE typeof(${id}) WHEN 'blob' THEN lower(substr(hex(${id}), 1, 8)||'-'||substr(hex(${id}), 9, 4)||'-'||
  substr(hex(${id}), 13, 4)||'-'||substr(hex(${id}), 17, 4)||'-'||substr(hex(${id}), 21)) ELSE ${id} END`;
const readMoment = (at: string): string =>
  `CASE typeof(${at}) WHEN 'integer' THEN ${toMoment(at)} ELSE ${at} END`;
const readText = (text: string): string =>
  `CASE typeof(${text}) WHEN 'integer' THEN (SELECT text FROM review_texts WHERE n=${text}) ELSE ${text} END`;

/** Lengths in a proof (`packed-proofs.ts`): version and time, the signature, and what was seen if nothing. */
const [timeBytes, signatureBytes, seenBytes] = [6, 64, 8];
/** Where a stored proof continues after the certificate, which is stored separately, counted from 1. */
const restAt = 1 + timeBytes + signatureBytes + 1;
const nothingSeen = `x'${'00'.repeat(seenBytes)}'`;
const short = `x'02'||unhex(printf('%012x', at))||substr(proof, 2, ${signatureBytes})||${readText('certificate')}`;
const readProof = `iif(certificate IS NULL, proof, CAST(CASE substr(proof, 1, 1)
    WHEN x'03' THEN ${short}||${nothingSeen}||substr(proof, ${2 + signatureBytes})
    WHEN x'04' THEN ${short}||substr(proof, ${2 + signatureBytes})
    ELSE substr(proof, 1, ${restAt - 1})||${readText('certificate')}||substr(proof, ${restAt}) END AS BLOB))`;

/** The view with this name, which reads events in the form of a journal or a file of reviews. */
const eventsView = (name: string): string => `
CREATE VIEW ${name} AS SELECT seq, ${readId('id')} AS id,
  (SELECT text FROM review_texts WHERE n=workspace) AS workspace_id, ${readMoment('at')} AS at,
  ${readText('author')} AS author, ifnull(kind, 'decision') AS kind, ${readText('fact')} AS fact, filter, undoes,
  ${readText('receipt')} AS receipt, is_imported, folds_at, more, ${readProof} AS proof,
  seen, number, id AS packed_id, workspace, ifnull(folds_ms, at) AS key_ms FROM stored_events;`;

const hasValues = 'coalesce(NEW.reviewed, NEW.digest) IS NOT NULL';
/** SQL for the values of a claim if an existing event stores the same. */
const sameValues = `SELECT v.n FROM stored_claims c CROSS JOIN claim_values v ON v.n=c.kept
    WHERE c.claim_id=NEW.claim_id AND v.reviewed IS NEW.reviewed AND v.digest IS ${packedDigest('NEW.digest')}`;
/** The view with this name, to which the claims of events are added like to a table. */
const claimsView = (name: string): string => `
CREATE VIEW ${name} AS SELECT claim_id, event_seq, (SELECT reviewed FROM claim_values WHERE n=kept) AS reviewed,
  (SELECT iif(typeof(digest)='blob', lower(hex(digest)), digest) FROM claim_values WHERE n=kept) AS digest, detail
  FROM stored_claims;
CREATE TRIGGER ${name}_came INSTEAD OF INSERT ON ${name}
  WHEN NOT EXISTS (SELECT 1 FROM stored_claims WHERE claim_id=NEW.claim_id AND event_seq=NEW.event_seq) BEGIN
  INSERT INTO claim_values (reviewed, digest) SELECT NEW.reviewed, ${packedDigest('NEW.digest')}
    WHERE ${hasValues} AND NOT EXISTS (${sameValues});
  INSERT INTO stored_claims (claim_id, event_seq, kept, detail) VALUES (NEW.claim_id, NEW.event_seq,
    iif(${hasValues}, ifnull((${sameValues}), last_insert_rowid()), NULL), NEW.detail);
END;`;

/**
 * Events in less than half of their bytes, in `stored_events`; `review_events` is a view that reads them as a journal or a file of
 * reviews has them. An ID is 16 bytes, a time is in milliseconds, the kind is null where it is a decision, and texts that several
 * events have are in `review_texts` by their number: workspace, author, certificate, and facts and receipts that came twice.
 * What is in another form stays as it is. A proof that begins with 3 or 4 instead of its version has no time, which is that of
 * its event, and with 3 nothing was seen; one that is none, which no version writes, is stored whole. `folds_at`: the time by
 * which an event is ordered where that is not its timestamp, because the computer that wrote it could not know the time, or the
 * timestamp does not sort as a time; `folds_ms`: the time that it begins with. `more`: what a newer version wrote in an event
 * besides the known parts, as JSON text. `proof`: what proves who wrote an imported event, and `seen`: the last entry of its team
 * that its author had read (`packed-proofs.ts`). `number`: the event's number in the log of its team; null: it is not in the log.
 *
 * Events of one claim mostly store the same values of it, which are in `claim_values` once, and are removed with the last event
 * that has them: `reviewed` as `pack_values` returns them, whose bytes begin with the version of their format, and the digest as
 * bytes. `claims_to_settle`: claims whose rows in lists have to be updated, because an event before their latest one was added or
 * changed its time.
 */
const tables = `CREATE TABLE review_texts (n INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO review_texts (text)
  SELECT workspace_id FROM review_events UNION SELECT author FROM review_events
  UNION SELECT fact FROM review_events WHERE length(fact)<=500 GROUP BY fact HAVING count(*)>1
  UNION SELECT receipt FROM review_events WHERE length(receipt)<=500 GROUP BY receipt HAVING count(*)>1;
CREATE TABLE stored_events (
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
CREATE TABLE claim_values (n INTEGER PRIMARY KEY, reviewed BLOB, digest ANY) STRICT;
CREATE TABLE stored_claims (
  claim_id INTEGER NOT NULL,
  event_seq INTEGER NOT NULL,
  kept INTEGER,
  detail TEXT,
  PRIMARY KEY (claim_id, event_seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE claims_to_settle (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT NOT NULL,
  claim_id INTEGER NOT NULL,
  UNIQUE (workspace_id, claim_id)
) STRICT;
${eventsView('read_events')}
${claimsView('read_claims')}
CREATE TEMP TABLE differing (events INTEGER CHECK (events=0));`;

/**
 * What this computer has read of a team's log. `team_position`: the number of the last entry and the chain's hash
 * there, how many of the parts that were sent later it has read, the event up to which all own events are in the log,
 * the hash of the first entry by the invitation, and whether it has read the log up to the head that it was told of, so that
 * reviews may be written (null while it waits to be admitted). `team_entries`: the numbers of entries, with the ID of those alone
 * whose event is not here and of those that the server lost. `team_memberships`: the entries that the members follow
 * from. `team_waiting`: entries that cannot be applied yet, because parts of them, or the event that they change, have
 * not come. `team_facts`: accepted entries that are about no claim; `role`: that of the author at the time.
 * `team_documents`: events that attached documents, of which the team's server has the document.
 */
const log = `
CREATE TABLE team_position (
  log INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL UNIQUE,
  team TEXT NOT NULL,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  parts INTEGER NOT NULL,
  sent_seq INTEGER NOT NULL,
  root TEXT,
  is_read INTEGER
) STRICT;
CREATE TABLE team_entries (
  log INTEGER NOT NULL,
  number INTEGER NOT NULL,
  hash BLOB NOT NULL,
  id TEXT,
  PRIMARY KEY (log, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_entries_by_id ON team_entries (id) WHERE id IS NOT NULL;
CREATE TRIGGER team_log_ended AFTER DELETE ON team_position BEGIN
  DELETE FROM team_entries WHERE log=OLD.log;
END;
CREATE TABLE team_memberships (
  workspace_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  header TEXT NOT NULL,
  signature TEXT NOT NULL,
  head BLOB NOT NULL,
  PRIMARY KEY (workspace_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_waiting (
  workspace_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  frame BLOB NOT NULL,
  PRIMARY KEY (workspace_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_facts (
  workspace_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  at TEXT NOT NULL,
  author TEXT NOT NULL,
  computer TEXT NOT NULL,
  role TEXT NOT NULL,
  is_own INTEGER NOT NULL,
  fact TEXT NOT NULL,
  PRIMARY KEY (workspace_id, kind, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_documents (
  workspace_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, event_id)
) STRICT, WITHOUT ROWID;
`;

/**
 * `certificates`: of colleagues' computers, by their SSH keys. `team_invitations`: made or used on this computer, with what
 * the compared code covers; `request`: the first request to join that came with it, or the own one; `answer`: the inviting
 * computer's nonce; `nonce`: that of this computer, where it joins. `team_kept_members`: what this computer has read of
 * the computers of a team, while its server's log does not say it; `role`: null where the membership ended.
 */
const members = `
CREATE TABLE certificates (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  body TEXT NOT NULL,
  signature TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE TABLE team_invitations (
  workspace_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  invitation TEXT NOT NULL,
  request TEXT,
  answer TEXT,
  nonce TEXT,
  PRIMARY KEY (workspace_id, digest)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_kept_members (
  workspace_id TEXT NOT NULL,
  computer TEXT NOT NULL,
  email TEXT NOT NULL,
  role TEXT,
  body TEXT NOT NULL,
  signature TEXT NOT NULL,
  PRIMARY KEY (workspace_id, computer)
) STRICT, WITHOUT ROWID;
`;

/**
 * `team_removals`: entries of kind removal, as they were sent; `statement` of a removal is what it removes, null of an
 * acknowledgement; `is_applied`: this computer has removed it; `is_due`: entries of the team's log may be about what it
 * removed. `team_removed_entries`: events whose content is no longer in the log. `team_checkpoints`: entries of kind
 * checkpoint with their acts as JSON; `entry`: their numbers. `team_behind`: of a computer that began with a checkpoint,
 * which one, how many of its parts it has read, and how far it has read the log before it.
 */
const removals = `
CREATE TABLE team_removals (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  frame BLOB NOT NULL,
  statement TEXT,
  is_applied INTEGER NOT NULL,
  is_due INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_removed_entries (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_checkpoints (
  workspace_id TEXT NOT NULL,
  entry INTEGER NOT NULL,
  id TEXT NOT NULL,
  computer TEXT NOT NULL,
  act TEXT NOT NULL,
  PRIMARY KEY (workspace_id, entry)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_behind (
  workspace_id TEXT PRIMARY KEY,
  header TEXT NOT NULL,
  act TEXT NOT NULL,
  parts INTEGER NOT NULL,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * `team_doubts`: reopenings that a colleague's computer found and that do not count here: the record on this computer is
 * older (`is_denied` 0), or it is not and does not have the change (1). `team_rewound`: the server's log was an earlier one
 * again, and this computer has not told the team yet: the number up to which it had read, and the last one that both logs
 * have. `team_other_logs`: what authors of entries had read that was not in this log when their entries came;
 * `is_dismissed`: an admin has seen on this computer that no computer explains it.
 */
const doubts = `
CREATE TABLE team_doubts (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  is_denied INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE team_rewound (
  workspace_id TEXT PRIMARY KEY,
  read_up_to INTEGER NOT NULL,
  common INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE team_other_logs (
  workspace_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  author TEXT NOT NULL,
  is_dismissed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, number, hash)
) STRICT, WITHOUT ROWID;
`;

/** SQL condition that an old row and the new one as read have the same values. */
const same = (columns: string): string =>
  columns
    .split(', ')
    .map((name) => `o.${name} IS e.${name}`)
    .join(' AND ');

/**
 * What version 0.3 adds to the user data of version 0.2. Fails, so that nothing is changed, where an event or its claims would be
 * read differently; of a claim's values it compares only whether there are any. `kept_rules`: a copy of each workspace's rules of removal, which are in its records, where backups have it.
 *
 * The statistics say that a workspace has very many events. Without them SQLite's planner expects ten and reads all events
 * of the workspace for those of one claim, and each act takes longer the more events there are.
 */
export const sql = [
  tables,
  {
    rowsOf: 'review_events',
    sql: `INSERT INTO stored_events (seq, id, workspace, at, author, kind, fact, filter, undoes, receipt, is_imported, folds_at,
        folds_ms)
      SELECT seq, ${packedId('id')}, (SELECT n FROM review_texts WHERE text=workspace_id), ${packedMoment('at')},
        ${packedText('author')}, nullif(kind, 'decision'), ${packedText('fact')}, filter, undoes, ${packedText('receipt')},
        is_imported, ${foldsAt}, ${packedMoment(`substr(${foldsAt}, 1, 24)`)}
      FROM review_events WHERE rowid>? AND rowid<=?`,
  },
  {
    rowsOf: 'review_events',
    sql: `INSERT INTO differing SELECT count(*)-sum(EXISTS (SELECT 1 FROM main.read_events e WHERE e.seq=o.seq
        AND ${same('id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported')}))
      FROM main.review_events o WHERE rowid>? AND rowid<=?`,
  },
  {
    rowsOf: 'review_event_claims',
    sql: `INSERT INTO read_claims (claim_id, event_seq, reviewed, digest, detail)
      SELECT claim_id, event_seq, pack_values(reviewed), digest, detail FROM review_event_claims WHERE rowid>? AND rowid<=?`,
  },
  {
    rowsOf: 'review_event_claims',
    sql: `INSERT INTO differing SELECT count(*)-sum(EXISTS (SELECT 1 FROM main.read_claims e
        WHERE e.claim_id=o.claim_id AND e.event_seq=o.event_seq AND ${same('digest, detail')}
          AND (e.reviewed IS NULL)=(o.reviewed IS NULL)))
      FROM main.review_event_claims o WHERE rowid>? AND rowid<=?`,
  },
  log,
  members,
  removals,
  doubts,
  `DROP TABLE differing;
DROP VIEW read_events;
DROP VIEW read_claims;
DROP TABLE review_events;
DROP TABLE review_event_claims;
${eventsView('review_events')}
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
CREATE INDEX stored_claims_by_event ON stored_claims (event_seq);
CREATE TRIGGER stored_claim_left AFTER DELETE ON stored_claims
  WHEN NOT EXISTS (SELECT 1 FROM stored_claims WHERE claim_id=OLD.claim_id AND kept=OLD.kept) BEGIN
  DELETE FROM claim_values WHERE n=OLD.kept;
END;
${claimsView('review_event_claims')}
CREATE TABLE kept_rules (
  workspace_id TEXT PRIMARY KEY,
  rules TEXT NOT NULL
) STRICT, WITHOUT ROWID;
PRAGMA analysis_limit=100;
ANALYZE;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('stored_events', 'stored_events_by_time', '1000000 1000000 2'),
  ('stored_events', 'stored_events_by_id', '1000000 1');
ANALYZE sqlite_schema;`,
] as const;
