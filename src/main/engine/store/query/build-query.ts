import { type Entity, type FieldKind, linkFieldsOf } from '../../../../contract/fields.ts';
import type { Condition, ListQuery, Sort } from '../../../../contract/query.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { SqlValue } from '../decompose.ts';
import { toTextQuery } from '../text-index.ts';
import { columnOf, findField, listTables } from './list-tables.ts';

export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

const invalid = (field: string): DeskError => new DeskError('query.invalid', { details: { field } });

const decimal = /^(-?)(\d{1,11})(?:\.(\d{1,4}))?$/;

/** `-12.5` → -125000, exactly. @throws DeskError `query.invalid` */
export function parseTenThousandths(value: string | number | boolean, field: string): number {
  const match = decimal.exec(String(value).trim().replace(/^\$/, ''));
  if (match === null) throw invalid(field);
  const [, sign, whole, fraction = ''] = match;
  return (sign === '-' ? -1 : 1) * (Number(whole) * 10_000 + Number(fraction.padEnd(4, '0')));
}

const isoDate = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const plainNumber = /^-?\d{1,15}(\.\d{1,15})?$/;

/** True for a day of the calendar, with or without a time. */
function isDate(text: string): boolean {
  const day = isoDate.exec(text)?.[1];
  if (day === undefined) return false;
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function toSqlValue(kind: FieldKind, value: string | number | boolean, field: string): SqlValue {
  if (kind === 'money') return parseTenThousandths(value, field);
  if (kind === 'text') return String(value);
  if (kind === 'boolean') {
    if (value === true || value === 'true') return 1;
    if (value === false || value === 'false') return 0;
    throw invalid(field);
  }
  if (kind === 'date' || kind === 'dateTime') {
    const text = String(value);
    if (!isDate(text)) throw invalid(field);
    return text;
  }
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'string' || !plainNumber.test(value)) throw invalid(field);
  return Number(value);
}

/** The last text that begins with this day: fields called dates can arrive as date-times (field-notes §2). */
const endOfDay = (date: SqlValue): string => `${String(date)}~`;

const likePattern = (value: string): string => value.replace(/[\\%_]/g, (sign) => `\\${sign}`);

/** Part of a text, of the digits of an id or of a date; what an amount looks like is nobody's to search. */
function partOf(kind: FieldKind, column: string, condition: Condition): Sql {
  const { operator, field, values } = condition;
  const [value] = values;
  if (value === undefined || values.length !== 1 || ['money', 'number', 'boolean'].includes(kind))
    throw invalid(field);
  const pattern = `${operator === 'contains' ? '%' : ''}${likePattern(String(value))}%`;
  return { text: `${column} LIKE ? ESCAPE '\\'`, values: [pattern] };
}

function comparison(kind: FieldKind, column: string, condition: Condition): Sql {
  const { operator, field } = condition;
  if (operator === 'contains' || operator === 'startsWith') return partOf(kind, column, condition);
  const isDated = kind === 'date' || kind === 'dateTime';
  const values = condition.values.map((value) => toSqlValue(kind, value, field));
  const [first, second] = values;
  const need = (count: number): void => {
    if (values.length !== count) throw invalid(field);
  };
  if (operator === 'isEmpty' || operator === 'isNotEmpty') {
    need(0);
    const empty = kind === 'text' ? `(${column} IS NULL OR ${column}='')` : `${column} IS NULL`;
    return { text: operator === 'isEmpty' ? empty : `NOT ${empty}`, values: [] };
  }
  if (operator === 'isOneOf') {
    if (values.length === 0) throw invalid(field);
    if (isDated) {
      return {
        text: `(${values.map(() => `${column} BETWEEN ? AND ?`).join(' OR ')})`,
        values: values.flatMap((value) => [value, endOfDay(value)]),
      };
    }
    return { text: `${column} IN (${values.map(() => '?').join(', ')})`, values };
  }
  if (operator === 'between') {
    need(2);
    const upper = isDated ? endOfDay(second as SqlValue) : (second as SqlValue);
    return { text: `${column} BETWEEN ? AND ?`, values: [first as SqlValue, upper] };
  }
  need(1);
  const value = first as SqlValue;
  switch (operator) {
    case 'is':
      return isDated
        ? { text: `${column} BETWEEN ? AND ?`, values: [value, endOfDay(value)] }
        : { text: `${column}=?`, values };
    case 'isNot':
      return isDated
        ? { text: `(${column} NOT BETWEEN ? AND ? OR ${column} IS NULL)`, values: [value, endOfDay(value)] }
        : { text: `${column} IS NOT ?`, values };
    case 'atLeast':
      return { text: `${column}>=?`, values };
    case 'atMost':
      return { text: `${column}<=?`, values: [isDated ? endOfDay(value) : value] };
    case 'moreThan':
      return { text: `${column}>?`, values: [isDated ? endOfDay(value) : value] };
    case 'lessThan':
      return { text: `${column}<?`, values };
  }
}

/** Ranges with a day in common; open ends reach everywhere, `)` leaves the end day out (field-notes §2). */
function overlap(alias: string, condition: Condition): Sql {
  const days = condition.values.map((value) => toSqlValue('date', value, condition.field));
  const [from, to] = condition.operator === 'is' ? [days[0], days[0]] : days;
  const wanted = condition.operator === 'is' ? 1 : 2;
  if (!['is', 'between'].includes(condition.operator) || days.length !== wanted)
    throw invalid(condition.field);
  const start = `${alias}.date_of_service_start`;
  const end = `${alias}.date_of_service_end`;
  const bounds = `${alias}.date_of_service_bounds`;
  return {
    text: `((${start} IS NOT NULL OR ${end} IS NOT NULL)
      AND (${start} IS NULL OR CASE WHEN ${bounds} LIKE '(%' THEN substr(${start}, 1, 10)<? ELSE ${start}<=? END)
      AND (${end} IS NULL OR CASE WHEN ${bounds} LIKE '%)' THEN ${end}>? ELSE ${end}>=? END))`,
    values: [to as SqlValue, endOfDay(to as SqlValue), endOfDay(from as SqlValue), from as SqlValue],
  };
}

/** Without the link asked about, which is not the same as with another one. */
const withoutOperators: Partial<Record<Condition['operator'], Condition['operator']>> = {
  isNot: 'is',
  isEmpty: 'isNotEmpty',
};

function linkCondition(entity: Entity, condition: Condition): Sql {
  const { alias } = listTables[entity];
  if (condition.field === 'date_of_service') return overlap(alias, condition);
  const operator = withoutOperators[condition.operator];
  const wanted = operator === undefined ? condition : { ...condition, operator };
  const isMember = condition.field === 'members.id';
  const inner = comparison('id', isMember ? 'member_id' : 'employers.id', wanted);
  const links = isMember
    ? `SELECT parent FROM claim_members WHERE ${inner.text}`
    : `SELECT claim_members.parent FROM employers
      JOIN claim_member_records ON claim_member_records.employer_ref=employers.ref
      JOIN claim_members ON claim_members.ref=claim_member_records.ref WHERE ${inner.text}`;
  return { text: `${alias}.id ${operator === undefined ? 'IN' : 'NOT IN'} (${links})`, values: inner.values };
}

/** `FROM … WHERE …` of a list. @throws DeskError `query.invalid`, `details.field` naming what is wrong */
export function buildFrom(query: ListQuery): Sql {
  const { table, alias, joins, found, wantsTyped, isHere } = listTables[query.entity];
  const parts: Sql[] = [{ text: isHere, values: [] }];
  for (const condition of query.conditions ?? []) {
    const spec = findField(query.entity, condition.field);
    if (spec !== undefined) parts.push(comparison(spec.kind, columnOf(query.entity, spec.path), condition));
    else if (linkFieldsOf[query.entity].some((link) => link.path === condition.field)) {
      parts.push(linkCondition(query.entity, condition));
    } else throw invalid(condition.field);
  }
  if (query.entity === 'members' && query.includesArchived !== true) {
    parts.push({ text: '(m.archived IS NULL OR m.archived=0)', values: [] });
  }
  const words = query.search === undefined ? null : toTextQuery(query.search);
  if (words !== null) {
    parts.push({ text: found, values: wantsTyped ? [words, query.search as string] : [words] });
  }
  return {
    text: `FROM ${table} ${alias} ${joins} WHERE ${parts.map((part) => part.text).join(' AND ')}`,
    values: parts.flatMap((part) => part.values),
  };
}

/** Nulls last in either direction; ties by key, so that a list is the same each time. */
export function buildOrder(entity: Entity, sorts: readonly Sort[] = []): string {
  const { alias, key } = listTables[entity];
  const terms = sorts.map((sort) => {
    if (findField(entity, sort.field) === undefined) throw invalid(sort.field);
    return `${columnOf(entity, sort.field)} ${sort.direction === 'desc' ? 'DESC' : 'ASC'} NULLS LAST`;
  });
  return `ORDER BY ${[...terms, `${alias}.${key} ASC`].join(', ')}`;
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

/** Count and exact sums of a result; for members and dependents the count alone. */
export function buildTotals(query: ListQuery): Sql {
  const from = buildFrom(query);
  const { alias } = listTables[query.entity];
  const sums = ['amount_billed', 'amount_allowed', 'amount_paid', 'patient_responsibility'];
  const hasAmounts = query.entity === 'claims' || query.entity === 'lines';
  const columns = ['count(*)', ...(hasAmounts ? sums.map((column) => `sum(${alias}.${column})`) : [])];
  return { text: `SELECT ${columns.join(', ')} ${from.text}`, values: from.values };
}
