const ofLog = (workspaceId: string): string =>
  `DELETE FROM team_unread_claims WHERE log=(SELECT log FROM team_position WHERE workspace_id=${workspaceId});`;

/**
 * `team_unread_claims`: of a computer that began with a checkpoint, the claims whose reviews are in parts of it that are still
 * to be read. The rows go with the last part, and with what is noted of the checkpoint or the log.
 */
export const sql = `CREATE TABLE team_unread_claims (
  log INTEGER NOT NULL,
  claim_id INTEGER NOT NULL,
  PRIMARY KEY (log, claim_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER team_checkpoint_read AFTER INSERT ON team_behind
  WHEN NEW.parts>=json_array_length(NEW.header, '$.parts') BEGIN
  ${ofLog('NEW.workspace_id')}
END;
CREATE TRIGGER team_checkpoint_left AFTER DELETE ON team_behind BEGIN
  ${ofLog('OLD.workspace_id')}
END;
CREATE TRIGGER team_log_left AFTER DELETE ON team_position BEGIN
  DELETE FROM team_unread_claims WHERE log=OLD.log;
END;`;
