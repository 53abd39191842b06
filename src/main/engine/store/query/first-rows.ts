import { type Entity, fieldsOf } from '../../../../rules/list-fields.ts';
import type { Condition, ListQuery, Operator } from '../../../../rules/query.ts';
import { idFields } from '../../../../rules/review/id-filter.ts';
import type { Database } from '../file/database.ts';
import { buildKeys, buildOrder, buildSearch, buildTerms } from './build-query.ts';
import type { Sql } from './conditions.ts';
import { createRowFinder } from './group-columns.ts';
import { columnOf, findField, listTables, sharedOf } from './list-tables.ts';
import { firstDayPath, lastDayPath, monthPath, rangePath } from './range-conditions.ts';
import {
  amongRows,
  byFactOrReview,
  byReviewState,
  byWorklist,
  type FirstRows,
  fewRows,
  findOneSort,
  readKeys,
  unindexed,
  type WantedKeys,
  walks,
} from './rows-by-sort.ts';
import { prepareSearch } from './search-text.ts';
import { valueSearch } from './search-values.ts';
import { worklistPath } from './worklist-conditions.ts';

/** How many of the first rows a search checks itself before it uses the text index. */
const searchedRows = 600;
/** The same for a word that at least this many claims have, because the text index takes longer then. */
const searchedRowsOfMany = 2_500;
const many = 200_000;
/** Columns with an index of their own, by which a list can be walked in order; a test compares them with the schema. */
export const walkable: Readonly<Record<Entity, readonly string[]>> = {
  claims: [
    'id',
    'date_of_service',
    'status',
    'amount_billed',
    'patient_name',
    'service_provider',
    'members.name',
    'members.employer.name',
  ],
  members: ['id', 'last_name'],
  dependents: [],
  lines: [],
};

/** Fields whose values an index finds, though not in the order of a list. */
export const otherIndexed: ReadonlySet<string> = new Set([
  'members.id',
  'members.employer.id',
  'members.tenant.id',
  'policy_holder.id',
  'ssn',
  worklistPath,
  ...idFields,
  firstDayPath,
  monthPath,
]);

/** Values that the index of days contains; to read a range from its row takes longer. */
const heldByDays: ReadonlySet<string> = new Set([firstDayPath, lastDayPath, monthPath]);

const isOfFew = (entity: Entity, path: string): boolean =>
  sharedOf(entity, path) !== null || findField(entity, path)?.isMany === true;

const notByIndex: ReadonlySet<Operator> = new Set(['isNot', 'isEmpty', 'isNotEmpty']);
const ofParts: ReadonlySet<Operator> = new Set(['contains', 'startsWith']);

/**
 * Whether an index answers a condition: one on few rows, names or shared objects, or on values of an indexed column.
 * Not on parts of texts, for which the whole index would be read, and not on days within a range.
 */
const isIndexed = (entity: Entity, { field, operator }: Condition): boolean =>
  !notByIndex.has(operator) &&
  (isOfFew(entity, field) ||
    (!ofParts.has(operator) &&
      ((walkable[entity].includes(field) && findField(entity, field)?.kind !== 'dateRange') ||
        otherIndexed.has(field) ||
        field.startsWith('$'))));

/** Whether an index has the order of the list. */
function isWalkable({ entity, sort = [] }: ListQuery): boolean {
  const [first] = sort;
  if (sort.length > 1) return false;
  return first === undefined || (walkable[entity].includes(first.field) && first.nulls !== 'first');
}

/** Checks at most `rows` rows in the order of the list; null where too few of them match. */
function walk(request: WantedKeys, terms: readonly Sql[], rows: number): number[] | null {
  const { query, order, limit } = request;
  const { table, alias, key } = listTables[query.entity];
  const walked = `SELECT ${alias}.${key} FROM ${table} ${alias} ${order} LIMIT ${rows}`;
  const isWalked = { text: `${alias}.${key} IN (${walked})`, values: [] };
  const rowKeys = readKeys(request, [isWalked, ...terms.map(unindexed)], order, limit);
  return rowKeys.length === limit ? rowKeys : null;
}

const readAmong = (request: WantedKeys, keys: readonly number[], terms: readonly Sql[]): number[] =>
  readKeys(request, [amongRows(request.query, keys), ...terms.map(unindexed)], request.order, request.limit);

/** Finds rows of a search: checks the rows that come first, then uses the text index. */
const bySearch: FirstRows = (request) => {
  const { database, query, terms } = request;
  const whole = buildSearch(query);
  if (whole === null) return null;
  const isOfValue = valueSearch(query) !== null;
  const inRow = isWalkable(query) && !isOfValue ? buildRowSearch(query) : null;
  const lookAt = (rows: number): number[] | null =>
    inRow === null ? null : walk(request, [...terms, inRow], rows);
  const walked = lookAt(searchedRows);
  if (walked !== null) return walked;
  const asked =
    query.entity === 'claims' && !isOfValue ? prepareSearch(database, query.search as string) : null;
  const walkedOn = (asked?.atMost ?? 0) >= many ? lookAt(searchedRowsOfMany) : null;
  if (walkedOn !== null) return walkedOn;
  const matches = asked?.find() ?? readKeys(request, [whole], buildOrder(query.entity), -1);
  if (matches.length <= fewRows || !isWalkable(query)) return readAmong(request, matches, terms);
  return walkFound(request, matches);
};

const byFewRows: FirstRows = (request) => {
  const { query, terms } = request;
  for (const [at, condition] of (query.conditions ?? []).entries()) {
    if (!isIndexed(query.entity, condition)) continue;
    const rowKeys = readKeys(request, [terms[at] as Sql], '', fewRows + 1);
    if (rowKeys.length > fewRows) continue;
    return readAmong(request, rowKeys, terms.toSpliced(at, 1));
  }
  return null;
};

/**
 * Claims sorted by their first or last day: takes as many claims as are needed from the index of days. The last of
 * these in order is a bound that excludes most other claims by that index alone.
 */
const byDay: FirstRows = (request) => {
  const { database, query, limit, order, terms } = request;
  const sort = findOneSort(query);
  if (sort?.field !== firstDayPath && sort?.field !== lastDayPath) return null;
  const isDescending = sort.direction === 'desc';
  const byDays: ListQuery = {
    ...query,
    sort: [{ field: rangePath, direction: sort.direction }],
    conditions: [...(query.conditions ?? []), { field: sort.field, operator: 'isNotEmpty', values: [] }],
  };
  const some = readFirstKeys(database, byDays, limit);
  if (some.length < limit) return null;
  const value = columnOf('claims', sort.field);
  const last = isDescending ? 'min' : 'max';
  const day = database
    .prepare(`SELECT ${last}(${value}) FROM claims c WHERE c.id IN (SELECT value FROM json_each(?))`)
    .pluck()
    .get(JSON.stringify(some)) as string;
  const days = columnOf('claims', rangePath);
  const [from, to] = isDescending ? [day, '9'] : ['0', `${day}~`];
  const inTime: Sql =
    sort.field === firstDayPath
      ? { text: `${days} BETWEEN ? AND ?`, values: [from, to] }
      : { text: `${value}${isDescending ? '>' : '<'}=?`, values: [day] };
  const isInTime = {
    text: `c.id IN (SELECT c.id FROM claims c WHERE ${inTime.text})`,
    values: inTime.values,
  };
  return readKeys(request, [isInTime, ...terms.map(unindexed)], order, limit);
};

/** Reads along the index of the sort, for a limited number of rows. */
const byIndexOfSort: FirstRows = (request) => {
  for (const rows of isWalkable(request.query) ? walks : []) {
    const rowKeys = walk(request, request.terms, rows);
    if (rowKeys !== null) return rowKeys;
  }
  return null;
};

/** Reads the whole table once and keeps the first rows. */
function readTable(request: WantedKeys): number[] {
  const { database, query, limit, order, terms } = request;
  const conditions = query.conditions ?? [];
  // A query without conditions reads an indexed column from its index.
  if (conditions.length === 0) {
    const { text, values } = buildKeys(query);
    return database.prepare(`${text} LIMIT ${limit}`).pluck().all(values) as number[];
  }
  // An index only where it contains all needed columns: its first rows did not suffice, and the others would be read
  // one by one.
  const sorted = query.sort?.[0]?.field;
  const isHeld = conditions.some(
    ({ field }) => field === sorted || (sorted === rangePath && heldByDays.has(field)),
  );
  return readKeys(request, terms.map(unindexed), order, limit, isHeld ? 'byIndex' : 'byRow');
}

/** The ways to find the first rows, in the order in which they are tried. */
const ways: readonly FirstRows[] = [
  byWorklist,
  bySearch,
  byFewRows,
  byDay,
  byReviewState,
  byFactOrReview,
  byIndexOfSort,
];

/** The first keys of a list without making all of it. @throws DeskError `query.invalid` */
export function readFirstKeys(database: Database, query: ListQuery, limit: number): number[] {
  const { search: _search, ...unsearched } = query;
  const order = buildOrder(query.entity, query.sort);
  const request: WantedKeys = { database, query, limit, order, terms: buildTerms(unsearched) };
  for (const way of ways) {
    const rowKeys = way(request);
    if (rowKeys !== null) return rowKeys;
  }
  return readTable(request);
}

/**
 * The first of the found rows that match the terms, in the order of an index. `matches` ascends and is large, so the
 * first matches are near the beginning of the index.
 */
function walkFound(request: WantedKeys, matches: readonly number[]): number[] {
  const { database, query, limit, order, terms } = request;
  const { table, alias, key } = listTables[query.entity];
  const inOrder = database
    .prepare(`SELECT ${alias}.${key} FROM ${table} ${alias} ${order}`)
    .pluck()
    .iterate() as IterableIterator<number>;
  const findRow = createRowFinder(Float64Array.from(matches));
  const first: number[] = [];
  let some: number[] = [];
  for (const rowKey of inOrder) {
    if (findRow(rowKey) < 0) continue;
    some.push(rowKey);
    if (some.length < limit) continue;
    first.push(...readAmong(request, some, terms));
    some = [];
    if (first.length >= limit) break;
  }
  return [...first, ...readAmong(request, some, terms)].slice(0, limit);
}

/** A search of claims as a condition on the row itself, by which frequent words are found early. */
function buildRowSearch(query: ListQuery): Sql | null {
  if (query.entity !== 'claims') return null;
  const searchColumns = fieldsOf.claims
    .filter((spec) => spec.isSearchable)
    .map((spec) => columnOf('claims', spec.path));
  return {
    text: `has_words(?, c.id||'', ${searchColumns.join(', ')},
      (SELECT group_concat(concat_ws(' ', procedure_code, procedure_name, diagnosis_code, national_drug_code), ' ')
        FROM claim_lines WHERE parent=c.id),
      (SELECT group_concat(concat_ws(' ', first_name, last_name), ' ')
        FROM claim_members JOIN claim_member_records USING (ref) WHERE claim_members.parent=c.id))`,
    values: [query.search as string],
  };
}
