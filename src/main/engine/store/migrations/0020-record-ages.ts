/**
 * `claim_reads`: claims that were read after the last sync that ran to its end, and when. `older_at`: set where the
 * claim here is an older record than the one that its review is of; the time at which that record was read.
 */
export const sql = `
CREATE TABLE claim_reads (
  claim_id INTEGER PRIMARY KEY,
  at TEXT NOT NULL
) STRICT;
ALTER TABLE claim_reviews ADD COLUMN older_at TEXT;
`;
