const indexes = {
  claims_by_status: 'status',
  claims_by_billed: 'amount_billed',
  claims_by_patient: 'patient_name',
  claims_by_provider: 'service_provider',
  claims_by_policy_holder: 'policy_holder_ref',
  claims_by_members: 'member_names',
  claims_by_employers: 'employer_names',
  claims_by_service_days: 'range_days(date_of_service_start, date_of_service_end, date_of_service_bounds)',
};

/**
 * Indexes of claims without the ID, with which SQLite ends each entry anyway: it was there twice, 40 bytes a claim. In a
 * first read that was interrupted, indexes were to be built later; they are then there already.
 */
export const sql = Object.entries(indexes).map(
  ([name, values]) => `DROP INDEX IF EXISTS ${name}; CREATE INDEX ${name} ON claims (${values});`,
);
