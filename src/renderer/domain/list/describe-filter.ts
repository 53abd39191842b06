import { formatCode } from '../../../contract/code-labels.ts';
import { filterLabelOf } from '../../../contract/filter-words.ts';
import { rangeOperators } from '../../../rules/date-range.ts';
import { formatDay, localDayOf, parseMoment } from '../../../rules/days.ts';
import {
  type Entity,
  type FieldKind,
  type FieldSpec,
  fieldsOf,
  isDated,
  linkFieldsOf,
} from '../../../rules/list-fields.ts';
import { readDollars, writeDecimals } from '../../../rules/money/amounts.ts';
import { writeDollars } from '../../../rules/money/format-amount.ts';
import type { Condition, Operator } from '../../../rules/query.ts';
import { decidedByField, sayDecidedBy } from '../../../rules/review/decided-by.ts';
import { idFields, readIdFilter } from '../../../rules/review/id-filter.ts';

/** A column that can be filtered by, with its label. */
export interface FilterField {
  readonly path: string;
  readonly kind: FieldKind;
  readonly label: string;
  /** Its values are IDs with names, chosen from a list. */
  readonly isNamed: boolean;
  /** SSNs are found only whole, without a list of values. */
  readonly isSsn: boolean;
}

/** IDs of which there are few enough to choose from. */
const chosenByName = new Set(['members.employer.id', 'members.tenant.id', 'employer.id', 'tenant.id']);

const toField = (spec: FieldSpec): FilterField => ({
  path: spec.path,
  kind: spec.kind,
  label: filterLabelOf(spec),
  isNamed: chosenByName.has(spec.path),
  isSsn: spec.sensitivity === 'ssn',
});

/** The fields that a list can be filtered by: its columns, and links of its records. */
export const filterFields = (entity: Entity): FilterField[] =>
  [...fieldsOf[entity], ...linkFieldsOf[entity]].map(toField);

export const findFilterField = (entity: Entity, path: string): FilterField | undefined =>
  filterFields(entity).find((field) => field.path === path);

/** The operators that make sense for a column, the most common one first. */
export function operatorsOf(field: FilterField): readonly Operator[] {
  const whether = ['isEmpty', 'isNotEmpty'] as const;
  if (field.isSsn) return ['is', 'isNot', ...whether];
  if (field.isNamed) return ['isOneOf', ...whether];
  switch (field.kind) {
    case 'money':
    case 'number':
      return ['atLeast', 'atMost', 'between', 'is', 'isNot', 'moreThan', 'lessThan', ...whether];
    case 'date':
    case 'dateTime':
      return ['between', 'atLeast', 'atMost', 'is', 'isNot', 'moreThan', 'lessThan', ...whether];
    case 'dateRange':
      return rangeOperators;
    case 'boolean':
      return ['is', ...whether];
    case 'id':
    case 'integer':
      return ['is', 'isNot', 'startsWith', 'between', 'atLeast', 'atMost', ...whether];
    case 'text':
      return ['isOneOf', 'contains', 'startsWith', 'is', 'isNot', ...whether];
  }
}

/** How many values an operator takes; null: any number. */
export function valueCount(operator: Operator): 0 | 1 | 2 | null {
  if (operator === 'isEmpty' || operator === 'isNotEmpty') return 0;
  if (operator === 'between') return 2;
  return operator === 'isOneOf' ? null : 1;
}

/**
 * Typed values for the query language; null where one of them is invalid. Amounts stay decimal text, not floating
 * point.
 */
export function readValues(
  field: FilterField,
  operator: Operator,
  typed: readonly string[],
): Condition['values'] | null {
  const count = valueCount(operator);
  if (count === 0) return [];
  const texts = typed.map((text) => text.trim()).filter((text) => text !== '');
  if (count === null ? texts.length === 0 : texts.length !== count) return null;
  const values = texts.map((text) => readValue(field, operator, text));
  return values.every((value) => value !== null) ? (values as Condition['values']) : null;
}

function readValue(field: FilterField, operator: Operator, text: string): string | number | boolean | null {
  if (operator === 'contains' || operator === 'startsWith') return text;
  switch (field.kind) {
    case 'money': {
      const amount = readDollars(text.replace(/[$,\s]/g, '').replace('−', '-'));
      return amount === null ? null : writeDecimals(amount);
    }
    case 'number':
    case 'integer':
    case 'id': {
      const digits = text.replace(/[,\s]/g, '');
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(digits) ? digits : null;
    }
    case 'date':
    case 'dateTime':
    case 'dateRange':
      return parseMoment(text)?.day ?? null;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : null;
    case 'text':
      return text;
  }
}

/** A value as it would be typed: of a moment, its local day. */
export const asTyped = (value: string | number | boolean): string =>
  parseMoment(String(value))?.zone === 'Z' ? localDayOf(new Date(String(value))) : String(value);

/** A value of a filter as text. */
export function formatFilterValue(field: FilterField, value: string | number | boolean): string {
  if (idFields.includes(field.path)) return readIdFilter(String(value)).name;
  if (field.path === decidedByField) return sayDecidedBy(String(value), formatDay);
  if (field.kind === 'money') return writeDollars(value, 'all') ?? '';
  if (field.kind === 'boolean') return value === true ? 'yes' : 'no';
  const day = isDated(field.kind) ? parseMoment(asTyped(value))?.day : undefined;
  return day === undefined ? formatCode(field.path, String(value)) : formatDay(day);
}
