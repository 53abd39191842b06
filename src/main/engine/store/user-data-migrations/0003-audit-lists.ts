/** Who did it, by the computer's account; and what was done with one record, found by its id. */
export const sql = `
ALTER TABLE audit ADD COLUMN actor TEXT;
CREATE INDEX audit_by_record ON audit (workspace_id, json_extract(details, '$.recordId'), at)
  WHERE json_extract(details, '$.recordId') IS NOT NULL;
`;
