/** Why the chain of a claim could not be computed, as a phrase; null: it was. */
export const sql = `
ALTER TABLE claim_chains ADD COLUMN failure TEXT;
`;
