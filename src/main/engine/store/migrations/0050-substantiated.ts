/** Whether a document of the claim is marked as sufficient; blank: none is. */
export const sql = 'ALTER TABLE claim_reviews ADD COLUMN is_substantiated INTEGER;';
