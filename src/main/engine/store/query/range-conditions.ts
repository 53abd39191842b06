import { isRangeOperator, type RangeOperator } from '../../../../rules/date-range.ts';
import { addDays } from '../../../../rules/days.ts';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { Condition } from '../../../../rules/query.ts';
import type { SqlValue } from '../record/decompose.ts';
import {
  endOfDay,
  invalidQuery,
  predicateToSql,
  readCondition,
  type Sql,
  type ValueRange,
} from './conditions.ts';
import { columnOf } from './list-tables.ts';

export const rangePath = 'date_of_service';
export const firstDayPath = 'date_of_service.first_day';
export const lastDayPath = 'date_of_service.last_day';
export const monthPath = 'date_of_service.month';

/** Reads a filter on a date range. @throws DeskError `query.invalid` */
function readRangeTest(condition: Condition): { operator: RangeOperator; from: string; to: string } {
  const { operator, field, values } = condition;
  if (!isRangeOperator(operator)) throw invalidQuery(field);
  readCondition('dateRange', condition);
  const [from = '', to = from] = values.map((value) => String(value).slice(0, 10));
  return { operator, from, to };
}

/** The columns of a date range as it was sent. */
const sentColumns = (entity: Entity, path: string) => ({
  start: columnOf(entity, `${path}.start`),
  end: columnOf(entity, `${path}.end`),
  bounds: columnOf(entity, `${path}.bounds`),
});

/**
 * A filter on a date range as SQL. Most rows are excluded without reading their range: in a list by days (`isByDays`),
 * by the range as text, which is in the index; in others, by the start as sent, since no range begins before it.
 * @throws DeskError `query.invalid`
 */
export function rangeCondition(entity: Entity, path: string, condition: Condition, isByDays: boolean): Sql {
  const { operator, from, to } = readRangeTest(condition);
  if (operator === 'isEmpty') return { text: `${columnOf(entity, path)} IS NULL`, values: [] };
  const { start, end, bounds } = sentColumns(entity, path);
  const matches = `range_matches(${start}, ${end}, ${bounds}, ?, ?, ?)`;
  if (operator !== 'is' && operator !== 'between') return { text: matches, values: [operator, from, to] };
  const begins = isByDays ? `+${columnOf(entity, path)}<=?` : `(${start} IS NULL OR ${start}<=?)`;
  return {
    text: `(${begins} AND (${end} IS NULL OR ${end}='' OR ${end}>=?) AND ${matches})`,
    values: [endOfDay(to), from, operator, from, to],
  };
}

/** `2025-03` of the first day of service. */
export const monthColumn = (entity: Entity): string => `substr(${columnOf(entity, firstDayPath)}, 1, 7)`;

const isMonth = (value: SqlValue): boolean => value === null || /^\d{4}-(0[1-9]|1[0-2])$/.test(String(value));
/** A text that sorts before every day, and after the text of an open start. */
const beforeDays = '0';

/**
 * A condition on the first day or its month. The text of the range begins with both, so its index answers. In a list
 * that is not sorted by days (not `isByDays`), the start as sent, which is at most a day earlier, excludes most rows.
 * @throws DeskError `query.invalid`
 */
export function firstDayCondition(entity: Entity, condition: Condition, isByDays: boolean): Sql {
  const isOfMonth = condition.field === monthPath;
  const predicate = readCondition(isOfMonth ? 'text' : 'date', condition);
  const isPlain = predicate.kind === 'ranges' && !(isOfMonth && !predicate.ranges.every(isOfMonths));
  if (!isPlain)
    return predicateToSql(isOfMonth ? monthColumn(entity) : columnOf(entity, firstDayPath), predicate);
  const ranges = predicate.ranges.map((range) => (isOfMonth ? toDays(range) : range));
  const days = columnOf(entity, rangePath);
  const term = predicateToSql(days, {
    ...predicate,
    ranges: ranges.map((range) => ({ ...range, from: range.from ?? beforeDays })),
  });
  const [only] = ranges;
  if (isByDays || predicate.isNot || only === undefined || ranges.length > 1) return term;
  if (only.from === null || only.to === null) return term;
  const { start } = sentColumns(entity, rangePath);
  const dayBefore = addDays(String(only.from).slice(0, 10).padEnd(10, '-01'), -1) ?? '';
  return {
    text: `(${start} BETWEEN ? AND ? AND ${term.text})`,
    values: [dayBefore, only.to, ...term.values],
  };
}

const isOfMonths = ({ from, to }: ValueRange): boolean => isMonth(from) && isMonth(to);

/** Converts months to the texts with which their days begin. */
const toDays = ({ from, to, isFromOpen, isToOpen }: ValueRange): ValueRange => ({
  from: from !== null && isFromOpen === true ? endOfDay(from) : from,
  to: to === null || isToOpen === true ? to : endOfDay(to),
  ...(isFromOpen === undefined ? {} : { isFromOpen }),
  ...(isToOpen === undefined ? {} : { isToOpen }),
});
