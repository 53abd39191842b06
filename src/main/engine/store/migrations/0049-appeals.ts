/** The appeal that lists show of a claim, its day, and until when it must be answered; blank: none. */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN appeal TEXT;
ALTER TABLE claim_reviews ADD COLUMN appeal_day TEXT;
ALTER TABLE claim_reviews ADD COLUMN appeal_due TEXT;
`;
