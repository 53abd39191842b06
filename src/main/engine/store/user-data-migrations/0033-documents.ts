/** Finds events that attached documents, and which of them a team's server has the document of. */
export const sql = `CREATE INDEX stored_events_of_documents ON stored_events (workspace) WHERE kind='document';
CREATE TABLE team_documents (
  workspace_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, event_id)
) STRICT, WITHOUT ROWID;`;
