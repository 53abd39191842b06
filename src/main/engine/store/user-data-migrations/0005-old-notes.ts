/** Notes, tags and reviews of version 0.1 become events of reviews, each under the ID that it had. */
export const sql = `
INSERT OR IGNORE INTO review_events
  (id, workspace_id, at, author, kind, fact, filter, undoes, receipt, is_imported)
  SELECT id, workspace_id, created_at, '', 'oldNote', json_object('kind', 'oldNote', 'target', target,
    'recordId', record_id, 'oldKind', kind, 'text', text, 'facts', facts, 'updatedAt', updated_at),
    NULL, NULL, NULL, 0
  FROM annotations ORDER BY created_at, id;
INSERT OR IGNORE INTO review_event_claims (claim_id, event_seq)
  SELECT old.record_id, e.seq FROM annotations old JOIN review_events e ON e.id=old.id WHERE old.target='claim';
DROP TABLE annotations;
`;
