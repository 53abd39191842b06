/** The position of a claim's pair of possible duplicates among all pairs; blank: the claim is in none. */
export const sql = `
ALTER TABLE claim_facts ADD COLUMN pair_order INTEGER;
CREATE INDEX claim_facts_pair_order ON claim_facts (pair_order) WHERE pair_order IS NOT NULL;
`;
