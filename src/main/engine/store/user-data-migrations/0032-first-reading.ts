/**
 * `is_read`: whether this computer has read the log of its team up to the head that it was told of, so that reviews may be written;
 * null while it waits to be admitted.
 */
export const sql = `ALTER TABLE team_position ADD COLUMN is_read INTEGER;
UPDATE team_position SET is_read=NOT EXISTS
  (SELECT 1 FROM team_behind b WHERE b.workspace_id=team_position.workspace_id) WHERE number>0;`;
