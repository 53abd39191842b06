/** Nothing looks for a claim line by the ID of the service: 33 bytes a claim for an index that nothing read. */
export const sql = `
DROP INDEX IF EXISTS claim_lines_by_id;
UPDATE sync_state SET value=(
  SELECT json_group_array(json(entry.value)) FROM json_each(sync_state.value) entry
  WHERE entry.value->>'name'<>'claim_lines_by_id')
WHERE name='deferredIndexes';
`;
