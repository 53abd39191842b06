/** The columns of one type, by their names. */
const columns =
  (type: string) =>
  ([names = '']: TemplateStringsArray): string =>
    names
      .split(/\s+/)
      .map((name) => `${name} ${type}`)
      .join(',\n  ');
const texts = columns('TEXT');
const integers = columns('INTEGER');

/** Records that others refer to, each stored once. */
const sharedTable = (name: string, own: string): string => `CREATE TABLE ${name} (
  ref INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  id INTEGER,
  ${own.replace(/,\s+/g, ',\n  ')},
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id)
) STRICT;`;

/** Which of these records a record has, in order. */
const listTable = (name: string, parent: string, records: string): string => `CREATE TABLE ${name} (
  parent INTEGER NOT NULL REFERENCES ${parent} ON DELETE CASCADE,
  position INTEGER NOT NULL,
  ref INTEGER NOT NULL REFERENCES ${records}(ref),
  PRIMARY KEY (parent, position)
) STRICT, WITHOUT ROWID;`;

/**
 * The records file as written by version 0.2, the first release. Full SSNs are searched by a keyed hash, which is
 * stored only in the index. `member_names`, `employer_names` and the tables from `changed_claims` on are computed from
 * other columns and from the user data, and can be computed again. `bytes_hash` is the hash of the bytes in which a
 * record was last received; a record received in the same bytes is not parsed. Where it is null, the record is parsed
 * the next time.
 */
export const sql = `
CREATE TABLE record_shapes (
  id INTEGER PRIMARY KEY,
  markers TEXT NOT NULL UNIQUE
) STRICT;
${sharedTable('vendors', 'code TEXT, name TEXT')}
${sharedTable('vendor_tenants', 'key_enabled INTEGER, label TEXT, vendor_ref INTEGER REFERENCES vendors(ref)')}
${sharedTable('tenants', 'tenant_id INTEGER, partner_key_enabled INTEGER, name TEXT')}
${listTable('tenant_vendor_tenants', 'tenants(ref)', 'vendor_tenants')}
${sharedTable('payers', 'name TEXT, short_name TEXT, retriever TEXT')}
${sharedTable(
  'employers',
  `employer_id INTEGER, archived INTEGER, email_automation INTEGER, name TEXT, slug TEXT, support_email_derived TEXT,
  support_phone_derived TEXT, tenant_logo_derived TEXT, tenant_name_derived TEXT`,
)}
${listTable('employer_payers', 'employers(ref)', 'payers')}
${listTable('employer_eligible_payers', 'employers(ref)', 'payers')}
${sharedTable('accounts', 'name TEXT')}
${sharedTable('policy_holders', 'first_name TEXT, last_name TEXT')}
${sharedTable('claim_member_records', 'email TEXT, first_name TEXT, last_name TEXT, employer_ref INTEGER REFERENCES employers(ref)')}
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
  ${integers`unread_count archived can_make_claim_requests can_use_portal`},
  ${texts`first_name last_name first_name_derived last_name_derived full_name_derived email address
    ssn partner_key date_of_birth archived_date createddate modifieddate`},
  employer_ref INTEGER REFERENCES employers(ref),
  tenant_ref INTEGER REFERENCES tenants(ref),
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id),
  bytes_hash BLOB
) STRICT;
${listTable('member_accounts', 'members(id)', 'accounts')}
CREATE TABLE dependents (
  ref INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL REFERENCES members(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id INTEGER,
  ${texts`first_name middle_name last_name email address ssn partner_key date_of_birth createddate
    modifieddate extra`},
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
  ${integers`dataobject_id service_provider_npi_number service_provider_billing_npi_number is_incomplete
    recrawl_requested amount_billed discount amount_allowed amount_paid amount_paid_other
    amount_not_covered copayment coinsurance_patient reduction patient_responsibility
    incurred_value computed_amount_billed computed_amount_allowed computed_amount_paid
    computed_copayment computed_coinsurance_patient computed_reduction
    computed_patient_responsibility`},
  ${texts`status network patient_name service_provider service_provider_address
    service_provider_number service_provider_billing_name service_provider_billing_address
    service_provider_billing_number service_provider_billing_phone processed_on eob_date
    check_date check_number group_name group_number patient_account_number patient_payer_number
    remarks vendor_system_id uuid createddate modifieddate date_column last_updated_status
    date_of_service_start date_of_service_end date_of_service_bounds`},
  type_type_id INTEGER,
  type_name TEXT,
  policy_holder_ref INTEGER REFERENCES policy_holders(ref),
  extra TEXT,
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id),
  member_names TEXT,
  employer_names TEXT,
  bytes_hash BLOB
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
  ${integers`id claim_medical_line_id days_supply prescription_type_id`},
  quantity REAL,
  ${integers`amount_billed discount amount_allowed amount_paid amount_paid_other amount_not_covered
    copayment coinsurance_patient reduction patient_responsibility total_patient_responsibility`},
  ${texts`procedure_code procedure_name diagnosis_code national_drug_code prescription_type_str
    vendor_system_id uuid date_of_service_start date_of_service_end date_of_service_bounds extra`},
  shape_id INTEGER NOT NULL REFERENCES record_shapes(id),
  UNIQUE (parent, position)
) STRICT;
CREATE INDEX claim_members_by_member ON claim_members (member_id, parent);
CREATE INDEX claim_members_by_ref ON claim_members (ref, parent);
CREATE INDEX claims_by_status ON claims (status);
CREATE INDEX claims_by_billed ON claims (amount_billed);
CREATE INDEX claims_by_patient ON claims (patient_name);
CREATE INDEX claims_by_provider ON claims (service_provider);
CREATE INDEX claims_by_policy_holder ON claims (policy_holder_ref);
CREATE INDEX claims_by_members ON claims (member_names);
CREATE INDEX claims_by_employers ON claims (employer_names);
CREATE INDEX claims_by_service_days ON claims
  (range_days(date_of_service_start, date_of_service_end, date_of_service_bounds));
CREATE INDEX claims_by_number ON claims (vendor_system_id) WHERE vendor_system_id<>'';
CREATE INDEX claims_gone ON claims (id) WHERE gone_since IS NOT NULL;
CREATE INDEX members_gone ON members (id) WHERE gone_since IS NOT NULL;
CREATE INDEX members_by_name ON members (last_name, first_name, id);
CREATE INDEX members_by_employer ON members (employer_ref, id);
CREATE INDEX members_by_ssn ON members (ssn_hash(ssn)) WHERE ssn IS NOT NULL;
CREATE INDEX dependents_by_id ON dependents (id);
CREATE INDEX dependents_by_ssn ON dependents (ssn_hash(ssn)) WHERE ssn IS NOT NULL;

CREATE VIRTUAL TABLE members_text USING fts5(body, content='', contentless_delete=1, detail=none, prefix='1',
  tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE dependents_text USING fts5(body, content='', contentless_delete=1, detail=none, prefix='1',
  tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE claims_text USING fts5(body, content='', contentless_delete=1, detail=none, prefix='1',
  tokenize='unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE claims_words USING fts5vocab(claims_text, row);

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

CREATE TABLE gone_records (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  since TEXT NOT NULL,
  confirmed_at TEXT,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sync_changes (
  seq INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  change TEXT NOT NULL,
  at TEXT NOT NULL,
  fields TEXT NOT NULL,
  is_cut INTEGER NOT NULL,
  UNIQUE (run_id, kind, id)
) STRICT;
CREATE TABLE sync_change_counts (
  seq INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL,
  new INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  missing INTEGER NOT NULL DEFAULT 0,
  confirmed INTEGER NOT NULL DEFAULT 0,
  returned INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE record_versions (
  kind TEXT PRIMARY KEY,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO record_versions (kind, version) VALUES ('members', 1), ('claims', 1), ('reviews', 1);
CREATE TRIGGER members_deleted AFTER DELETE ON members
  BEGIN UPDATE record_versions SET version=version+1 WHERE kind='members'; END;
CREATE TRIGGER claims_deleted AFTER DELETE ON claims
  BEGIN UPDATE record_versions SET version=version+1 WHERE kind='claims'; END;
CREATE TRIGGER members_marked AFTER UPDATE OF gone_since ON members WHEN OLD.gone_since IS NOT NEW.gone_since
  BEGIN UPDATE record_versions SET version=version+1 WHERE kind='members'; END;
CREATE TRIGGER claims_marked AFTER UPDATE OF gone_since ON claims WHEN OLD.gone_since IS NOT NEW.gone_since
  BEGIN UPDATE record_versions SET version=version+1 WHERE kind='claims'; END;
CREATE TABLE connection_carriers (
  policy_holder_id INTEGER PRIMARY KEY,
  carrier TEXT NOT NULL
) STRICT;

CREATE TABLE changed_claims (
  seq INTEGER PRIMARY KEY,
  id INTEGER NOT NULL
) STRICT;
CREATE TRIGGER claim_added AFTER INSERT ON claims
  BEGIN INSERT INTO changed_claims (id) VALUES (NEW.id); END;
CREATE TRIGGER claim_removed AFTER DELETE ON claims
  BEGIN INSERT INTO changed_claims (id) VALUES (OLD.id); END;
CREATE TRIGGER claim_changed AFTER UPDATE OF digest, gone_since ON claims
  WHEN OLD.digest IS NOT NEW.digest OR OLD.gone_since IS NOT NEW.gone_since
  BEGIN INSERT INTO changed_claims (id) VALUES (NEW.id); END;

CREATE TABLE duplicate_pairs (
  left_id INTEGER NOT NULL,
  right_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  payable INTEGER NOT NULL,
  is_left_replaced INTEGER NOT NULL,
  is_right_replaced INTEGER NOT NULL,
  is_of_feed INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (left_id, right_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX duplicate_pairs_by_right ON duplicate_pairs (right_id);

CREATE TABLE claim_reviews (
  claim_id INTEGER PRIMARY KEY,
  ${texts`state outcome on_whom reason reminder owner`},
  is_flagged INTEGER,
  ${texts`tags note reviewed_at reviewed_by changed_at changed_fields`},
  changed_responsibility INTEGER,
  reimbursed INTEGER,
  ${texts`digest decided_outcome second_by last_event_at`},
  paid_values TEXT
) STRICT;
CREATE INDEX claim_reviews_by_state ON claim_reviews (state, claim_id);
CREATE INDEX claim_reviews_changed ON claim_reviews (claim_id) WHERE changed_at IS NOT NULL;
CREATE INDEX claim_reviews_waiting ON claim_reviews (reminder) WHERE state='waiting';

CREATE TABLE outdated_claims (
  id INTEGER PRIMARY KEY
) STRICT;
CREATE TRIGGER review_added AFTER INSERT ON claim_reviews
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (NEW.claim_id); END;
CREATE TRIGGER review_changed AFTER UPDATE ON claim_reviews
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (NEW.claim_id); END;
CREATE TRIGGER review_removed AFTER DELETE ON claim_reviews
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (OLD.claim_id); END;

CREATE TABLE judged_pairs (
  left_id INTEGER NOT NULL,
  right_id INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  is_duplicate INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (left_id, right_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ruled_out_pairs_by_right ON judged_pairs (right_id);
CREATE TRIGGER pair_ruled_out AFTER INSERT ON judged_pairs
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (NEW.left_id), (NEW.right_id); END;
CREATE TRIGGER pair_no_longer_ruled_out AFTER DELETE ON judged_pairs
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (OLD.left_id), (OLD.right_id); END;
CREATE TABLE claim_facts (
  id INTEGER PRIMARY KEY,
  ${texts`plan_year plan_year_end run_out_day`},
  eligible INTEGER,
  open INTEGER,
  changed_since_paid TEXT,
  duplicate TEXT,
  ${integers`payable_twice line_difference parts_sum`},
  ${texts`amounts_disagree missing_items denial appeal_check_by pending_since`},
  ${integers`is_not_split has_other_insurance is_quality_sample year_allowed is_high_cost`},
  person_year TEXT,
  allowed INTEGER,
  high_cost_from INTEGER
) STRICT;
CREATE INDEX claim_facts_by_person_year ON claim_facts (person_year, allowed) WHERE person_year IS NOT NULL;
CREATE TABLE claim_worklists (
  worklist INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  id INTEGER NOT NULL,
  patient_responsibility INTEGER NOT NULL,
  PRIMARY KEY (worklist, rank, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX claim_worklists_by_claim ON claim_worklists (id);
CREATE TABLE worklist_counts (
  worklist INTEGER PRIMARY KEY,
  claims INTEGER NOT NULL,
  patient_responsibility INTEGER NOT NULL
) STRICT;
CREATE TRIGGER worklist_joined AFTER INSERT ON claim_worklists BEGIN
  INSERT INTO worklist_counts (worklist, claims, patient_responsibility)
    VALUES (NEW.worklist, 1, NEW.patient_responsibility)
    ON CONFLICT (worklist) DO UPDATE SET claims=claims+1,
      patient_responsibility=patient_responsibility+NEW.patient_responsibility;
END;
CREATE TRIGGER worklist_left AFTER DELETE ON claim_worklists BEGIN
  UPDATE worklist_counts SET claims=claims-1, patient_responsibility=patient_responsibility-OLD.patient_responsibility
    WHERE worklist=OLD.worklist;
END;
`;
