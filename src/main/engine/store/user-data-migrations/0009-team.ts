/**
 * What this computer has read of a team's log. `team_position`: the number of the last entry and the chain's hash
 * there, how many of the parts that were sent later it has read, the event up to which all own events are in the log,
 * and the hash of the first entry by the invitation. `team_entries`: the numbers of entries. `team_memberships`: the
 * entries that the members follow from. `team_waiting`: entries that cannot be applied yet, because parts of them, or
 * the event that they change, have not come. `team_invitations`: invitations made by this computer.
 */
export const sql = `
CREATE TABLE team_position (
  workspace_id TEXT PRIMARY KEY,
  team TEXT NOT NULL,
  number INTEGER NOT NULL,
  hash TEXT NOT NULL,
  parts INTEGER NOT NULL,
  sent_seq INTEGER NOT NULL,
  root TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE team_entries (
  workspace_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (workspace_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_entries_by_id ON team_entries (workspace_id, id);
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
CREATE TABLE team_invitations (
  workspace_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  secret TEXT NOT NULL,
  PRIMARY KEY (workspace_id, digest)
) STRICT, WITHOUT ROWID;
`;
