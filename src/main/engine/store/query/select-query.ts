import type { Entity, FieldSpec } from '../../../../contract/fields.ts';
import type { Condition, ListQuery } from '../../../../contract/query.ts';
import type { Connection } from '../file/connection.ts';
import { splitLetters } from '../record/text-index.ts';
import { buildCondition, buildSearch, findSort } from './build-query.ts';
import { amountsPath, type ColumnCache, letterPath } from './column-cache.ts';
import { invalidQuery, readCondition, type Sql } from './conditions.ts';
import { findLink, linkSources, readLink } from './link-conditions.ts';
import { findField, listTables } from './list-tables.ts';
import { matchRanks } from './match-ranks.ts';
import { eachPath } from './merge-values.ts';
import { matchRanges } from './range-conditions.ts';
import {
  type ColumnSort,
  narrowByBits,
  narrowByColumn,
  narrowByFlags,
  narrowByKeys,
  type Selection,
  selectAll,
  sortRows,
  takeFirstRows,
} from './select-rows.ts';
import { worklistMembers, worklistPath } from './worklist-conditions.ts';

/** A condition that SQLite answers by an index in a few rows, or that no column in memory can decide. */
function isForSql(entity: Entity, condition: Condition): boolean {
  const spec = findField(entity, condition.field);
  if (spec?.sensitivity === 'ssn') return true;
  if (condition.field === worklistPath) return true;
  const isNarrow = condition.operator === 'is' || condition.operator === 'isOneOf';
  return condition.field === 'members.id' && isNarrow;
}

/** The column of single values by which a field is filtered and grouped. */
export const valuesPath = (spec: FieldSpec): string =>
  spec.isMany === true ? eachPath(spec.path) : spec.path;

/** The columns that a query needs in memory. @throws DeskError `query.invalid`, `query.ssnOrder` */
export function pathsOf(query: ListQuery): string[] {
  const paths = new Set<string>([amountsPath]);
  for (const condition of query.conditions ?? []) {
    if (isForSql(query.entity, condition)) continue;
    const spec = findField(query.entity, condition.field) ?? findLink(query.entity, condition.field);
    if (spec === undefined) throw invalidQuery(condition.field);
    paths.add(valuesPath(spec));
  }
  if (query.entity === 'members' && query.includesArchived !== true) paths.add('archived');
  for (const { field } of query.sort ?? []) paths.add(findSort(query.entity, field).path);
  if (query.entity === 'claims' && query.search !== undefined) {
    for (const letter of splitLetters(query.search).letters) paths.add(letterPath(letter));
  }
  return [...paths];
}

/** The rows of a query, from columns in memory. @throws DeskError `query.invalid` */
export function selectQuery(connection: Connection, cache: ColumnCache, query: ListQuery): Selection {
  const { entity } = query;
  const { keys, missing } = cache.getTable(entity);
  const selection = selectAll(keys.length);
  const narrowBySql = (term: Sql): void => {
    const { table, alias, key, joins } = listTables[entity];
    const found = connection
      .prepare(`SELECT ${alias}.${key} FROM ${table} ${alias} ${joins} WHERE ${term.text}`)
      .pluck()
      .all(term.values) as number[];
    narrowByKeys(selection, keys, found);
  };
  if (missing !== null && query.includesMissing !== true) narrowByFlags(selection, missing, 0);
  for (const condition of query.conditions ?? []) {
    if (condition.field === worklistPath && entity === 'claims') {
      const { text, values } = worklistMembers(condition);
      narrowByKeys(selection, keys, connection.prepare(text).pluck().all(values) as number[]);
    } else if (isForSql(entity, condition)) narrowBySql(buildCondition(query, condition));
    else narrowByMemory(cache, entity, condition, selection);
  }
  if (entity === 'members' && query.includesArchived !== true) {
    narrowByMemory(cache, entity, { field: 'archived', operator: 'isNot', values: [true] }, selection);
  }
  const search = buildSearch(query);
  if (search !== null && entity === 'claims') {
    const { letters, rest } = splitLetters(query.search as string);
    for (const letter of letters) narrowByBits(selection, cache.getLetter(letter));
    if (rest !== null) narrowByKeys(selection, keys, cache.findText(entity, rest));
  } else if (search !== null) narrowBySql(search);
  return selection;
}

function narrowByMemory(
  cache: ColumnCache,
  entity: Entity,
  condition: Condition,
  selection: Selection,
): void {
  const spec = findField(entity, condition.field) ?? findLink(entity, condition.field);
  if (spec === undefined) throw invalidQuery(condition.field);
  const column = cache.getColumn(entity, valuesPath(spec));
  if (spec.kind === 'dateRange') {
    narrowByColumn(selection, column, matchRanges(column, condition));
    return;
  }
  const isOfSeveral = spec.isMany === true || linkSources[spec.path] !== undefined;
  if (!isOfSeveral) {
    narrowByColumn(selection, column, matchRanks(column, readCondition(spec.kind, condition)));
    return;
  }
  const { wanted, isWithout } = readLink(condition);
  const match = matchRanks(column, readCondition(spec.kind, wanted));
  // A row may have several values: "has none" applies to all of them.
  const isNotEmpty = wanted.operator === 'isNotEmpty';
  narrowByColumn(
    selection,
    column,
    isNotEmpty ? { ...match, isNot: !isWithout } : { ...match, isNot: isWithout },
  );
}

const sortsOf = (cache: ColumnCache, query: ListQuery): ColumnSort[] =>
  (query.sort ?? []).map((sort) => {
    const spec = findSort(query.entity, sort.field);
    return {
      column: cache.getColumn(query.entity, spec.path),
      isDescending: sort.direction === 'desc',
      isNullsFirst: sort.nulls === 'first',
    };
  });

/** The keys that come first in the requested order. */
export function firstOfSelection(
  cache: ColumnCache,
  query: ListQuery,
  selection: Selection,
  limit: number,
): number[] {
  const { keys } = cache.getTable(query.entity);
  return Array.from(takeFirstRows(selection, sortsOf(cache, query), limit), (row) => keys[row] as number);
}

/** The keys of selected rows in the requested order, four bytes each where all ids fit, and their row indexes. */
export function orderSelection(
  cache: ColumnCache,
  query: ListQuery,
  selection: Selection,
): { keys: Float64Array | Uint32Array; rowIndexes: Uint32Array } {
  const { keys } = cache.getTable(query.entity);
  const rowIndexes = sortRows(selection, sortsOf(cache, query));
  const sorted = makeKeys(rowIndexes.length, keys[0] ?? 0, keys.at(-1) ?? 0);
  for (let index = 0; index < rowIndexes.length; index += 1)
    sorted[index] = keys[rowIndexes[index] as number] as number;
  return { keys: sorted, rowIndexes: rowIndexes };
}

/** A list for `count` keys, four bytes each where the smallest and the largest fit. */
export function makeKeys(count: number, smallest: number, largest: number): Float64Array | Uint32Array {
  return smallest >= 0 && largest <= 0xffff_ffff ? new Uint32Array(count) : new Float64Array(count);
}
