/** A field that gets a column of its own: `key` as the service names it, in rows of `table`. */
interface MovedField {
  readonly table: string;
  readonly key: string;
  readonly column: string;
  readonly kind: 'text' | 'integer' | 'real' | 'money' | 'boolean';
}

const columnTypes = { text: 'TEXT', integer: 'INTEGER', real: 'REAL', money: 'INTEGER', boolean: 'INTEGER' };

/** SQLite may not read a number with more digits to exactly the double that JSON.parse reads. */
const maxExactSigns = 15;

/**
 * SQL that adds a column for a field that was unknown so far, and moves its values there from what is kept beside the
 * columns (`extra`), so that every record reads as before: what was null stays null, and what was absent stays absent
 * (docs/service.md, "Resources and their fields": unknown fields are kept).
 *
 * A value that the column cannot hold exactly stays beside it, and is read from there. That a row had no such field
 * is recorded once for each set of markers, as `table:key`: so rows without it are not written. Not for a field
 * inside a flattened object (`date_of_service.x`): those rows do not say which of its keys were absent.
 *
 * Migrations that are released use this: it never changes, a better one gets another name.
 */
export function moveField({ table, key, column, kind }: MovedField): string {
  const path = `'$."${key}"'`;
  const type = `json_type(extra, ${path})`;
  // The value as JSON text: a string with its quotes and escapes.
  const written = `(extra -> ${path})`;
  const value = `(extra ->> ${path})`;
  const isShort = `length(${written})<=${maxExactSigns} AND instr(lower(${written}), 'e')=0`;
  const isNumber = `${type} IN ('integer', 'real')`;
  const tenThousandths = `CAST(round(${value}*10000.0) AS INTEGER)`;
  const isSafe = (number: string): string => `abs(${number})<=9007199254740991`;
  // The value for the column; null where the column cannot hold it.
  const cells = {
    // Only lone surrogates and control characters are written as \u.
    text: `CASE WHEN ${type}='text' AND instr(${written}, '\\u')=0 THEN ${value} END`,
    integer: `CASE WHEN ${type}='integer' AND length(${written})<=17 AND ${isSafe(value)} THEN ${value} END`,
    real: `CASE WHEN ${isNumber} AND ${isShort} THEN CAST(${value} AS REAL) END`,
    money: `CASE WHEN ${isNumber} AND abs(${value})<9e11 THEN ${tenThousandths} END`,
    boolean: `CASE ${type} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`,
  };
  // An amount finer than a ten-thousandth has a rounded cell, so that sums include it, and stays in extra.
  const isExact = kind === 'money' ? `${isShort} AND ${tenThousandths}/10000.0=${value}` : 'TRUE';
  return `
ALTER TABLE ${table} ADD COLUMN ${column} ${columnTypes[kind]};
UPDATE record_shapes SET markers=json_insert(markers, '$[#]', '${table}:${key}');
UPDATE ${table} SET
  ${column}=${cells[kind]},
  extra=CASE WHEN ${isExact} THEN nullif(json_remove(extra, ${path}), '{}') ELSE extra END
  WHERE instr(extra, '"${key}"')>0 AND CASE WHEN json_valid(extra) THEN ${cells[kind]} IS NOT NULL END;
`;
}
