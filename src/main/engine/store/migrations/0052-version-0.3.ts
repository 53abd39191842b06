const amounts = [
  'amount_billed',
  'discount',
  'amount_allowed',
  'amount_paid',
  'amount_paid_other',
  'amount_not_covered',
  'copayment',
  'coinsurance_patient',
  'reduction',
  'patient_responsibility',
  'total_patient_responsibility',
  'incurred_value',
  'computed_amount_billed',
  'computed_amount_allowed',
  'computed_amount_paid',
  'computed_copayment',
  'computed_coinsurance_patient',
  'computed_reduction',
  'computed_patient_responsibility',
];

const addColumns = (table: string, columns: string): string =>
  columns
    .split(/,\s+/)
    .map((column) => `ALTER TABLE ${table} ADD COLUMN ${column};`)
    .join('\n');

/** SQL: whether `extra` has a value under one of these names, or cannot be read as JSON by SQLite. */
const keeps = (names: readonly string[]): string =>
  `extra IS NOT NULL AND CASE WHEN json_valid(extra) THEN EXISTS (SELECT 1 FROM json_each(extra) kept
     WHERE kept.key IN (${names.map((name) => `'${name}'`).join(', ')})) ELSE TRUE END`;

/** SQL that stores the names of all fields in `extra`. Names of known fields are left out when the table is read. */
const nameUnknown = (list: string, table: string, id: string): string =>
  `INSERT OR IGNORE INTO unknown_fields (list, field) SELECT '${list}', kept.key
   FROM ${table} r CROSS JOIN json_each(CASE WHEN json_valid(r.extra) THEN r.extra ELSE '{}' END) kept
   WHERE r.${id}>? AND r.${id}<=? AND r.extra IS NOT NULL`;

/** Not `OR IGNORE`: instead, the statement that fires the trigger would decide what a conflict does. */
const outdate = (id: string): string =>
  `INSERT INTO outdated_families (member_id) SELECT ${id} WHERE NOT EXISTS (SELECT 1 FROM outdated_families WHERE member_id=${id});`;

/**
 * SQL that marks the records whose search text has a word in Chinese, Japanese, or Korean. They are rewritten once the
 * file is open, so that the index has each part of such a word. U+1100 is the first of these characters.
 */
const markUnsplit = (kind: 'claims' | 'members', table: string, id: string): string =>
  `CREATE VIRTUAL TABLE ${table}_found USING fts5vocab(${table}_text, instance);
INSERT OR IGNORE INTO records_to_write (kind, id) SELECT DISTINCT '${kind}', ${id} FROM ${table}_found
  WHERE term>=char(0x1100);
DROP TABLE ${table}_found;
`;

/**
 * What users decided and recorded about a claim. `older_at`: the record here is older than the reviewed one. `rule_id`:
 * the rule that decided it, because names can be changed or shared; `second_look`: the percentage of that rule's
 * decisions that a second person checks. `appeal_due`: by when the appeal that lists show must be answered;
 * `appeal_sent`: 1 where the carrier has or had one. `letter_said`: what letters said, as JSON text. The report by
 * person counts `claim_decisions` and `claim_checks`. `claim_runs` has the claims of reimbursement runs,
 * `related_claims` users' answers about two claims of a chain.
 */
const reviews = `
${addColumns(
  'claim_reviews',
  `change_size INTEGER, cause TEXT, kept_eligible INTEGER, kept_by_rules INTEGER, older_at TEXT,
  decided_twice TEXT, paid_twice INTEGER, run TEXT, run_amount INTEGER, run_state TEXT,
  written_off INTEGER, paid_on TEXT, gone_answer TEXT, gone_answered_at TEXT, rejected TEXT,
  earlier_paid TEXT, odd_payment TEXT, failure TEXT, rule TEXT, second_look INTEGER, rule_id TEXT, appeal TEXT,
  appeal_day TEXT, appeal_due TEXT, appeal_sent INTEGER, is_substantiated INTEGER, letter TEXT, letter_day TEXT,
  letter_said TEXT`,
)}
CREATE INDEX claim_reviews_by_earlier ON claim_reviews (claim_id) WHERE earlier_paid IS NOT NULL;
CREATE INDEX claim_reviews_by_rule ON claim_reviews (rule_id) WHERE rule_id IS NOT NULL;
CREATE TABLE claim_decisions (
  author TEXT NOT NULL,
  is_verified INTEGER NOT NULL,
  claim_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  at TEXT NOT NULL,
  outcome TEXT,
  is_reopened INTEGER NOT NULL,
  PRIMARY KEY (author, is_verified, claim_id, position)
) WITHOUT ROWID;
CREATE INDEX claim_decisions_by_claim ON claim_decisions (claim_id);
CREATE TABLE claim_checks (
  author TEXT NOT NULL,
  is_verified INTEGER NOT NULL,
  claim_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  at TEXT NOT NULL,
  agrees INTEGER NOT NULL,
  PRIMARY KEY (author, is_verified, claim_id, position)
) WITHOUT ROWID;
CREATE INDEX claim_checks_by_claim ON claim_checks (claim_id);
CREATE TABLE claim_runs (
  run_id TEXT NOT NULL,
  claim_id INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  PRIMARY KEY (run_id, claim_id)
) WITHOUT ROWID;
CREATE INDEX claim_runs_by_claim ON claim_runs (claim_id);
CREATE TABLE related_claims (
  claim_id INTEGER NOT NULL,
  other_id INTEGER NOT NULL,
  relation TEXT NOT NULL,
  event_id TEXT NOT NULL,
  PRIMARY KEY (claim_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX related_claims_by_other ON related_claims (other_id);
CREATE TRIGGER claims_related AFTER INSERT ON related_claims
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (NEW.claim_id), (NEW.other_id); END;
CREATE TRIGGER claims_not_related AFTER DELETE ON related_claims
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (OLD.claim_id), (OLD.other_id); END;
`;

/**
 * What is computed about a claim, and the worklists with the amounts that they add up. `proposal`: what rules propose;
 * `letter_untrue`: the letters that are no longer true; `pair_order`: the position of its pair of possible duplicates
 * among all pairs. `outdated_families`: families whose plan year is computed again, because a claim, a review, or a
 * name changed.
 */
const facts = `
${addColumns(
  'claim_facts',
  `eligible_by_rules INTEGER, declined INTEGER, disputed INTEGER, to_pay TEXT, amounts_difference INTEGER,
  decide_by TEXT, due_day TEXT, due_kind TEXT, owed INTEGER, family INTEGER, account_rule TEXT,
  account_share INTEGER, carrier_disagrees TEXT, carrier_difference INTEGER, chain_role TEXT,
  chain_claim INTEGER, to_decide TEXT, is_void INTEGER, exceptions TEXT, exceptions_why TEXT,
  review_until TEXT, carrier_deductible INTEGER, carrier_out_of_pocket INTEGER, chain_moved INTEGER,
  exception_parts TEXT, proposal TEXT, proposal_rule TEXT, proposed_by TEXT, letter_untrue TEXT, pair_order INTEGER`,
)}
CREATE INDEX claim_facts_by_owed ON claim_facts (owed) WHERE owed>0;
CREATE INDEX claim_facts_by_family ON claim_facts (family) WHERE family IS NOT NULL;
CREATE INDEX claim_facts_by_moved ON claim_facts (id, chain_moved) WHERE chain_moved IS NOT NULL;
CREATE INDEX claim_facts_by_proposed ON claim_facts (proposed_by, open) WHERE proposed_by IS NOT NULL;
CREATE INDEX claim_facts_pair_order ON claim_facts (pair_order) WHERE pair_order IS NOT NULL;
CREATE TABLE outdated_families (
  member_id INTEGER PRIMARY KEY
) STRICT;
CREATE TRIGGER family_member_added AFTER INSERT ON members BEGIN ${outdate('NEW.id')} END;
CREATE TRIGGER family_member_renamed AFTER UPDATE OF first_name, last_name ON members BEGIN ${outdate('NEW.id')} END;
CREATE TRIGGER family_dependent_added AFTER INSERT ON dependents BEGIN ${outdate('NEW.parent')} END;
CREATE TRIGGER family_dependent_renamed AFTER UPDATE OF first_name, middle_name, last_name ON dependents
  BEGIN ${outdate('NEW.parent')} END;
CREATE TRIGGER family_dependent_removed AFTER DELETE ON dependents BEGIN ${outdate('OLD.parent')} END;

DROP TABLE claim_worklists;
DROP TABLE worklist_counts;
CREATE TABLE claim_worklists (
  worklist INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  id INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (worklist, rank, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX claim_worklists_by_claim ON claim_worklists (id);
CREATE TABLE worklist_counts (
  worklist INTEGER PRIMARY KEY,
  claims INTEGER NOT NULL,
  amount INTEGER NOT NULL
) STRICT;
CREATE TRIGGER worklist_joined AFTER INSERT ON claim_worklists BEGIN
  INSERT INTO worklist_counts (worklist, claims, amount) VALUES (NEW.worklist, 1, NEW.amount)
    ON CONFLICT (worklist) DO UPDATE SET claims=claims+1, amount=amount+NEW.amount;
END;
CREATE TRIGGER worklist_left AFTER DELETE ON claim_worklists BEGIN
  UPDATE worklist_counts SET claims=claims-1, amount=amount-OLD.amount WHERE worklist=OLD.worklist;
END;
`;

/**
 * Claims compared with others. `equal_claims`, `equal_groups`: groups of equal claims that are too large to store every
 * pair. `judged_pairs` gets the event that judged a pair, and which of its claims is marked as the duplicate.
 * `claim_chains`: an original, its reversals and its corrections; `group_id` is the smallest ID of the claims that may
 * belong together.
 */
const comparisons = `
DELETE FROM duplicate_pairs;
ALTER TABLE duplicate_pairs DROP COLUMN payable;
ALTER TABLE duplicate_pairs DROP COLUMN is_left_replaced;
ALTER TABLE duplicate_pairs DROP COLUMN is_right_replaced;
CREATE TABLE equal_claims (
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL
) STRICT;
CREATE INDEX equal_claims_by_fingerprint ON equal_claims (fingerprint);
CREATE TABLE equal_groups (
  fingerprint TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  is_of_feed INTEGER NOT NULL,
  is_outdated INTEGER NOT NULL,
  first_id INTEGER,
  first_amount INTEGER,
  second_id INTEGER,
  second_amount INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX equal_groups_outdated ON equal_groups (is_outdated) WHERE is_outdated=1;
ALTER TABLE judged_pairs ADD COLUMN marked_id INTEGER;
ALTER TABLE judged_pairs ADD COLUMN event_id TEXT;
CREATE TABLE claim_chains (
  id INTEGER PRIMARY KEY,
  group_id INTEGER NOT NULL,
  chain INTEGER,
  role TEXT,
  by_id INTEGER,
  failure TEXT
) STRICT;
CREATE INDEX claim_chains_by_group ON claim_chains (group_id);
CREATE INDEX claim_chains_by_chain ON claim_chains (chain);
CREATE TABLE failed_comparisons (id INTEGER PRIMARY KEY, why TEXT NOT NULL) STRICT;
CREATE TRIGGER comparison_failed AFTER INSERT ON failed_comparisons
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (NEW.id); END;
CREATE TRIGGER comparison_worked AFTER DELETE ON failed_comparisons
  BEGIN INSERT OR IGNORE INTO outdated_claims (id) VALUES (OLD.id); END;
`;

/**
 * `unread_amounts`: amounts of a claim (position -1) and of its lines that can't be numbers. `unknown_fields`: names of
 * fields that have no column. `records_to_write`: records that are rewritten once the file is open. `claim_reads`:
 * claims that were read after the last sync that ran to its end, and when.
 */
const records = `
CREATE TABLE unread_amounts (
  claim_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  field TEXT NOT NULL,
  PRIMARY KEY (claim_id, position, field)
) STRICT, WITHOUT ROWID;
CREATE TABLE unknown_fields (
  list TEXT NOT NULL,
  field TEXT NOT NULL,
  PRIMARY KEY (list, field)
) STRICT, WITHOUT ROWID;
CREATE TABLE records_to_write (
  kind TEXT NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE claim_reads (
  claim_id INTEGER PRIMARY KEY,
  at TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE members_words USING fts5vocab(members_text, row);
CREATE VIRTUAL TABLE dependents_words USING fts5vocab(dependents_text, row);
`;

/**
 * What version 0.3 adds to the records file of version 0.2. Everything that is computed from records and events is
 * computed again. `chains.moved` stays in a file that already has claims until the card on Start is dismissed.
 */
export const sql = [
  records,
  reviews,
  facts,
  comparisons,
  {
    rowsOf: 'claims',
    sql: `INSERT INTO records_to_write (kind, id) SELECT 'claims', id FROM claims
  WHERE id>? AND id<=? AND ${keeps([...amounts, 'members', 'claim_medical_lines'])}`,
  },
  {
    rowsOf: 'claims',
    sql: `INSERT OR IGNORE INTO records_to_write (kind, id) SELECT 'claims', parent FROM claim_lines
  WHERE parent>? AND parent<=? AND ${keeps(amounts)}`,
  },
  {
    rowsOf: 'members',
    sql: `INSERT INTO records_to_write (kind, id) SELECT 'members', id FROM members
  WHERE id>? AND id<=? AND ${keeps(['accounts', 'dependents', 'vendor_members'])}`,
  },
  { rowsOf: 'claims', sql: nameUnknown('claims', 'claims', 'id') },
  { rowsOf: 'claims', sql: nameUnknown('lines', 'claim_lines', 'parent') },
  markUnsplit('claims', 'claims', 'doc'),
  markUnsplit('members', 'members', 'doc'),
  markUnsplit('members', 'dependents', '(SELECT parent FROM dependents WHERE ref=doc)'),
  `DELETE FROM sync_state WHERE name IN ('reviews', 'worklists.settled');
INSERT INTO sync_state (name, value) SELECT 'chains.moved', 'true' WHERE EXISTS (SELECT 1 FROM claims);
INSERT INTO changed_claims (id) SELECT id FROM claims;
INSERT OR IGNORE INTO outdated_claims (id) SELECT id FROM claims;`,
];
