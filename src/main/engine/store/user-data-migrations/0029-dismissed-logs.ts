/** `is_dismissed`: an admin has seen on this computer that no computer explains it. */
export const sql = `
ALTER TABLE team_other_logs ADD COLUMN is_dismissed INTEGER NOT NULL DEFAULT 0;
`;
