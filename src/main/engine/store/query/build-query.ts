import { type Entity, type FieldSpec, isDated, isSortable } from '../../../../rules/list-fields.ts';
import type { Condition, ListQuery, Sort } from '../../../../rules/query.ts';
import { decidedByField } from '../../../../rules/review/decided-by.ts';
import { idFields } from '../../../../rules/review/id-filter.ts';
import { DeskError } from '../../../lib/errors.ts';
import { normalizeSsn } from '../record/ssn-hash.ts';
import { toTextQuery } from '../record/text-index.ts';
import { comparison, invalidQuery, type Sql } from './conditions.ts';
import { findLink, linkCondition, manyCondition } from './link-conditions.ts';
import { columnOf, findField, listTables, sharedOf, sortColumnOf } from './list-tables.ts';
import { firstDayCondition, firstDayPath, monthPath, rangeCondition } from './range-conditions.ts';
import { searchedMemberId, searchedNumber, valueSearch } from './search-values.ts';
import { spelledComparison, whomPath } from './spelled-conditions.ts';
import { worklistPath } from './worklist-conditions.ts';

/** Whether a list is sorted by days of service, so that it is read along their index. */
const isByDays = ({ entity, sort }: ListQuery): boolean =>
  sort?.[0] !== undefined && findField(entity, sort[0].field)?.kind === 'dateRange';

/** A condition as a term of the list's statement. @throws DeskError `query.invalid` */
function buildCondition(query: ListQuery, condition: Condition): Sql {
  const { entity } = query;
  const spec = findField(entity, condition.field);
  if (spec?.kind === 'dateRange') return rangeCondition(entity, spec.path, condition, isByDays(query));
  if (spec?.isMany === true) return manyCondition(entity, spec, condition);
  const link = findLink(entity, condition.field);
  if (spec?.path === firstDayPath || link?.path === monthPath)
    return firstDayCondition(entity, condition, isByDays(query));
  if (spec !== undefined) {
    const compare = spec.path === whomPath ? spelledComparison : comparison;
    const term = compare(spec, columnOf(entity, spec.path), condition);
    const shared = sharedOf(entity, spec.path);
    // A condition that is also true for records without the shared object needs both tables at once.
    if (shared === null || condition.operator === 'isNot' || condition.operator === 'isEmpty') return term;
    return {
      text: `${shared.ref} IN (SELECT ref FROM ${shared.from} WHERE ${term.text})`,
      values: term.values,
    };
  }
  if (link === undefined) throw invalidQuery(condition.field);
  return linkCondition(entity, link, condition);
}

/** Returns the SSN where a search for people is a whole SSN; null for any other search. */
function searchedSsn(query: ListQuery): string | null {
  const isOfPeople = query.entity === 'members' || query.entity === 'dependents';
  return isOfPeople && query.search !== undefined ? normalizeSsn(query.search) : null;
}

/** Whether a query searches by SSN; such a search is audited. */
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
  const byValue = valueSearch(query);
  if (byValue !== null) return byValue;
  const { table, alias, key, found, wantsTyped } = listTables[query.entity];
  const number = searchedNumber(query);
  // The digits of an SSN that lists show.
  const lastFour = number === null ? undefined : /^\s*(\d{4})\s*$/.exec(query.search ?? '')?.[1];
  const others = (
    [
      [`SELECT ${key} FROM ${table} WHERE id=?`, number],
      [`SELECT ${key} FROM ${table} WHERE substr(ssn, -4)=? AND ssn_hash(ssn) IS NOT NULL`, lastFour],
      [`SELECT ${key} FROM ${table} WHERE ssn IS NOT NULL AND ssn_hash(ssn)=ssn_hash(?)`, searchedSsn(query)],
      ['SELECT parent FROM vendor_members WHERE key=?', searchedMemberId(query)],
    ] as const
  ).flatMap(([text, value]) => (value === null || value === undefined ? [] : [{ text, value }]));
  if (others.length > 0) {
    const all = [
      `SELECT rowid FROM ${table}_text WHERE ${table}_text MATCH ?`,
      ...others.map(({ text }) => text),
    ];
    return {
      text: `${alias}.${key} IN (${all.join(' UNION ')})`,
      values: [words, ...others.map(({ value }) => value)],
    };
  }
  return { text: found, values: wantsTyped ? [words, query.search as string] : [words] };
}

/**
 * The terms that must all hold: present in the service, the conditions, the search. `missing` decides how rows that the
 * service no longer returns are left out: by a condition on each row, or by their keys, for which an index may suffice.
 * @throws DeskError `query.invalid`
 */
export function buildTerms(query: ListQuery, missing: 'byRow' | 'byKey' = 'byRow'): Sql[] {
  const { alias, key, isHere, missingKeys } = listTables[query.entity];
  const terms = (query.conditions ?? []).map((condition) => buildCondition(query, condition));
  const isPresent = missing === 'byRow' ? isHere : `${alias}.${key} NOT IN (${missingKeys})`;
  // Placed after the conditions, so that a condition that the index of the sort answers is checked before the row is
  // read.
  if (query.includesMissing !== true) terms.push({ text: isPresent, values: [] });
  if (query.entity === 'members' && query.includesArchived !== true)
    terms.push({ text: '(m.archived IS NULL OR m.archived=0)', values: [] });
  const search = buildSearch(query);
  return search === null ? terms : [...terms, search];
}

/**
 * `FROM … WHERE …` of a list; `byRow` reads the whole table without its indexes.
 * @throws DeskError `query.invalid`, `details.field` names the wrong field
 */
export function buildFrom(
  query: ListQuery,
  terms: readonly Sql[] = buildTerms(query),
  read: 'byRow' | 'byIndex' = 'byIndex',
): Sql {
  const { table, alias, joins } = listTables[query.entity];
  const where = terms.length === 0 ? '' : ` WHERE ${terms.map((term) => term.text).join(' AND ')}`;
  return {
    text: `FROM ${table} ${alias} ${read === 'byRow' ? 'NOT INDEXED' : ''} ${joins}${where}`,
    values: terms.flatMap((term) => term.values),
  };
}

/** @throws DeskError `query.invalid`; `query.ssnOrder`: sorting by SSN would reveal masked digits */
export function findSort(entity: Entity, path: string): FieldSpec {
  const spec = findField(entity, path);
  if (spec === undefined) throw invalidQuery(path);
  if (!isSortable(spec)) throw new DeskError('query.ssnOrder', { details: { field: path } });
  return spec;
}

/**
 * Nulls come last in either direction unless a sort puts them first. Ties are broken by key in the direction of the
 * last sort, so that the order is always the same and one index serves both directions.
 */
export function buildOrder(entity: Entity, sorts: readonly Sort[] = []): string {
  const { alias, key } = listTables[entity];
  const terms = sorts.map((sort) => {
    findSort(entity, sort.field);
    const direction = sort.direction === 'desc' ? 'DESC' : 'ASC';
    return `${sortColumnOf(entity, sort.field)} ${direction} NULLS ${sort.nulls === 'first' ? 'FIRST' : 'LAST'}`;
  });
  const ties = sorts.at(-1)?.direction === 'desc' ? 'DESC' : 'ASC';
  return `ORDER BY ${[...terms, `${alias}.${key} ${ties}`].join(', ')}`;
}

/** `FROM` with the joins that this text uses, so that an index may answer without reading the row. */
function fromFor(entity: Entity, text: string): string {
  const { table, alias, joins } = listTables[entity];
  const isJoined = (text.match(/\b[a-z](?=\.)/g) ?? []).some((used) => used !== alias);
  return `FROM ${table} ${alias} ${isJoined ? joins : ''}`;
}

/** The statement that reads the keys of a list with the value of an expression, in no order. */
export function buildRead(entity: Entity, value: string, where: string): string {
  const { alias, key } = listTables[entity];
  return `SELECT ${alias}.${key}, ${value} ${fromFor(entity, value)} WHERE ${where}`;
}

/** The statement that lists the keys of a result, in no order unless one is given. @throws DeskError `query.invalid` */
export function buildSelection(query: ListQuery, order = ''): Sql {
  const { alias, key } = listTables[query.entity];
  const terms = buildTerms(query, 'byKey');
  const where = terms.length === 0 ? '' : ` WHERE ${terms.map(({ text }) => text).join(' AND ')}`;
  return {
    text: `SELECT ${alias}.${key} ${fromFor(query.entity, `${where} ${order}`)}${where} ${order}`,
    values: terms.flatMap(({ values }) => values),
  };
}

/** The statement that lists the keys of a result in order. @throws DeskError `query.invalid`, `query.ssnOrder` */
export const buildKeys = (query: ListQuery): Sql =>
  buildSelection(query, buildOrder(query.entity, query.sort));

/** The statement that sorts these keys in the order of a list. */
export function buildOrderOf(keys: Iterable<number>, { entity, sort }: ListQuery): Sql {
  const { alias, key } = listTables[entity];
  const order = buildOrder(entity, sort);
  return {
    text: `SELECT ${alias}.${key} ${fromFor(entity, order)}
      WHERE ${alias}.${key} IN (SELECT value FROM json_each(?)) ${order}`,
    values: [JSON.stringify([...keys])],
  };
}

export const hasAmounts = (entity: Entity): entity is 'claims' | 'lines' =>
  entity === 'claims' || entity === 'lines';

/**
 * Finds what a list is grouped by: a column, the month of service, or the organizations of a claim's members.
 * SSNs are refused, and so are dates, because they can have times of day.
 * @throws DeskError `query.invalid`, `query.ssnOrder`
 */
export function findGroup(entity: Entity, path: string): FieldSpec {
  const spec = findField(entity, path) ?? findLink(entity, path);
  if (spec === undefined || isDated(spec.kind)) throw invalidQuery(path);
  if ([worklistPath, decidedByField, ...idFields].includes(spec.path)) throw invalidQuery(path);
  if (!isSortable(spec)) throw new DeskError('query.ssnOrder', { details: { field: path } });
  return spec;
}
