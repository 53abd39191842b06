import type { ListQuery, Sort } from '../../../../rules/query.ts';
import { findWorklist, type WorklistId } from '../../../../rules/worklists/worklist-table.ts';
import type { Database } from '../file/database.ts';
import { buildFrom, buildTerms } from './build-query.ts';
import type { Sql } from './conditions.ts';
import { columnOf, listTables, sortColumnOf } from './list-tables.ts';
import { worklistNumbers, worklistPath } from './worklist-conditions.ts';

/** A request for the first keys of a list. */
export interface WantedKeys {
  readonly database: Database;
  readonly query: ListQuery;
  readonly limit: number;
  /** Its `ORDER BY`. */
  readonly order: string;
  /** Its terms without the search: the terms of its conditions first, in their order. */
  readonly terms: readonly Sql[];
}

/** Finds the keys without making the whole list; null: the method does not apply, or found too few. */
export type FirstRows = (keyRequest: WantedKeys) => number[] | null;

/** A condition that leaves at most this many rows is applied first; sorting them takes a few milliseconds. */
export const fewRows = 4_000;
/** How many rows of a filter are checked in the order of an index before another method is used. */
export const filteredRows = 8_000;

/**
 * A term that SQLite evaluates row by row, without an index. As a CASE, evaluation stops at the first part that is
 * false; with a plus sign it would not.
 */
export const unindexed = (term: Sql): Sql => ({
  text: `CASE WHEN ${term.text} THEN 1 END`,
  values: term.values,
});

/** A term that restricts a list to these rows. */
export function amongRows({ entity }: ListQuery, keys: readonly number[]): Sql {
  const { alias, key } = listTables[entity];
  return { text: `${alias}.${key} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(keys)] };
}

/** Reads the keys of rows that match all of these terms. */
export function readKeys(
  { database, query }: WantedKeys,
  terms: readonly Sql[],
  order: string,
  limit: number,
  read: 'byRow' | 'byIndex' = 'byIndex',
): number[] {
  const { alias, key } = listTables[query.entity];
  const { text, values } = buildFrom(query, terms, read);
  const select = database.prepare(`SELECT ${alias}.${key} ${text} ${order} LIMIT ${limit}`).pluck();
  return select.all(values) as number[];
}

/**
 * Checks at most `rows` rows in the order of an index; null where too few of them match, or fewer than one in `oneIn`.
 * `from`: where they are read, by default the table of the list.
 */
export function walk(
  request: WantedKeys,
  terms: readonly Sql[],
  rows: number,
  { from = buildFrom(request.query, []).text, oneIn = rows }: { from?: string; oneIn?: number } = {},
): number[] | null {
  const { database, query, order, limit } = request;
  const { alias, key } = listTables[query.entity];
  const isMatch = unindexed({
    text: ['true', ...terms.map(({ text }) => text)].join(' AND '),
    values: terms.flatMap(({ values }) => values),
  });
  const walked = database
    .prepare(`SELECT ${alias}.${key}, ${isMatch.text} ${from} ${order} LIMIT ${rows}`)
    .raw()
    .iterate(isMatch.values) as IterableIterator<[number, number | null]>;
  const rowKeys: number[] = [];
  let checked = 0;
  for (const [rowKey, matches] of walked) {
    checked += 1;
    if (matches !== null) rowKeys.push(rowKey);
    if (rowKeys.length === limit) return rowKeys;
    if (checked >= limit && rowKeys.length * oneIn < checked) return null;
  }
  return checked < rows ? rowKeys : null;
}

/** Returns the column of a list of claims sorted by only one, with blank values last; null for other lists. */
export function findOneSort({ entity, sort = [], search }: ListQuery): Sort | null {
  const [first, ...more] = sort;
  const isOne = first !== undefined && more.length === 0 && first.nulls !== 'first';
  return isOne && entity === 'claims' && search === undefined ? first : null;
}

const directionOf = ({ direction }: Sort): 'ASC' | 'DESC' => (direction === 'desc' ? 'DESC' : 'ASC');

/** Claims of a worklist in the worklist's own order, which is stored. */
export const byWorklist: FirstRows = (request) => {
  const { query } = request;
  const sort = findOneSort(query);
  const conditions = query.conditions ?? [];
  const [worklistCondition, ...more] = conditions.filter(({ field }) => field === worklistPath);
  if (sort === null || worklistCondition?.operator !== 'is' || more.length > 0) return null;
  const [number] = worklistNumbers(worklistCondition);
  const usual = findWorklist(worklistCondition.values[0] as WorklistId).sort;
  if (sort.field !== usual.field || sort.direction !== usual.direction) return null;
  const others = buildTerms({
    ...query,
    conditions: conditions.filter(({ field }) => field !== worklistPath),
  });
  const from = `FROM claim_worklists w CROSS JOIN claims c ON c.id=w.id ${listTables.claims.joins}
    WHERE w.worklist=${number}`;
  const order = `ORDER BY w.rank ${usual.direction}, w.id ${usual.direction}`;
  return walk({ ...request, order }, others, filteredRows, { from });
};

/** Where the values of a column of claims can be read without the claims' rows, and the key of the claim there. */
function findOtherTable(path: string): { from: string; key: string } | null {
  const [, alias] = /^([fv])\.\w+$/.exec(sortColumnOf('claims', path)) ?? [];
  if (alias === 'f') return { from: 'claim_facts f', key: 'f.id' };
  return alias === 'v' ? { from: 'claim_reviews v', key: 'v.claim_id' } : null;
}

/** Where too few of the first rows match the conditions, all rows are read, unless there are more than this. */
const manyRows = 256_000;

/**
 * Claims sorted by a column of facts or reviews: reads only as many as are needed in the column's order, then claims
 * without a value in the order of their keys.
 */
export const byFactOrReview: FirstRows = (request) => {
  const { database, query, limit, order } = request;
  const sort = findOneSort(query);
  const other = sort === null ? null : findOtherTable(sort.field);
  if (sort === null || other === null) return null;
  const value = sortColumnOf('claims', sort.field);
  const direction = directionOf(sort);
  const terms = request.terms.map(unindexed);
  const valued = `FROM ${other.from} WHERE ${value} IS NOT NULL`;
  // Read in the direction of the ties, so that most of many equal values are excluded early.
  const first = database
    .prepare(
      `SELECT id FROM (SELECT ${other.key} AS id, ${value} AS value ${valued} ORDER BY ${other.key} ${direction} LIMIT -1)
       ORDER BY value ${direction}, id ${direction} LIMIT ${fewRows}`,
    )
    .pluck()
    .all() as number[];
  let rowKeys = readKeys(request, [amongRows(query, first), ...terms], order, limit);
  if (rowKeys.length < limit && first.length === fewRows) {
    const count = database.prepare(`SELECT count(*) ${valued}`).pluck().get() as number;
    if (count > manyRows) return null;
    const all = { text: `c.id IN (SELECT ${other.key} ${valued})`, values: [] };
    rowKeys = readKeys(request, [all, ...terms], order, limit);
  }
  if (rowKeys.length === limit) return rowKeys;
  const without = [unindexed({ text: `${value} IS NULL`, values: [] }), ...terms];
  return [...rowKeys, ...readKeys(request, without, `ORDER BY c.id ${direction}`, limit - rowKeys.length)];
};

/**
 * Claims sorted by review state: one state after another, each in the order of keys. Reading the whole table would
 * compute the state of every claim without a review.
 */
export const byReviewState: FirstRows = (request) => {
  const { database, query, limit } = request;
  const sort = findOneSort(query);
  if (sort?.field !== 'review.state') return null;
  const kept = database.prepare('SELECT DISTINCT state FROM claim_reviews').pluck().all() as (
    | string
    | null
  )[];
  const states = [...new Set(['todo', 'notSelected', ...kept])].filter((state) => state !== null).sort();
  const terms = request.terms.map(unindexed);
  const rowKeys: number[] = [];
  for (const state of sort.direction === 'desc' ? states.reverse() : states) {
    const isMade = state === 'todo' || state === 'notSelected';
    const inState = isMade
      ? unindexed({ text: `${columnOf('claims', 'review.state')}=?`, values: [state] })
      : { text: 'c.id IN (SELECT claim_id FROM claim_reviews WHERE state=?)', values: [state] };
    const order = `ORDER BY c.id ${directionOf(sort)}`;
    rowKeys.push(...readKeys(request, [inState, ...terms], order, limit - rowKeys.length));
    if (rowKeys.length === limit) break;
  }
  return rowKeys;
};
