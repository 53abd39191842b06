/**
 * Logs of teams have another form: what was read of one of before is forgotten. Its events stay, as those of files do.
 */
export const sql = `
UPDATE review_events SET number=NULL, seen=NULL WHERE workspace_id IN (SELECT workspace_id FROM team_position);
DELETE FROM team_memberships;
DELETE FROM team_waiting;
DELETE FROM team_invitations;
DELETE FROM team_facts;
DELETE FROM team_removals;
DELETE FROM team_removed_entries;
DELETE FROM team_position;
`;
