/** Stores the email and role that an invitation names. Earlier invitations name none, so that no one can use them. */
export const sql = `
DELETE FROM team_invitations;
ALTER TABLE team_invitations ADD COLUMN email TEXT NOT NULL DEFAULT '';
ALTER TABLE team_invitations ADD COLUMN role TEXT NOT NULL DEFAULT 'reader';
`;
