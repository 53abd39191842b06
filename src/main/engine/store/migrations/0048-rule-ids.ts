/** The ID of the rule that decided a claim: its name can be changed, or be that of another rule. All reviews are made again. */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN rule_id TEXT;
CREATE INDEX claim_reviews_by_rule ON claim_reviews (rule_id) WHERE rule_id IS NOT NULL;
DELETE FROM sync_state WHERE name='reviews';
`;
