/**
 * Claims are in the order of their first and last day of service, in place of the start as it was sent: migration 14 makes
 * that index.
 */
export const sql = `
DROP INDEX IF EXISTS claims_by_service_start;
UPDATE sync_state SET value=(
  SELECT json_group_array(json(entry.value)) FROM json_each(sync_state.value) entry
  WHERE entry.value->>'name'<>'claims_by_service_start')
WHERE name='deferredIndexes';
`;
