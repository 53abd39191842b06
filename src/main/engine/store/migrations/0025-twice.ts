/**
 * What two people of a team did without having seen each other's act: who decided, and the amount at stake where both
 * recorded a payment. Blank for earlier reviews, which were not made in a team.
 */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN decided_twice TEXT;
ALTER TABLE claim_reviews ADD COLUMN paid_twice INTEGER;
`;
