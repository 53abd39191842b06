/**
 * What rules propose of claims, and which rule decided them. `second_look`: how many percent of what that rule decides a second
 * person checks; blank where a person decided.
 */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN rule TEXT;
ALTER TABLE claim_reviews ADD COLUMN second_look INTEGER;
ALTER TABLE claim_facts ADD COLUMN proposal TEXT;
ALTER TABLE claim_facts ADD COLUMN proposal_rule TEXT;
ALTER TABLE claim_facts ADD COLUMN proposed_by TEXT;
CREATE INDEX claim_facts_by_proposed ON claim_facts (proposed_by, open) WHERE proposed_by IS NOT NULL;
`;
