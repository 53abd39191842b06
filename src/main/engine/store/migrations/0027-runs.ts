/** The reimbursement runs of claims: of each claim the last run, and of each run its claims. No earlier review has any. */
export const sql = `
ALTER TABLE claim_reviews ADD COLUMN run TEXT;
ALTER TABLE claim_reviews ADD COLUMN run_amount INTEGER;
ALTER TABLE claim_reviews ADD COLUMN run_state TEXT;
CREATE TABLE claim_runs (
  run_id TEXT NOT NULL,
  claim_id INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  PRIMARY KEY (run_id, claim_id)
) WITHOUT ROWID;
CREATE INDEX claim_runs_by_claim ON claim_runs (claim_id);
`;
