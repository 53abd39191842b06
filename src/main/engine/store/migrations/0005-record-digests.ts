/**
 * Until here a digest was made of the row, from here on of the record. The digests of the records that are here
 * are made again from what is stored, in the background: what has been done is one row for each list, with the id
 * up to which its digests are new. A sync that was interrupted has compared by the old ones: it becomes one of
 * unknown age, which begins with the first page again. One that waits for a person's answer compares no more, and stays.
 */
export const sql = `
INSERT INTO sync_state (name, value)
  SELECT 'oldDigests.members', '-9007199254740992' WHERE EXISTS (SELECT 1 FROM members);
INSERT INTO sync_state (name, value)
  SELECT 'oldDigests.claims', '-9007199254740992' WHERE EXISTS (SELECT 1 FROM claims);
UPDATE sync_state SET value=json_set(value,
  '$.kind', 'members', '$.pass', 1, '$.nextPage', 2, '$.passes', json('[]'), '$.passStartedAt', '')
  WHERE name='run' AND json_extract(value, '$.lossQuestion') IS NULL;
`;
