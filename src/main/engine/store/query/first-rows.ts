import { type Entity, fieldsOf } from '../../../../rules/list-fields.ts';
import type { Condition, ListQuery, Operator } from '../../../../rules/query.ts';
import { idFields } from '../../../../rules/review/id-filter.ts';
import type { Database } from '../file/database.ts';
import { buildKeys, buildOrder, buildSearch, buildTerms } from './build-query.ts';
import type { Sql } from './conditions.ts';
import { createRowFinder, toKeys } from './group-columns.ts';
import { columnOf, findField, listTables, sharedOf } from './list-tables.ts';
import { firstDayPath, lastDayPath, monthPath, rangePath } from './range-conditions.ts';
import {
  amongRows,
  byFactOrReview,
  byReviewState,
  byWorklist,
  type FirstRows,
  fewRows,
  filteredRows,
  readKeys,
  unindexed,
  type WantedKeys,
  walk,
} from './rows-by-sort.ts';
import { prepareSearch } from './search-text.ts';
import { valueSearch } from './search-values.ts';
import { worklistPath } from './worklist-conditions.ts';

/** A search that may find this many claims first checks rows itself, because the text index then takes longer. */
const many = 200_000;
/** How many rows it checks, as long as at least one in `sparse` matches. Beyond that, the text index is faster. */
const searchedRows = 2_500;
const sparse = 6;
/** Up to this many found rows are sorted: each costs a page of the file, an index entry a fiftieth of that. */
const sortedRows = 1_000;
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

/** Values that the index of days contains; reading a range from its row takes longer. */
const heldByDays: ReadonlySet<string> = new Set([firstDayPath, lastDayPath, monthPath]);

const isOfFew = (entity: Entity, path: string): boolean =>
  sharedOf(entity, path) !== null || findField(entity, path)?.isMany === true;

const notByIndex: ReadonlySet<Operator> = new Set(['isNot', 'isEmpty', 'isNotEmpty']);
const ofParts: ReadonlySet<Operator> = new Set(['contains', 'startsWith']);

/**
 * Whether an index answers a condition: one on few rows, names or shared objects, or on values of an indexed column.
 * Not a condition on parts of texts, which would read the whole index, or on days within a range.
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

const readAmong = (request: WantedKeys, keys: readonly number[], terms: readonly Sql[]): number[] =>
  readKeys(request, [amongRows(request.query, keys), ...terms.map(unindexed)], request.order, request.limit);

/** Finds rows of a search: checks the first rows where many may match, then uses the text index. */
const bySearch: FirstRows = (request) => {
  const { database, query, terms } = request;
  const whole = buildSearch(query);
  if (whole === null) return null;
  const isOfText = query.entity === 'claims' && valueSearch(query) === null;
  const asked = isOfText ? prepareSearch(database, query.search as string) : null;
  const inRow =
    asked !== null && (asked.atMost ?? many) >= many && isWalkable(query) ? buildRowSearch(query) : null;
  const walked = inRow === null ? null : walk(request, [...terms, inRow], searchedRows, { oneIn: sparse });
  if (walked !== null) return walked;
  const matches = asked?.find() ?? readKeys(request, [whole], buildOrder(query.entity), -1);
  // If the filter leaves few of the found rows, all of the index might be read.
  const few = (query.conditions ?? []).length === 0 ? sortedRows : fewRows;
  if (matches.length <= few || !isWalkable(query)) return readAmong(request, matches, terms);
  return walkFound(request, matches);
};

/** Finds rows by the first condition that an index answers and few rows match; without an order, all of them. */
export const byFewRows: FirstRows = (request) => {
  const { query, terms } = request;
  for (const [at, condition] of (query.conditions ?? []).entries()) {
    if (!isIndexed(query.entity, condition)) continue;
    const rowKeys = readKeys(request, [terms[at] as Sql], '', fewRows + 1);
    if (rowKeys.length > fewRows) continue;
    return readAmong(request, rowKeys, terms.toSpliced(at, 1));
  }
  return null;
};

/** Reads along the index of the sort, for a limited number of rows. */
const byIndexOfSort: FirstRows = (request) =>
  isWalkable(request.query) ? walk(request, request.terms, filteredRows) : null;

/** Reads the whole table once and keeps the first rows. */
function readTable(request: WantedKeys): number[] {
  const { database, query, limit, order, terms } = request;
  const conditions = query.conditions ?? [];
  // A query without conditions reads an indexed column from its index.
  if (conditions.length === 0) {
    const { text, values } = buildKeys(query);
    return database.prepare(`${text} LIMIT ${limit}`).pluck().all(values) as number[];
  }
  // An index is used only where it contains all needed columns: its first rows did not suffice, and the others would be
  // read one by one.
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
  byReviewState,
  byFactOrReview,
  byIndexOfSort,
];

/** The first keys of a list, without making all of the list. @throws DeskError `query.invalid` */
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
  const findRow = createRowFinder(toKeys(matches));
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

/** A search of claims as a condition on the row itself, which finds frequent words early. */
function buildRowSearch(query: ListQuery): Sql {
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
