import type { ListQuery, Sort } from '../../../../contract/query.ts';
import type { Database } from '../file/database.ts';
import { buildFrom, buildOrder, buildTerms } from './build-query.ts';
import type { Sql } from './conditions.ts';
import { columnOf } from './list-tables.ts';

/** A condition that leaves at most this many rows is applied first; sorting them takes a few milliseconds. */
export const fewRows = 4_000;

/**
 * A term for which SQLite uses no index and which it evaluates row by row. As a CASE it stops at the first part that
 * does not hold; with a plus sign it would not.
 */
export const unindexed = (term: Sql): Sql => ({
  text: `CASE WHEN ${term.text} THEN 1 END`,
  values: term.values,
});

/** The sort of claims by one column, in which claims without a value come last; null for other lists. */
function findOneSort({ entity, sort = [], search }: ListQuery): Sort | null {
  const [first, ...more] = sort;
  const isOne = first !== undefined && more.length === 0 && first.nulls !== 'first';
  return isOne && entity === 'claims' && search === undefined ? first : null;
}

/** Where the values of a column of claims can be read without their rows, and the key of the claim there. */
function findBeside(path: string): { from: string; key: string } | null {
  const [, alias] = /^([fv])\.\w+$/.exec(columnOf('claims', path)) ?? [];
  if (alias === 'f') return { from: 'claim_facts f', key: 'f.id' };
  return alias === 'v' ? { from: 'claim_reviews v', key: 'v.claim_id' } : null;
}

/** Where too few of those that come first meet the conditions, all are looked at unless they are more than this. */
const manyRows = 256_000;

/**
 * The first keys of claims sorted by such a column: in its order only as many claims as are needed; then, in the order
 * of their keys, claims without a value. Null for other sorts, and where too few of those that come first meet the
 * conditions.
 */
export function readBeside(database: Database, query: ListQuery, limit: number): number[] | null {
  const sort = findOneSort(query);
  const beside = sort === null ? null : findBeside(sort.field);
  if (sort === null || beside === null) return null;
  const value = columnOf('claims', sort.field);
  const direction = sort.direction === 'desc' ? 'DESC' : 'ASC';
  const terms = buildTerms(query).map(unindexed);
  const read = (term: Sql, order: string, count: number): number[] => {
    const from = buildFrom(query, [term, ...terms]);
    return database
      .prepare(`SELECT c.id ${from.text} ${order} LIMIT ${count}`)
      .pluck()
      .all(from.values) as number[];
  };
  const valued = `FROM ${beside.from} WHERE ${value} IS NOT NULL`;
  // Read in the direction of the ties, so that of many equal values most are ruled out by a look.
  const first = database
    .prepare(
      `SELECT id FROM (SELECT ${beside.key} AS id, ${value} AS value ${valued} ORDER BY ${beside.key} ${direction} LIMIT -1)
       ORDER BY value ${direction}, id ${direction} LIMIT ${fewRows}`,
    )
    .pluck()
    .all() as number[];
  const order = buildOrder('claims', query.sort);
  const among = { text: 'c.id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(first)] };
  let found = read(among, order, limit);
  if (found.length < limit && first.length === fewRows) {
    const count = database.prepare(`SELECT count(*) ${valued}`).pluck().get() as number;
    if (count > manyRows) return null;
    found = read({ text: `c.id IN (SELECT ${beside.key} ${valued})`, values: [] }, order, limit);
  }
  if (found.length === limit) return found;
  const without = unindexed({ text: `${value} IS NULL`, values: [] });
  return [...found, ...read(without, `ORDER BY c.id ${direction}`, limit - found.length)];
}

/**
 * The first keys of claims sorted by the state of their review: state after state, each in the order of keys. Reading
 * the whole table works out the state of every claim that has no review. Null for other sorts.
 */
export function readByState(database: Database, query: ListQuery, limit: number): number[] | null {
  const sort = findOneSort(query);
  if (sort?.field !== 'review.state') return null;
  const isDescending = sort.direction === 'desc';
  const kept = database.prepare('SELECT DISTINCT state FROM claim_reviews').pluck().all() as (
    | string
    | null
  )[];
  const states = [...new Set(['todo', 'notSelected', ...kept])].filter((state) => state !== null).sort();
  const terms = buildTerms(query).map(unindexed);
  const found: number[] = [];
  for (const state of isDescending ? states.reverse() : states) {
    const isMade = state === 'todo' || state === 'notSelected';
    const inState = isMade
      ? unindexed({ text: `${columnOf('claims', 'review.state')}=?`, values: [state] })
      : { text: 'c.id IN (SELECT claim_id FROM claim_reviews WHERE state=?)', values: [state] };
    const from = buildFrom(query, [inState, ...terms]);
    const some = database
      .prepare(
        `SELECT c.id ${from.text} ORDER BY c.id ${isDescending ? 'DESC' : 'ASC'} LIMIT ${limit - found.length}`,
      )
      .pluck()
      .all(from.values) as number[];
    found.push(...some);
    if (found.length === limit) return found;
  }
  return found;
}

/** How many subscribers are followed before the whole table is read instead. */
const holders = 2_000;

/**
 * The first keys of claims sorted by a column of their subscribers: the subscribers in this order, and their claims by
 * an index, until enough meet the conditions. Null for other sorts, and where too few do.
 */
export function readByHolder(database: Database, query: ListQuery, limit: number): number[] | null {
  const sort = findOneSort(query);
  const column = sort === null ? undefined : /^p\.(\w+)$/.exec(columnOf('claims', sort.field))?.[1];
  if (sort === null || column === undefined) return null;
  const direction = sort.direction === 'desc' ? 'DESC' : 'ASC';
  const terms = buildTerms(query).map(unindexed);
  const last = database
    .prepare(
      `SELECT ${column} FROM policy_holders WHERE ${column} IS NOT NULL ORDER BY ${column} ${direction}
       LIMIT 1 OFFSET ?`,
    )
    .pluck();
  const compare = sort.direction === 'desc' ? '>=' : '<=';
  for (let many = limit; many <= holders; many *= 4) {
    const value = last.get(many) as string | number | undefined;
    if (value === undefined) return null;
    // All that share the last value, since their claims are in the order of keys.
    const from = buildFrom(query, [
      {
        text: `c.policy_holder_ref IN (SELECT ref FROM policy_holders WHERE ${column}${compare}?)`,
        values: [value],
      },
      ...terms,
    ]);
    const found = database
      .prepare(`SELECT c.id ${from.text} ${buildOrder('claims', query.sort)} LIMIT ${limit}`)
      .pluck()
      .all(from.values) as number[];
    if (found.length === limit) return found;
  }
  return null;
}
