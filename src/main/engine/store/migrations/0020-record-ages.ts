/**
 * `claim_reads`: claims that were read after the last sync that came to its end, and when. `older_at`: the claim here is
 * older than the one that its review is of, as of this read.
 */
export const sql = `
CREATE TABLE claim_reads (
  claim_id INTEGER PRIMARY KEY,
  at TEXT NOT NULL
) STRICT;
ALTER TABLE claim_reviews ADD COLUMN older_at TEXT;
`;
