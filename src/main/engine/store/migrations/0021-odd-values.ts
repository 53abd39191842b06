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

/** SQL: whether `extra` has a value under one of these names, or cannot be read as JSON by SQLite. */
const keeps = (names: readonly string[]): string =>
  `extra IS NOT NULL AND CASE WHEN json_valid(extra) THEN EXISTS (SELECT 1 FROM json_each(extra) kept
     WHERE kept.key IN (${names.map((name) => `'${name}'`).join(', ')})) ELSE TRUE END`;

/** SQL that stores the names of all fields in `extra`. Names of known fields are left out when the table is read. */
const nameUnknown = (list: string, table: string, id: string): string =>
  `INSERT OR IGNORE INTO unknown_fields (list, field) SELECT '${list}', kept.key
   FROM ${table} r CROSS JOIN json_each(CASE WHEN json_valid(r.extra) THEN r.extra ELSE '{}' END) kept
   WHERE r.${id}>? AND r.${id}<=? AND r.extra IS NOT NULL`;

/**
 * `odd_amounts`: amounts of a claim (position -1) and of its lines that their columns cannot hold exactly, with the
 * remainder in millionths of a dollar; null where the value can't be a number. `unknown_fields`: names of fields that
 * have no column. `records_to_write`: records with amounts or lists that an older version stored in `extra`; they are
 * written again once the file is open.
 */
export const sql = [
  `CREATE TABLE odd_amounts (
  claim_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  field TEXT NOT NULL,
  rest INTEGER,
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
) STRICT, WITHOUT ROWID;`,
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
];
