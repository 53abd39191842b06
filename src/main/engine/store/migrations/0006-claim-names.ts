const clean = (column: string): string =>
  `trim(replace(replace(coalesce(${column}, ''), char(9), ' '), char(10), ' '))`;

/**
 * The names of a claim's members (last name, line break, first name) and of their employers, each list with tabs
 * between, in columns of the claim, so that lists sort, filter and group by them as by others. And the carriers of
 * connections, as they were last read. None of it is part of a record. Migration 14 makes their indexes.
 */
export const sql = [
  'ALTER TABLE claims ADD COLUMN member_names TEXT;',
  'ALTER TABLE claims ADD COLUMN employer_names TEXT;',
  {
    rowsOf: 'claims',
    sql: `UPDATE claims SET
  member_names=(
    SELECT group_concat(name, char(9) ORDER BY position) FROM (
      SELECT ${clean('r.last_name')}||char(10)||${clean('r.first_name')} AS name, m.position
      FROM claim_members m JOIN claim_member_records r ON r.ref=m.ref WHERE m.parent=claims.id
    ) WHERE name<>char(10)),
  employer_names=(
    SELECT group_concat(name, char(9) ORDER BY position) FROM (
      SELECT ${clean('e.name')} AS name, min(m.position) AS position
      FROM claim_members m JOIN claim_member_records r ON r.ref=m.ref JOIN employers e ON e.ref=r.employer_ref
      WHERE m.parent=claims.id GROUP BY name
    ) WHERE name<>'')
  WHERE id>? AND id<=?`,
  },
  `CREATE TABLE connection_carriers (
  policy_holder_id INTEGER PRIMARY KEY,
  carrier TEXT NOT NULL
) STRICT;`,
];
