/**
 * Proofs, and what the author of an event had seen, as bytes instead of JSON text (`packed-proofs.ts`), and hashes as
 * bytes. `review_events.number`: the event's number in the log of its team; null: it is not in the log. `team_entries` has
 * the ID only of other entries: of those whose event is not here, and of those that the server lost; `log` is that of
 * `team_position`. The index by time has only the time; events of one time are sorted when they are read.
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
) STRICT`,
  {
    rowsOf: 'review_events',
    sql: `INSERT INTO packed_events (seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported,
        folds_at, more, proof, seen, number)
      SELECT seq, id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported, folds_at, more,
        pack_proof(proof), pack_seen(seen),
        (SELECT number FROM team_entries t WHERE t.workspace_id=e.workspace_id AND t.id=e.id AND t.number>0)
      FROM review_events e WHERE rowid>? AND rowid<=?`,
  },
  `DROP TABLE review_events;
ALTER TABLE packed_events RENAME TO review_events;
CREATE INDEX review_events_by_time ON review_events (workspace_id, ifnull(folds_at, at));
CREATE INDEX review_events_undoing ON review_events (undoes) WHERE undoes IS NOT NULL;

CREATE TABLE numbered_position (
  log INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL UNIQUE,
  team TEXT NOT NULL,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  parts INTEGER NOT NULL,
  sent_seq INTEGER NOT NULL,
  root TEXT
) STRICT;
INSERT INTO numbered_position (workspace_id, team, number, hash, parts, sent_seq, root)
  SELECT workspace_id, team, number, hash, parts, sent_seq, root FROM team_position;
CREATE TABLE numbered_entries (
  log INTEGER NOT NULL,
  number INTEGER NOT NULL,
  hash BLOB NOT NULL,
  id TEXT,
  PRIMARY KEY (log, number)
) STRICT, WITHOUT ROWID;
INSERT INTO numbered_entries (log, number, hash, id)
  SELECT p.log, t.number, bytes_of(t.hash), iif(e.number=t.number, NULL, t.id)
  FROM team_entries t JOIN numbered_position p ON p.workspace_id=t.workspace_id
  LEFT JOIN review_events e ON e.id=t.id AND e.workspace_id=t.workspace_id;
DROP TABLE team_entries;
DROP TABLE team_position;
ALTER TABLE numbered_position RENAME TO team_position;
ALTER TABLE numbered_entries RENAME TO team_entries;
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
END;`,
] as const;
