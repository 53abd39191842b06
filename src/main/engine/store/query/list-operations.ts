import { totalmem } from 'node:os';
import { type Entity, followsReviews } from '../../../../rules/list-fields.ts';
import { toAmount } from '../../../../rules/money/amounts.ts';
import type { Amount, Cell, Group, ListQuery, Totals } from '../../../../rules/query.ts';
import { type Database, inSnapshots } from '../file/database.ts';
import { toTotals } from '../record/exact-sums.ts';
import { readReviewVersion, readVersion } from '../record/records-version.ts';
import { buildKeys, buildOrderOf, buildSelection, buildTerms, findGroup, hasAmounts } from './build-query.ts';
import { invalidQuery, readCondition, type Sql } from './conditions.ts';
import { correctSearch } from './correct-search.ts';
import { byFewRows } from './first-rows.ts';
import {
  type Amounts,
  findRows,
  type KeyedRows,
  type Keys,
  readAmounts,
  readGroupColumn,
  readOpen,
  toKeys,
} from './group-columns.ts';
import { type FoundGroup, groupRows, sumColumn, sumRows } from './group-rows.ts';
import { type CacheKey, createListCache, type Measured } from './list-cache.ts';
import { listTables } from './list-tables.ts';
import { listOrganizations } from './organizations.ts';
import { prepareSearch } from './search-text.ts';
import { valueSearch } from './search-values.ts';
import { type GroupOptions, shapeGroups } from './shape-groups.ts';

/** A list at one moment: IDs in order, and count and sums of the same rows. */
export type MadeList = ReturnType<typeof makeList>;

interface ListOptions {
  /** The size in bytes of the cache for groups. */
  readonly maxBytes: number;
  /** Up to this many rows are read and sorted directly; for more, columns and orders of the whole table are cached. */
  readonly fewRows: number;
}

/**
 * At a million claims, an order takes 4 MB, a column 4 MB plus its values, the amounts 16 MB, the open amounts 4 MB,
 * and the keys 4 MB.
 */
const defaultListOptions: ListOptions = {
  maxBytes: Math.min(256 * 1024 * 1024, Math.floor(totalmem() / 16)),
  fewRows: 4_000,
};

/** The rows of a list as indexes into `keys`, which are those of the whole table or only its own. */
interface Selection extends KeyedRows {
  readonly rows: Uint32Array;
}

/** The rows of a selection whose keys are in `matches`; both ascend. */
function findBoth({ keys, rows }: Selection, matches: readonly number[]): Uint32Array {
  const both = new Uint32Array(Math.min(rows.length, matches.length));
  let count = 0;
  let next = 0;
  for (let index = 0; index < rows.length && next < matches.length; index += 1) {
    const row = rows[index] as number;
    const key = keys[row] as number;
    while ((matches[next] as number) < key) next += 1;
    if (matches[next] === key) both[count++] = row;
  }
  return both.slice(0, count);
}

/** The context for making lists. */
interface Lists {
  readonly database: Database;
  readonly fewRows: number;
  readonly cache: ReturnType<typeof createListCache>;
}

/** Returns what columns depend on besides the records: the version of the reviews, if they follow from them. */
const stampOfColumns = ({ database }: Lists, paths: readonly string[]): string =>
  paths.some(followsReviews) ? String(readReviewVersion(database)) : '';
const stampOf = (lists: Lists, query: ListQuery): string => {
  const paths = (query.conditions ?? []).map(({ field }) => field);
  return `${stampOfColumns(lists, paths)} ${JSON.stringify(query)}`;
};

const readKeys = ({ database }: Lists, { text, values }: Sql): Keys =>
  toKeys(database.prepare(text).pluck().all(values) as number[]);

const getTableKeys = (lists: Lists, entity: Entity): Keys =>
  lists.cache.keep(entity, 'keys', '', () => {
    const { table, key } = listTables[entity];
    const value = readKeys(lists, { text: `SELECT ${key} FROM ${table}`, values: [] }).sort();
    return { value, bytes: value.byteLength };
  });

/** A selection of the found rows, as indexes into the whole table, or, where they are few, with separate keys. */
function toSelection(lists: Lists, entity: Entity, matches: Keys): Selection {
  if (matches.length <= lists.fewRows)
    return { keys: matches, rows: Uint32Array.from(matches.keys()), isWhole: false };
  const keys = getTableKeys(lists, entity);
  return { keys, rows: findRows(matches, keys), isWhole: true };
}

const measureSelection = (value: Selection): Measured<Selection> => ({ value, bytes: value.rows.byteLength });

/** The keys of a list, in no order: found by one condition that few rows match, or by all conditions at once. */
function readMatches(lists: Lists, query: ListQuery): Keys {
  const few = byFewRows({ database: lists.database, query, limit: -1, order: '', terms: buildTerms(query) });
  return (few === null ? readKeys(lists, buildSelection(query)) : toKeys(few)).sort();
}

/**
 * The rows of a list. Those of the last filter are cached, for another order, for groups of the same rows, and for
 * further letters of a search. A corrected search is tried only where the typed words find nothing.
 */
function select(lists: Lists, { sort: _sort, ...asked }: ListQuery): Selection {
  const typed = selectTyped(lists, asked);
  const corrected = typed.rows.length > 0 ? asked : correctSearch(lists.database, asked);
  return corrected === asked ? typed : selectTyped(lists, corrected);
}

function selectTyped(lists: Lists, { findsSimilar: _findsSimilar, ...query }: ListQuery): Selection {
  const { entity, search, ...filter } = query;
  if (entity !== 'claims' || search === undefined || valueSearch(query) !== null)
    return lists.cache.keep(
      entity,
      search === undefined ? 'filtered' : 'searched',
      stampOf(lists, query),
      () => measureSelection(toSelection(lists, entity, readMatches(lists, query))),
    );
  const filtered = selectTyped(lists, { entity, ...filter });
  return lists.cache.keep(entity, 'searched', stampOf(lists, query), () => {
    const asked = prepareSearch(lists.database, search);
    const rows = asked === null ? filtered.rows : findBoth(filtered, asked.find());
    if (rows.length > lists.fewRows) return measureSelection({ ...filtered, rows });
    return measureSelection(
      toSelection(lists, entity, toKeys(Array.from(rows, (row) => filtered.keys[row] as number))),
    );
  });
}

/** A selection of few rows as rows of the whole table, where its values are cached, so that no row has to be read. */
function amongCached(
  lists: Lists,
  selection: Selection,
  ...cached: readonly [CacheKey, ...CacheKey[]]
): Selection {
  const [[entity]] = cached;
  if (selection.isWhole || !cached.every((value) => lists.cache.has(...value))) return selection;
  const keys = getTableKeys(lists, entity);
  return { keys, rows: findRows(selection.keys, keys), isWhole: true };
}

/** Reads values of a selection's rows; those of the whole table are cached. */
const readOf = <T>({ cache }: Lists, { isWhole }: Selection, key: CacheKey, read: () => Measured<T>): T =>
  isWhole ? cache.keep(...key, read) : read().value;

/** The keys of a selection in the order of the list. */
function putInOrder(lists: Lists, query: ListQuery, selected: Selection): Keys {
  const { entity, sort = [] } = query;
  const paths = sort.map(({ field }) => field);
  const cached: CacheKey = [entity, `order ${JSON.stringify(sort)}`, stampOfColumns(lists, paths)];
  const selection = amongCached(lists, selected, cached);
  const { keys, rows, isWhole } = selection;
  const order = readOf(lists, selection, cached, () => {
    const all = { entity, sort, includesMissing: true, includesArchived: true };
    const inOrder = readKeys(lists, isWhole ? buildKeys(all) : buildOrderOf(keys, query));
    const value = findRows(inOrder, keys);
    return { value, bytes: value.byteLength };
  });
  const ordered = keys.slice(0, rows.length);
  const isSelected = new Uint8Array(keys.length);
  for (let index = 0; index < rows.length; index += 1) isSelected[rows[index] as number] = 1;
  let count = 0;
  for (let index = 0; index < order.length && count < rows.length; index += 1) {
    const row = order[index] as number;
    if (isSelected[row] === 1) ordered[count++] = keys[row] as number;
  }
  return ordered;
}

const amountsOf = (entity: 'claims' | 'lines'): CacheKey => [entity, 'amounts', ''];

const getAmounts = (lists: Lists, entity: 'claims' | 'lines', selection: Selection): Amounts =>
  readOf(lists, selection, amountsOf(entity), () => {
    const value = readAmounts(lists.database, entity, selection);
    const bytes = value.cells.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return { value, bytes: bytes + value.unread.length * bytesOfValue };
  });

/**
 * Adds up the open amounts of the claims of a list exactly, and counts the claims whose amount is unknown. It uses a
 * column in memory: SQLite took a second for a million claims, and the readers of first rows waited for it.
 * @throws DeskError `query.invalid`
 */
function sumOpen(lists: Lists, query: ListQuery): { open: Amount | null; notKnown: number } {
  if (query.entity !== 'claims') throw invalidQuery('entity');
  const cached: CacheKey = ['claims', 'open', stampOfColumns(lists, ['facts.open'])];
  const selection = amongCached(lists, select(lists, query), cached);
  const { rows } = selection;
  const column = readOf(lists, selection, cached, () => {
    const value = readOpen(lists.database, selection);
    return { value, bytes: value.byteLength };
  });
  const { cells, present } = sumColumn(rows, column);
  return { open: cells === null ? null : toAmount(cells), notKnown: rows.length - present };
}

function findGroups(lists: Lists, query: ListQuery, path: string, isSummed: boolean): FoundGroup[] {
  const { entity } = query;
  const cached: CacheKey = [entity, `column ${path}`, stampOfColumns(lists, [path])];
  const summed = isSummed && hasAmounts(entity) ? entity : null;
  const amountKeys = summed === null ? [] : [amountsOf(summed)];
  const selection = amongCached(lists, select(lists, query), cached, ...amountKeys);
  const column = readOf(lists, selection, cached, () => {
    const value = readGroupColumn(lists.database, entity, path, selection);
    return { value, bytes: value.bytes };
  });
  const amounts = summed === null ? null : getAmounts(lists, summed, selection);
  return groupRows(selection.rows, column, amounts);
}

/** The IDs, count and sums of a list. @throws DeskError `query.invalid` */
function makeList(lists: Lists, query: ListQuery) {
  const { entity } = query;
  // Checked first, so that nothing is read for an invalid order.
  buildKeys(query);
  const selection = select(lists, query);
  let totals: Totals | null = null;
  if (hasAmounts(entity)) {
    const summed = amongCached(lists, selection, amountsOf(entity));
    totals = sumRows(summed.rows, getAmounts(lists, entity, summed));
  }
  return { keys: putInOrder(lists, query, selection), totals, version: readVersion(lists.database, entity) };
}

/** @throws DeskError `query.invalid` */
function groupList(
  lists: Lists,
  { query, by, options }: { query: ListQuery; by: string; options: GroupOptions },
): { groups: Group[]; total: number } {
  findGroup(query.entity, by);
  const foundGroups = findGroups(lists, query, by, hasAmounts(query.entity));
  return shapeGroups(lists.database, query.entity, by, foundGroups, options);
}

/**
 * The values of a column in the form of a filter, limited to those that contain `search`, with how many rows of a list
 * have each. `within` is the list without the conditions on this column; without it, all rows that the service still
 * returns. The last answer for each column is kept, because a reloaded window requests the same again.
 * @throws DeskError `query.invalid`
 */
function listValues(
  lists: Lists,
  input: {
    entity: Entity;
    field: string;
    search: string;
    limit: number;
    order?: 'value' | 'count';
    within?: Omit<ListQuery, 'entity' | 'sort'> | undefined;
  },
): { values: { value: Cell; count: number }[]; total: number } {
  const { entity, field, search, limit, order = 'value' } = input;
  const { kind } = findGroup(entity, field);
  const query: ListQuery = { ...(input.within ?? { includesArchived: true }), entity };
  if (search !== '') readCondition(kind, { field, operator: 'contains', values: [search] });
  const stamp = `${readReviewVersion(lists.database)} ${JSON.stringify(input)}`;
  return lists.cache.keep(entity, `values ${field}`, stamp, () => {
    const foundGroups = findGroups(lists, query, field, false).filter(
      ({ value }) => value !== null && hasPart(String(value), search),
    );
    const shape = { order, isDescending: order === 'count', offset: 0, limit };
    const { groups, total } = shapeGroups(lists.database, entity, field, foundGroups, shape);
    const values = groups.map(({ conditions, totals }) => ({
      value: conditions[0]?.values[0] ?? null,
      count: totals.count,
    }));
    return { value: { values, total }, bytes: values.length * bytesOfValue };
  });
}

/** Employers or tenants with the totals of their members' claims. */
function listWithClaims(lists: Lists, kind: 'employers' | 'tenants') {
  const { groups } = groupList(lists, {
    query: { entity: 'claims' },
    by: kind === 'employers' ? 'members.employer.id' : 'members.tenant.id',
    options: { order: 'value', isDescending: false, offset: 0, limit: Number.MAX_SAFE_INTEGER },
  });
  const claims = new Map(groups.map((group) => [group.value, group.totals]));
  return listOrganizations(lists.database, kind).map((organization) => ({
    ...organization,
    claims: claims.get(organization.id) ?? toTotals(0, []),
  }));
}

/**
 * The operations of the one thread that makes whole lists, groups and counts. SQLite alone determines which rows match
 * a filter and how a table is sorted, using the best index for each; the thread combines the two results into the list.
 */
export function createListOperations(database: Database, options: ListOptions = defaultListOptions) {
  const cache = createListCache(database, options.maxBytes);
  const lists: Lists = { database, fewRows: options.fewRows, cache };
  return inSnapshots(database, {
    makeList: (query: ListQuery) => makeList(lists, query),
    sumOpen: (query: ListQuery) => sumOpen(lists, query),
    groupList: (input: Parameters<typeof groupList>[1]) => groupList(lists, input),
    listValues: (input: Parameters<typeof listValues>[1]) => listValues(lists, input),
    listEmployers: (_input: null) =>
      listWithClaims(lists, 'employers').map(({ organizations: _tenants, ...employer }) => employer),
    listTenants: (_input: null) =>
      listWithClaims(lists, 'tenants').map(({ organizations: employers, ...tenant }) => ({
        ...tenant,
        employers,
      })),
    /** The size of the cache in bytes. */
    measureColumns: (_input: null): { bytes: number } => ({ bytes: cache.measure() }),
  });
}

/** The approximate size of a value with its count. */
const bytesOfValue = 100;

const foldAscii = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());

/** Whether a text contains another, compared as the condition `contains` does. */
const hasPart = (text: string, part: string): boolean => foldAscii(text).includes(foldAscii(part));

export type ListOperations = ReturnType<typeof createListOperations>;
