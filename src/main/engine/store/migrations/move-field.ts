/** A field that gets a column of its own: `key` is the service's name, `table` the table of its rows. */
interface MovedField {
  readonly table: string;
  readonly key: string;
  readonly column: string;
  readonly kind: 'text' | 'integer' | 'real' | 'money' | 'boolean';
}

const columnTypes = { text: 'TEXT', integer: 'INTEGER', real: 'REAL', money: 'INTEGER', boolean: 'INTEGER' };

/** SQLite may read a number with more digits as another double than JSON.parse does. */
const maxExactSigns = 15;

/**
 * SQL that adds a column for a field that was unknown so far, and moves its values there from `extra`, the JSON of
 * fields without a column. Every record reads as before: what was null stays null, and what was absent stays absent
 * (docs/service.md, "Resources and their fields": unknown fields are kept).
 *
 * A value that the column cannot hold exactly stays in `extra` and is read from there. That rows may lack the field is
 * recorded once for each set of markers, as `table:key`, so that rows without it need not be written. Not for a field
 * inside a flattened object (`date_of_service.x`): those rows do not say which of its keys were absent.
 *
 * Released migrations use this function, so it must never change; a different one needs another name.
 */
export function moveField({ table, key, column, kind }: MovedField): string {
  const path = `'$."${key}"'`;
  const type = `json_type(extra, ${path})`;
  // The value as JSON text: a string includes its quotes and escapes.
  const written = `(extra -> ${path})`;
  const value = `(extra ->> ${path})`;
  const isShort = `length(${written})<=${maxExactSigns} AND instr(lower(${written}), 'e')=0`;
  const isNumber = `${type} IN ('integer', 'real')`;
  const tenThousandths = `CAST(round(${value}*10000.0) AS INTEGER)`;
  const isSafe = (number: string): string => `abs(${number})<=9007199254740991`;
  // The value for the column; null where the column cannot hold it.
  const cells = {
    // In JSON text, `\u` is used only for lone surrogates and control characters, which the column cannot hold exactly.
    text: `CASE WHEN ${type}='text' AND instr(${written}, '\\u')=0 THEN ${value} END`,
    integer: `CASE WHEN ${type}='integer' AND length(${written})<=17 AND ${isSafe(value)} THEN ${value} END`,
    real: `CASE WHEN ${isNumber} AND ${isShort} THEN CAST(${value} AS REAL) END`,
    money: `CASE WHEN ${isNumber} AND abs(${value})<9e11 THEN ${tenThousandths} END`,
    boolean: `CASE ${type} WHEN 'true' THEN 1 WHEN 'false' THEN 0 END`,
  };
  // An amount finer than a ten-thousandth is rounded in its column, so that sums include it, and stays in `extra` as
  // well.
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
