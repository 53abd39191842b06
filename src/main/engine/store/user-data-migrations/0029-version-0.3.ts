const stamp = `2[0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9].[0-9][0-9][0-9]Z`;
const foldsAt = `CASE WHEN at GLOB '${stamp}' THEN NULL
    WHEN at GLOB '[01-]*' THEN '2000-01-01T00:00:00.000Z'
    WHEN at GLOB '2*' THEN ifnull(strftime('%Y-%m-%dT%H:%M:%fZ', at), '2000-01-01T00:00:00.000Z')
    ELSE '2999-12-31T23:59:59.999Z' END`;

/**
 * What this computer has read of a team's log. `team_position`: the number of the last entry and the chain's hash
 * there, how many of the parts that were sent later it has read, the event up to which all own events are in the log,
 * and the hash of the first entry by the invitation. `team_entries`: the numbers of entries, with the ID of those alone
 * whose event is not here and of those that the server lost. `team_memberships`: the entries that the members follow
 * from. `team_waiting`: entries that cannot be applied yet, because parts of them, or the event that they change, have
 * not come. `team_facts`: accepted entries that are about no claim; `role`: that of the author at the time.
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
  root TEXT
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
CREATE TRIGGER review_event_came AFTER INSERT ON review_events
  WHEN EXISTS (SELECT 1 FROM team_entries WHERE id=NEW.id AND number>0) BEGIN
  UPDATE review_events SET number=(SELECT t.number FROM team_entries t JOIN team_position p ON p.log=t.log
    WHERE t.id=NEW.id AND t.number>0 AND p.workspace_id=NEW.workspace_id) WHERE seq=NEW.seq;
END;
CREATE TRIGGER review_event_left AFTER DELETE ON review_events WHEN OLD.number IS NOT NULL BEGIN
  UPDATE team_entries SET id=OLD.id WHERE number=OLD.number
    AND log=(SELECT log FROM team_position WHERE workspace_id=OLD.workspace_id);
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

/**
 * What version 0.3 adds to the user data of version 0.2. `folds_at`: the time by which an event is ordered where that is
 * not its timestamp, because the computer that wrote it could not know the time, or the timestamp does not sort as a time.
 * `more`: what a newer version wrote in an event besides the known parts, as JSON text. `proof`: what proves who wrote an
 * imported event, and `seen`: the last entry of its team that its author had read (`packed-proofs.ts`). `number`: the
 * event's number in the log of its team; null: it is not in the log. `reviewed` are the values as `pack_values` returns
 * them, whose bytes begin with the version of their format. `claims_to_settle`: claims whose rows in lists are to be
 * updated, because an event before their latest one was added or changed its time.
 *
 * The statistics say that a workspace has very many events. Without them SQLite's planner expects ten and reads all events
 * of the workspace for those of one claim, and each act takes longer the more events there are.
 */
export const sql = [
  `CREATE TABLE packed_events (
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
  is_imported INTEGER NOT NULL,
  folds_at TEXT,
  more TEXT,
  proof BLOB,
  seen BLOB,
  number INTEGER
) STRICT;
CREATE TABLE packed_claims (
  claim_id INTEGER NOT NULL,
  event_seq INTEGER NOT NULL,
  reviewed BLOB,
  digest TEXT,
  detail TEXT,
  UNIQUE (claim_id, event_seq)
) STRICT`,
  {
    rowsOf: 'review_events',
    sql: `INSERT INTO packed_events (seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported,
        folds_at)
      SELECT seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported, ${foldsAt}
      FROM review_events WHERE rowid>? AND rowid<=?`,
  },
  {
    rowsOf: 'review_event_claims',
    sql: `INSERT INTO packed_claims (rowid, claim_id, event_seq, reviewed, digest, detail)
      SELECT rowid, claim_id, event_seq, pack_values(reviewed), digest, detail FROM review_event_claims
      WHERE rowid>? AND rowid<=?`,
  },
  `DROP TABLE review_events;
ALTER TABLE packed_events RENAME TO review_events;
CREATE INDEX review_events_by_time ON review_events (workspace_id, ifnull(folds_at, at));
CREATE INDEX review_events_undoing ON review_events (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX review_events_of_runs ON review_events (workspace_id, kind)
  WHERE kind IN ('run', 'runChecked', 'runSent', 'runLeft', 'payment');
DROP TABLE review_event_claims;
ALTER TABLE packed_claims RENAME TO review_event_claims;
CREATE INDEX review_event_claims_by_event ON review_event_claims (event_seq, claim_id);
CREATE TABLE claims_to_settle (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT NOT NULL,
  claim_id INTEGER NOT NULL,
  UNIQUE (workspace_id, claim_id)
) STRICT;`,
  log,
  members,
  removals,
  doubts,
  `PRAGMA analysis_limit=100;
ANALYZE;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('review_events', 'review_events_by_time', '1000000 1000000 2'),
  ('review_events', 'sqlite_autoindex_review_events_1', '1000000 1');
ANALYZE sqlite_schema;`,
];
