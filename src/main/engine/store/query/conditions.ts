import { type FieldKind, type FieldSpec, isDated } from '../../../../rules/list-fields.ts';
import { readDollars } from '../../../../rules/money/amounts.ts';
import type { Condition } from '../../../../rules/query.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { SqlValue } from '../record/decompose.ts';
import { normalizeSsn } from '../record/ssn-hash.ts';

export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

export const invalidQuery = (field: string): DeskError =>
  new DeskError('query.invalid', { details: { field } });

/** `-12.5` → -125000, exactly. @throws DeskError `query.invalid` */
export function parseTenThousandths(value: string | number | boolean, field: string): number {
  const amount = readDollars(String(value).trim().replace(/^\$/, ''));
  if (amount === null) throw invalidQuery(field);
  return amount;
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
    throw invalidQuery(field);
  }
  if (isDated(kind)) {
    const text = String(value);
    if (!isDate(text)) throw invalidQuery(field);
    return text;
  }
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'string' || !plainNumber.test(value)) throw invalidQuery(field);
  return Number(value);
}

/** The last text that begins with this day: dates can be date-times (docs/service.md, "Lists and values"). */
export const endOfDay = (date: SqlValue): string => `${String(date)}~`;

/** A range of values, inclusive at both ends unless they are open; null means no bound on that side. */
export interface ValueRange {
  readonly from: SqlValue;
  readonly to: SqlValue;
  readonly isFromOpen?: boolean;
  readonly isToOpen?: boolean;
}

/** The values that a condition accepts. */
type Predicate =
  | {
      readonly kind: 'ranges';
      readonly ranges: readonly ValueRange[];
      /** Matches all other rows, including nulls. */
      readonly isNot: boolean;
    }
  | { readonly kind: 'part'; readonly text: string; readonly isPrefix: boolean }
  | { readonly kind: 'empty'; readonly countsBlank: boolean; readonly isNot: boolean };

/** Reads a condition on a column of this kind. @throws DeskError `query.invalid`, `details.field` names it */
export function readCondition(kind: FieldKind, condition: Condition): Predicate {
  const { operator, field } = condition;
  const need = (count: number): void => {
    if (condition.values.length !== count) throw invalidQuery(field);
  };
  if (operator === 'contains' || operator === 'startsWith') {
    // `contains` searches texts, the digits of an ID and dates; amounts, numbers and booleans have no text to search.
    if (['money', 'number', 'boolean'].includes(kind)) throw invalidQuery(field);
    need(1);
    return { kind: 'part', text: String(condition.values[0]), isPrefix: operator === 'startsWith' };
  }
  const values = condition.values.map((value) => toSqlValue(kind, value, field));
  const last = (value: SqlValue): SqlValue => (isDated(kind) ? endOfDay(value) : value);
  if (operator === 'isEmpty' || operator === 'isNotEmpty') {
    need(0);
    return { kind: 'empty', countsBlank: kind === 'text', isNot: operator === 'isNotEmpty' };
  }
  if (operator === 'isOneOf') {
    if (values.length === 0) throw invalidQuery(field);
    return { kind: 'ranges', ranges: values.map((from) => ({ from, to: last(from) })), isNot: false };
  }
  need(operator === 'between' ? 2 : 1);
  const [first, second] = values as [SqlValue, SqlValue];
  const only = (range: ValueRange, isNot = false): Predicate => ({ kind: 'ranges', ranges: [range], isNot });
  switch (operator) {
    case 'is':
    case 'isNot':
      return only({ from: first, to: last(first) }, operator === 'isNot');
    case 'between':
      return only({ from: first, to: last(second) });
    case 'atLeast':
      return only({ from: first, to: null });
    case 'moreThan':
      return only({ from: last(first), to: null, isFromOpen: true });
    case 'atMost':
      return only({ from: null, to: last(first) });
    case 'lessThan':
      return only({ from: null, to: first, isToOpen: true });
  }
}

const likePattern = (value: string): string => value.replace(/[\\%_]/g, (sign) => `\\${sign}`);

function rangeSql(column: string, range: ValueRange): Sql {
  const { from, to } = range;
  if (from !== null && to !== null) {
    return from === to
      ? { text: `${column}=?`, values: [from] }
      : { text: `${column} BETWEEN ? AND ?`, values: [from, to] };
  }
  return from !== null
    ? { text: `${column}>${range.isFromOpen ? '' : '='}?`, values: [from] }
    : { text: `${column}<${range.isToOpen ? '' : '='}?`, values: [to] };
}

/** Converts a predicate on this expression to SQL. */
export function predicateToSql(column: string, predicate: Predicate): Sql {
  if (predicate.kind === 'part') {
    const pattern = `${predicate.isPrefix ? '' : '%'}${likePattern(predicate.text)}%`;
    return { text: `${column} LIKE ? ESCAPE '\\'`, values: [pattern] };
  }
  if (predicate.kind === 'empty') {
    const empty = predicate.countsBlank ? `(${column} IS NULL OR ${column}='')` : `${column} IS NULL`;
    return { text: predicate.isNot ? `NOT ${empty}` : empty, values: [] };
  }
  const [first] = predicate.ranges;
  if (predicate.isNot && first !== undefined) {
    return first.from === first.to
      ? { text: `${column} IS NOT ?`, values: [first.from] }
      : { text: `(${column} NOT BETWEEN ? AND ? OR ${column} IS NULL)`, values: [first.from, first.to] };
  }
  if (predicate.ranges.length > 1 && predicate.ranges.every(({ from, to }) => from === to)) {
    return {
      text: `${column} IN (${predicate.ranges.map(() => '?').join(', ')})`,
      values: predicate.ranges.map(({ from }) => from),
    };
  }
  const terms = predicate.ranges.map((range) => rangeSql(column, range));
  return {
    text: terms.length === 1 ? (terms[0] as Sql).text : `(${terms.map(({ text }) => text).join(' OR ')})`,
    values: terms.flatMap(({ values }) => values),
  };
}

/** A condition on an SSN: a whole SSN by its keyed hash, or whether there is one; never part of an SSN or a range. */
function ssnSql(column: string, condition: Condition): Sql {
  const { operator, field, values } = condition;
  if (operator === 'isEmpty' || operator === 'isNotEmpty')
    return predicateToSql(column, readCondition('text', condition));
  const digits = values.map((value) => normalizeSsn(String(value)));
  const isOne = operator === 'is' || operator === 'isNot';
  if (!isOne && operator !== 'isOneOf') throw invalidQuery(field);
  if (digits.length === 0 || (isOne && digits.length !== 1) || digits.includes(null))
    throw invalidQuery(field);
  const hashes = digits.map(() => 'ssn_hash(?)').join(', ');
  const match = `ssn_hash(${column}) IN (${hashes})`;
  return {
    text:
      operator === 'isNot'
        ? `(${column} IS NULL OR ssn_hash(${column}) IS NULL OR NOT ${match})`
        : `(${column} IS NOT NULL AND ${match})`,
    values: digits,
  };
}

const maskedSsn = /\*{3}-\*\*-(\d{4})/g;

/**
 * A condition on a text that was shown with a masked SSN, as a group or a choice of values returns it. Every text
 * matches that has an SSN with the same last four digits in that place.
 */
function maskedSql(column: string, { operator, values }: Condition): Sql | null {
  const isMasked = values.some((value) => typeof value === 'string' && value.search(maskedSsn) >= 0);
  if (!isMasked || (operator !== 'is' && operator !== 'isOneOf')) return null;
  const patterns = values.map((value) =>
    String(value)
      .split(maskedSsn)
      .map((part, index) =>
        index % 2 === 1 ? `[0-9][0-9][0-9]*[0-9][0-9]*${part}` : part.replace(/[[*?]/g, '[$&]'),
      )
      .join(''),
  );
  return { text: `(${patterns.map(() => `${column} GLOB ?`).join(' OR ')})`, values: patterns };
}

/** A condition on a column as SQL. @throws DeskError `query.invalid` */
export function comparison(spec: FieldSpec, column: string, condition: Condition): Sql {
  if (spec.sensitivity === 'ssn') return ssnSql(column, condition);
  const masked = spec.kind === 'text' ? maskedSql(column, condition) : null;
  return masked ?? predicateToSql(column, readCondition(spec.kind, condition));
}
