/** The last letter about a claim, its day, what letters said as JSON text, and which are no longer true; blank: none. */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN letter TEXT;
ALTER TABLE claim_reviews ADD COLUMN letter_day TEXT;
ALTER TABLE claim_reviews ADD COLUMN letter_said TEXT;
ALTER TABLE claim_facts ADD COLUMN letter_untrue TEXT;
`;
