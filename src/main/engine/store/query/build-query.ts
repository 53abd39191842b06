import { type Entity, type FieldSpec, isDated, isSortable } from '../../../../contract/fields.ts';
import type { Condition, ListQuery, Sort } from '../../../../contract/query.ts';
import { DeskError } from '../../../lib/errors.ts';
import { normalizeSsn } from '../record/ssn-hash.ts';
import { toTextQuery } from '../record/text-index.ts';
import { comparison, invalidQuery, type Sql } from './conditions.ts';
import { joinHalves, sumColumns } from './exact-sums.ts';
import { claimOf, findLink, linkCondition, linkSources, manyCondition } from './link-conditions.ts';
import { columnOf, findField, listTables, sharedOf } from './list-tables.ts';
import {
  firstDayCondition,
  firstDayPath,
  monthColumn,
  monthPath,
  rangeCondition,
} from './range-conditions.ts';
import { worklistPath } from './worklist-conditions.ts';

/** Whether a list is sorted by days of service, so that it is read along their index. */
const isByDays = ({ entity, sort }: ListQuery): boolean =>
  sort?.[0] !== undefined && findField(entity, sort[0].field)?.kind === 'dateRange';

/** A condition as a term of the list's statement. @throws DeskError `query.invalid` */
export function buildCondition(query: ListQuery, condition: Condition): Sql {
  const { entity } = query;
  const spec = findField(entity, condition.field);
  if (spec?.kind === 'dateRange') return rangeCondition(entity, spec.path, condition, isByDays(query));
  if (spec?.isMany === true) return manyCondition(entity, spec, condition);
  const link = findLink(entity, condition.field);
  if (spec?.path === firstDayPath || link?.path === monthPath)
    return firstDayCondition(entity, condition, isByDays(query));
  if (spec !== undefined) {
    const term = comparison(spec, columnOf(entity, spec.path), condition);
    const shared = sharedOf(entity, spec.path);
    // A condition that also holds for records without the shared object needs both tables at once.
    if (shared === null || condition.operator === 'isNot' || condition.operator === 'isEmpty') return term;
    return {
      text: `${shared.ref} IN (SELECT ref FROM ${shared.from} WHERE ${term.text})`,
      values: term.values,
    };
  }
  if (link === undefined) throw invalidQuery(condition.field);
  return linkCondition(entity, link, condition);
}

/** The SSN of a search for people that is a whole SSN; null for any other search. */
export function searchedSsn(query: ListQuery): string | null {
  const isOfPeople = query.entity === 'members' || query.entity === 'dependents';
  return isOfPeople && query.search !== undefined ? normalizeSsn(query.search) : null;
}

/** Whether a query searches for a person by SSN; such a search is audited. */
export function asksForSsn(query: ListQuery): boolean {
  const bySsn = (query.conditions ?? []).some(
    (condition) =>
      condition.values.length > 0 && findField(query.entity, condition.field)?.sensitivity === 'ssn',
  );
  return bySsn || searchedSsn(query) !== null;
}

/** The term of a search; null where nothing is left to search for. */
export function buildSearch(query: ListQuery): Sql | null {
  const words = query.search === undefined ? null : toTextQuery(query.search);
  if (words === null) return null;
  const { table, alias, key, found, wantsTyped } = listTables[query.entity];
  const ssn = searchedSsn(query);
  if (ssn !== null) {
    return {
      text: `${alias}.${key} IN (SELECT rowid FROM ${table}_text WHERE ${table}_text MATCH ?
        UNION SELECT ${key} FROM ${table} WHERE ssn IS NOT NULL AND ssn_hash(ssn)=ssn_hash(?))`,
      values: [words, ssn],
    };
  }
  return { text: found, values: wantsTyped ? [words, query.search as string] : [words] };
}

/**
 * The terms that must all hold: present in the service, the conditions, the search. @throws DeskError `query.invalid`
 */
export function buildTerms(query: ListQuery): Sql[] {
  const terms = (query.conditions ?? []).map((condition) => buildCondition(query, condition));
  // After the conditions, so that a condition which the index of the sort answers is checked before the row is read.
  if (query.includesMissing !== true) terms.push({ text: listTables[query.entity].isHere, values: [] });
  if (query.entity === 'members' && query.includesArchived !== true) {
    terms.push({ text: '(m.archived IS NULL OR m.archived=0)', values: [] });
  }
  const search = buildSearch(query);
  return search === null ? terms : [...terms, search];
}

/** `FROM … WHERE …` of a list. @throws DeskError `query.invalid`, `details.field` naming what is wrong */
export function buildFrom(query: ListQuery, terms: readonly Sql[] = buildTerms(query), join = ''): Sql {
  const { table, alias, joins } = listTables[query.entity];
  const where = terms.length === 0 ? '' : ` WHERE ${terms.map((term) => term.text).join(' AND ')}`;
  return {
    text: `FROM ${table} ${alias} ${joins} ${join}${where}`,
    values: terms.flatMap((term) => term.values),
  };
}

/** @throws DeskError `query.invalid`; `query.ssnOrder`: an order by SSN would reveal what the mask hides */
export function findSort(entity: Entity, path: string): FieldSpec {
  const spec = findField(entity, path);
  if (spec === undefined) throw invalidQuery(path);
  if (!isSortable(spec)) throw new DeskError('query.ssnOrder', { details: { field: path } });
  return spec;
}

/**
 * Nulls last in either direction unless a sort says first. Ties are broken by key in the direction of the last sort,
 * so that a list is the same each time and one index serves both directions.
 */
export function buildOrder(entity: Entity, sorts: readonly Sort[] = []): string {
  const { alias, key } = listTables[entity];
  const terms = sorts.map((sort) => {
    findSort(entity, sort.field);
    const direction = sort.direction === 'desc' ? 'DESC' : 'ASC';
    return `${columnOf(entity, sort.field)} ${direction} NULLS ${sort.nulls === 'first' ? 'FIRST' : 'LAST'}`;
  });
  const ties = sorts.at(-1)?.direction === 'desc' ? 'DESC' : 'ASC';
  return `ORDER BY ${[...terms, `${alias}.${key} ${ties}`].join(', ')}`;
}

/** The statement that lists the keys of a result in order. */
export function buildKeys(query: ListQuery): Sql {
  const from = buildFrom(query);
  const { alias, key } = listTables[query.entity];
  return {
    text: `SELECT ${alias}.${key} ${from.text} ${buildOrder(query.entity, query.sort)}`,
    values: from.values,
  };
}

export const hasAmounts = (entity: Entity): boolean => entity === 'claims' || entity === 'lines';

/** The columns of a sum; in two halves where a plain sum would pass 2^63. */
function sumsOf(entity: Entity, inHalves: boolean): string[] {
  if (!hasAmounts(entity)) return [];
  const { alias } = listTables[entity];
  return sumColumns.flatMap((column) =>
    inHalves
      ? [`sum(${alias}.${column}>>20)`, `sum(${alias}.${column}&1048575)`]
      : [`sum(${alias}.${column})`],
  );
}

/** Removes the sort, so that no condition is written for the index of one. */
function withoutSort({ sort: _sort, ...query }: ListQuery): ListQuery {
  return query;
}

/** Count and exact sums of a result; for members and dependents the count alone. */
export function buildTotals(query: ListQuery, inHalves = false): Sql {
  const from = buildFrom(withoutSort(query));
  return {
    text: `SELECT ${['count(*)', ...sumsOf(query.entity, inHalves)].join(', ')} ${from.text}`,
    values: from.values,
  };
}

/**
 * What a list can be grouped by: a column, the month of service, or the organizations of a claim's members. SSNs are
 * refused, and so are days, which come with times of day. @throws DeskError `query.invalid`, `query.ssnOrder`
 */
export function findGroup(entity: Entity, path: string): FieldSpec {
  const spec = findField(entity, path) ?? findLink(entity, path);
  if (spec === undefined || isDated(spec.kind) || spec.path === worklistPath) throw invalidQuery(path);
  if (!isSortable(spec)) throw new DeskError('query.ssnOrder', { details: { field: path } });
  return spec;
}

/**
 * The statement that groups a result: value, count, sums. A claim of two members counts once in each of their groups;
 * a claim without any counts in the group of null. By a column of several names, the groups are those of whole lists
 * of names.
 */
export function buildGroups(query: ListQuery, path: string, inHalves = false): Sql {
  const { entity } = query;
  const isText = findGroup(entity, path).kind === 'text';
  const source = linkSources[path];
  const sums = ['count(*)', ...sumsOf(entity, inHalves)].join(', ');
  if (source === undefined) {
    const column = path === monthPath ? monthColumn(entity) : columnOf(entity, path);
    const value = isText ? `nullif(${column}, '')` : column;
    const from = buildFrom(query);
    return { text: `SELECT ${value} AS value, ${sums} ${from.text} GROUP BY value`, values: from.values };
  }
  const from = buildFrom(
    query,
    buildTerms(query),
    `LEFT JOIN (SELECT DISTINCT claim_members.parent, ${source.value} AS value FROM ${source.from}
      WHERE ${source.value} IS NOT NULL${isText ? ` AND ${source.value}<>''` : ''}) link ON link.parent=${claimOf(entity)}`,
  );
  return { text: `SELECT link.value, ${sums} ${from.text} GROUP BY link.value`, values: from.values };
}

/**
 * The statement that counts the values of a column: value, count. Written so that an index on the column answers it
 * without a row being read: missing rows are left out by their keys, and joins are there only where they are used.
 *
 * @throws DeskError `query.invalid`, `query.ssnOrder`
 */
export function buildCounts(query: ListQuery, path: string): Sql {
  const { entity } = query;
  const { table, alias, key, joins, missingKeys } = listTables[entity];
  findGroup(entity, path);
  const value = path === monthPath ? monthColumn(entity) : columnOf(entity, path);
  const terms = buildTerms({ ...query, includesMissing: true });
  if (query.includesMissing !== true)
    terms.push({ text: `${alias}.${key} NOT IN (${missingKeys})`, values: [] });
  const where = terms.length === 0 ? '' : ` WHERE ${terms.map(({ text }) => text).join(' AND ')}`;
  const aliases = `${value}${where}`.match(/\b[a-z](?=\.)/g) ?? [];
  const isJoined = aliases.some((used) => used !== alias);
  return {
    text: `SELECT ${value} AS value, count(*) FROM ${table} ${alias} ${isJoined ? joins : ''}${where} GROUP BY value`,
    values: terms.flatMap(({ values }) => values),
  };
}

/** The sums of a row that `buildTotals` or `buildGroups` selected, after its first `skip` columns. */
export function readSums(row: readonly unknown[], skip: number, inHalves: boolean): (bigint | null)[] {
  const cells = row.slice(skip) as (bigint | null)[];
  if (!inHalves) return cells;
  return sumColumns
    .slice(0, cells.length / 2)
    .map((_column, index) => joinHalves(cells[index * 2] ?? null, cells[index * 2 + 1] ?? null));
}
