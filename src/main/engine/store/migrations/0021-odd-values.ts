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

/** Whether something of these names was kept beside the columns. What cannot be read as JSON here is read again as well. */
const keeps = (names: readonly string[]): string =>
  `extra IS NOT NULL AND CASE WHEN json_valid(extra) THEN EXISTS (SELECT 1 FROM json_each(extra) kept
     WHERE kept.key IN (${names.map((name) => `'${name}'`).join(', ')})) ELSE TRUE END`;

/** The names that were kept beside the columns; known ones are left out when they are listed. */
const nameUnknown = (list: string, table: string, id: string): string =>
  `INSERT OR IGNORE INTO unknown_fields (list, field) SELECT '${list}', kept.key
   FROM ${table} r CROSS JOIN json_each(CASE WHEN json_valid(r.extra) THEN r.extra ELSE '{}' END) kept
   WHERE r.${id}>? AND r.${id}<=? AND r.extra IS NOT NULL`;

/**
 * `odd_amounts`: amounts of a claim (position -1) and of its lines that their cells do not hold exactly, with the millionths
 * of a dollar that the cell leaves over; null: what came can't be a number. `unknown_fields`: the names of fields that no
 * column has. `records_to_write`: records with amounts or lists that an older version kept beside the columns as a whole;
 * they are written again once the file is open.
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
