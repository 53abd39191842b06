/** Records, one table a shape; search indexes; where a sync stands; what could not be kept as a record. */
export const sql = `
CREATE TABLE record_shapes (
  id INTEGER PRIMARY KEY,
  markers TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE vendors (
  ref INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  id INTEGER,
  code TEXT,
  name TEXT,
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id)
) STRICT;
CREATE TABLE vendor_tenants (
  ref INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  id INTEGER,
  key_enabled INTEGER,
  label TEXT,
  vendor_ref INTEGER REFERENCES vendors(ref),
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id)
) STRICT;
CREATE TABLE tenants (
  ref INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  id INTEGER,
  tenant_id INTEGER,
  partner_key_enabled INTEGER,
  name TEXT,
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id)
) STRICT;
CREATE TABLE tenant_vendor_tenants (
  parent INTEGER NOT NULL REFERENCES tenants(ref) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  ref INTEGER NOT NULL REFERENCES vendor_tenants(ref),
  PRIMARY KEY (parent, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE payers (
  ref INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  id INTEGER,
  name TEXT,
  short_name TEXT,
  retriever TEXT,
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id)
) STRICT;
CREATE TABLE employers (
  ref INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  id INTEGER,
  employer_id INTEGER,
  archived INTEGER,
  email_automation INTEGER,
  name TEXT,
  slug TEXT,
  support_email_derived TEXT,
  support_phone_derived TEXT,
  tenant_logo_derived TEXT,
  tenant_name_derived TEXT,
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id)
) STRICT;
CREATE TABLE employer_payers (
  parent INTEGER NOT NULL REFERENCES employers(ref) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  ref INTEGER NOT NULL REFERENCES payers(ref),
  PRIMARY KEY (parent, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE employer_eligible_payers (
  parent INTEGER NOT NULL REFERENCES employers(ref) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  ref INTEGER NOT NULL REFERENCES payers(ref),
  PRIMARY KEY (parent, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE accounts (
  ref INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  id INTEGER,
  name TEXT,
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id)
) STRICT;
CREATE TABLE policy_holders (
  ref INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  id INTEGER,
  first_name TEXT,
  last_name TEXT,
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id)
) STRICT;
CREATE TABLE claim_member_records (
  ref INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  id INTEGER,
  email TEXT,
  first_name TEXT,
  last_name TEXT,
  employer_ref INTEGER REFERENCES employers(ref),
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id)
) STRICT;
CREATE TABLE claim_member_system_keys (
  parent INTEGER NOT NULL REFERENCES claim_member_records(ref) ON DELETE CASCADE,
  code TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (parent, code)
) STRICT, WITHOUT ROWID;
CREATE TABLE members (
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL,
  gone_since TEXT,
  unread_count INTEGER,
  archived INTEGER,
  can_make_claim_requests INTEGER,
  can_use_portal INTEGER,
  first_name TEXT,
  last_name TEXT,
  first_name_derived TEXT,
  last_name_derived TEXT,
  full_name_derived TEXT,
  email TEXT,
  address TEXT,
  ssn TEXT,
  partner_key TEXT,
  date_of_birth TEXT,
  archived_date TEXT,
  createddate TEXT,
  modifieddate TEXT,
  employer_ref INTEGER REFERENCES employers(ref),
  tenant_ref INTEGER REFERENCES tenants(ref),
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id)
) STRICT;
CREATE TABLE member_accounts (
  parent INTEGER NOT NULL REFERENCES members(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  ref INTEGER NOT NULL REFERENCES accounts(ref),
  PRIMARY KEY (parent, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE dependents (
  ref INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL REFERENCES members(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id INTEGER,
  first_name TEXT,
  middle_name TEXT,
  last_name TEXT,
  email TEXT,
  address TEXT,
  ssn TEXT,
  partner_key TEXT,
  date_of_birth TEXT,
  createddate TEXT,
  modifieddate TEXT,
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id),
  UNIQUE (parent, position)
) STRICT;
CREATE TABLE vendor_members (
  ref INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL REFERENCES members(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  key TEXT,
  vendor_tenant_ref INTEGER REFERENCES vendor_tenants(ref),
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id),
  UNIQUE (parent, position)
) STRICT;
CREATE TABLE claims (
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL,
  gone_since TEXT,
  dataobject_id INTEGER,
  service_provider_npi_number INTEGER,
  service_provider_billing_npi_number INTEGER,
  is_incomplete INTEGER,
  recrawl_requested INTEGER,
  amount_billed INTEGER,
  discount INTEGER,
  amount_allowed INTEGER,
  amount_paid INTEGER,
  amount_paid_other INTEGER,
  amount_not_covered INTEGER,
  copayment INTEGER,
  coinsurance_patient INTEGER,
  reduction INTEGER,
  patient_responsibility INTEGER,
  incurred_value INTEGER,
  computed_amount_billed INTEGER,
  computed_amount_allowed INTEGER,
  computed_amount_paid INTEGER,
  computed_copayment INTEGER,
  computed_coinsurance_patient INTEGER,
  computed_reduction INTEGER,
  computed_patient_responsibility INTEGER,
  status TEXT,
  network TEXT,
  patient_name TEXT,
  service_provider TEXT,
  service_provider_address TEXT,
  service_provider_number TEXT,
  service_provider_billing_name TEXT,
  service_provider_billing_address TEXT,
  service_provider_billing_number TEXT,
  service_provider_billing_phone TEXT,
  processed_on TEXT,
  eob_date TEXT,
  check_date TEXT,
  check_number TEXT,
  group_name TEXT,
  group_number TEXT,
  patient_account_number TEXT,
  patient_payer_number TEXT,
  remarks TEXT,
  vendor_system_id TEXT,
  uuid TEXT,
  createddate TEXT,
  modifieddate TEXT,
  date_column TEXT,
  last_updated_status TEXT,
  date_of_service_start TEXT,
  date_of_service_end TEXT,
  date_of_service_bounds TEXT,
  type_type_id INTEGER,
  type_name TEXT,
  policy_holder_ref INTEGER REFERENCES policy_holders(ref),
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id)
) STRICT;
CREATE TABLE claim_members (
  parent INTEGER NOT NULL REFERENCES claims(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  ref INTEGER NOT NULL REFERENCES claim_member_records(ref),
  member_id INTEGER,
  PRIMARY KEY (parent, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE claim_lines (
  ref INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL REFERENCES claims(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id INTEGER,
  claim_medical_line_id INTEGER,
  days_supply INTEGER,
  prescription_type_id INTEGER,
  quantity REAL,
  amount_billed INTEGER,
  discount INTEGER,
  amount_allowed INTEGER,
  amount_paid INTEGER,
  amount_paid_other INTEGER,
  amount_not_covered INTEGER,
  copayment INTEGER,
  coinsurance_patient INTEGER,
  reduction INTEGER,
  patient_responsibility INTEGER,
  total_patient_responsibility INTEGER,
  procedure_code TEXT,
  procedure_name TEXT,
  diagnosis_code TEXT,
  national_drug_code TEXT,
  prescription_type_str TEXT,
  vendor_system_id TEXT,
  uuid TEXT,
  date_of_service_start TEXT,
  date_of_service_end TEXT,
  date_of_service_bounds TEXT,
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id),
  UNIQUE (parent, position)
) STRICT;
CREATE INDEX claim_members_by_member ON claim_members (member_id, parent);
CREATE INDEX claim_members_by_ref ON claim_members (ref, parent);
CREATE INDEX claims_by_service_start ON claims (date_of_service_start, id);
CREATE INDEX claims_by_status ON claims (status, id);
CREATE INDEX claims_by_billed ON claims (amount_billed, id);
CREATE INDEX claims_by_patient ON claims (patient_name, id);
CREATE INDEX claims_by_provider ON claims (service_provider, id);
CREATE INDEX claims_by_policy_holder ON claims (policy_holder_ref, id);
CREATE INDEX claims_gone ON claims (id) WHERE gone_since IS NOT NULL;
CREATE INDEX members_gone ON members (id) WHERE gone_since IS NOT NULL;
CREATE INDEX members_by_name ON members (last_name, first_name, id);
CREATE INDEX members_by_employer ON members (employer_ref, id);
CREATE INDEX dependents_by_id ON dependents (id);
CREATE INDEX claim_lines_by_id ON claim_lines (id);

CREATE VIRTUAL TABLE members_text USING fts5(body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE dependents_text USING fts5(body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE claims_text USING fts5(body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');

CREATE TABLE set_aside (
  digest BLOB PRIMARY KEY,
  kind TEXT NOT NULL,
  reason TEXT NOT NULL,
  record_id TEXT,
  body TEXT NOT NULL,
  seen_at TEXT NOT NULL
) STRICT;

CREATE TABLE sync_state (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sync_receipts (
  run_id TEXT PRIMARY KEY,
  finished_at TEXT NOT NULL,
  outcome TEXT NOT NULL,
  receipt TEXT NOT NULL
) STRICT;
CREATE TABLE sync_pages (
  kind TEXT NOT NULL,
  pass INTEGER NOT NULL,
  page INTEGER NOT NULL,
  hash BLOB,
  facts TEXT NOT NULL,
  entries BLOB NOT NULL,
  PRIMARY KEY (kind, pass, page)
) STRICT;
`;
