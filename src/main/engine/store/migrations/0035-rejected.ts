/** Why whoever pays rejected a claim in its last run. No earlier review has it. */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN rejected TEXT;
`;
