/** The last letter about a claim, its day, what it said as JSON text, and whether that is no longer true; blank: none. */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN letter TEXT;
ALTER TABLE claim_reviews ADD COLUMN letter_day TEXT;
ALTER TABLE claim_reviews ADD COLUMN letter_said TEXT;
ALTER TABLE claim_facts ADD COLUMN letter_untrue INTEGER;
`;
