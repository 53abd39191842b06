import type { Entity } from '../../../../contract/fields.ts';
import type { Condition, ListQuery } from '../../../../contract/query.ts';
import type { Connection } from '../connection.ts';
import { buildCondition, buildFrom, buildKeys, buildOrder, buildSearch, buildTerms } from './build-query.ts';
import type { Sql } from './conditions.ts';
import { listTables } from './list-tables.ts';

/** A condition that leaves at most so many rows is begun with; sorting them takes a few milliseconds. */
const fewRows = 4_000;
/** Rows that are walked in the order of an index, then, before the whole table is read instead. */
const walks = [600, 6_000];

/** Columns with an index of their own, by which a list can be walked in order. */
const walkable: Readonly<Record<Entity, readonly string[]>> = {
  claims: ['id', 'date_of_service.start', 'status', 'amount_billed', 'patient_name', 'service_provider'],
  members: ['id', 'last_name'],
  dependents: [],
  lines: [],
};

/** Conditions that an index answers. */
const isIndexed = (entity: Entity, { field, operator }: Condition): boolean =>
  ['is', 'isOneOf', 'between', 'atLeast', 'atMost', 'moreThan', 'lessThan'].includes(operator) &&
  (walkable[entity].includes(field) ||
    ['members.id', 'members.employer.id', 'members.tenant.id', 'policy_holder.id', 'ssn'].includes(field) ||
    field.startsWith('$'));

/** A term that SQLite evaluates row by row and takes no index for. */
const unindexed = (term: Sql): Sql => ({ text: `+(${term.text})`, values: term.values });

/**
 * The first keys of a list without making the whole of it: by a condition or search that leaves few rows; else
 * along the index of the sort, as far as that seems worth it; else by reading the table once, which keeps only
 * the best.
 *
 * @throws DeskError `query.invalid`
 */
export function readFirstKeys(connection: Connection, query: ListQuery, limit: number): number[] {
  const { entity } = query;
  const { table, alias, key, joins } = listTables[entity];
  const order = buildOrder(entity, query.sort);
  const all = (sql: Sql): number[] => connection.prepare(sql.text).pluck().all(sql.values) as number[];
  const terms = buildTerms(query);

  const narrow = (query.conditions ?? [])
    .filter((condition) => isIndexed(entity, condition))
    .map((condition) => buildCondition(entity, condition));
  const search = buildSearch(query);
  if (search !== null) narrow.unshift(search);
  for (const term of narrow) {
    const found = all({
      text: `SELECT ${alias}.${key} FROM ${table} ${alias} ${joins} WHERE ${term.text} LIMIT ${fewRows + 1}`,
      values: term.values,
    });
    if (found.length > fewRows) continue;
    const from = buildFrom(query, [
      { text: `${alias}.${key} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(found)] },
      ...terms.filter((other) => other.text !== term.text).map(unindexed),
    ]);
    return all({ text: `SELECT ${alias}.${key} ${from.text} ${order} LIMIT ${limit}`, values: from.values });
  }

  const [first] = query.sort ?? [];
  const isWalkable =
    (query.sort ?? []).length <= 1 &&
    search === null &&
    (first === undefined || (walkable[entity].includes(first.field) && first.nulls !== 'first'));
  for (const walkedRows of isWalkable ? walks : []) {
    const walked = `SELECT ${alias}.${key} FROM ${table} ${alias} ${order} LIMIT ${walkedRows}`;
    const from = buildFrom(query, [
      { text: `${alias}.${key} IN (${walked})`, values: [] },
      ...terms.map(unindexed),
    ]);
    const found = all({
      text: `SELECT ${alias}.${key} ${from.text} ${order} LIMIT ${limit}`,
      values: from.values,
    });
    if (found.length === limit) return found;
  }
  if (search !== null) {
    const { text, values } = buildKeys(query);
    return all({ text: `${text} LIMIT ${limit}`, values });
  }
  const from = buildFrom(query, terms.map(unindexed));
  return all({ text: `SELECT ${alias}.${key} ${from.text} ${order} LIMIT ${limit}`, values: from.values });
}
