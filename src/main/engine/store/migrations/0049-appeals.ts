/**
 * The appeal that lists show of a claim, its day, and until when it must be answered; blank: none. `appeal_sent`: 1 where the
 * carrier has or had one.
 */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN appeal TEXT;
ALTER TABLE claim_reviews ADD COLUMN appeal_day TEXT;
ALTER TABLE claim_reviews ADD COLUMN appeal_due TEXT;
ALTER TABLE claim_reviews ADD COLUMN appeal_sent INTEGER;
`;
