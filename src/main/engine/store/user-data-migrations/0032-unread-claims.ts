const settleClaim = (row: string): string => `INSERT OR REPLACE INTO claims_to_settle (workspace_id, claim_id)
  SELECT workspace_id, ${row}.claim_id FROM team_position WHERE log=${row}.log;`;
const removeAll = (row: string): string =>
  `DELETE FROM team_unread_claims WHERE log=(SELECT log FROM team_position WHERE workspace_id=${row}.workspace_id);`;

/**
 * `team_unread_claims`: of a computer that began with a checkpoint, the claims whose reviews are in parts of it that are still
 * to be read; lists say so. The rows go with the last part, and with what is noted of the checkpoint.
 */
export const sql = `CREATE TABLE team_unread_claims (
  log INTEGER NOT NULL,
  claim_id INTEGER NOT NULL,
  PRIMARY KEY (log, claim_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER team_claim_unread AFTER INSERT ON team_unread_claims BEGIN
  ${settleClaim('NEW')}
END;
CREATE TRIGGER team_claim_read AFTER DELETE ON team_unread_claims BEGIN
  ${settleClaim('OLD')}
END;
CREATE TRIGGER team_checkpoint_read AFTER INSERT ON team_behind
  WHEN NEW.parts>=json_array_length(NEW.header, '$.parts') BEGIN
  ${removeAll('NEW')}
END;
CREATE TRIGGER team_checkpoint_left AFTER DELETE ON team_behind BEGIN
  ${removeAll('OLD')}
END;`;
