import { type FieldKind, type FieldSpec, fieldsOf, isDated } from '../rules/list-fields.ts';
import type { Condition, ListQuery, Operator } from '../rules/query.ts';
import { decidedByField } from '../rules/review/decided-by.ts';

const named: Readonly<Record<string, string>> = {
  'members.id': 'Member',
  'members.employer.id': 'Employer',
  'members.tenant.id': 'Tenant',
  'employer.id': 'Employer',
  'tenant.id': 'Tenant',
};
/** Returns the label of a filter by a field; an ID of a record with a name has the label of that record. */
export const filterLabelOf = ({ path, label }: Pick<FieldSpec, 'path' | 'label'>): string =>
  named[path] ?? label;

const operatorLabels: Readonly<Record<Operator, string>> = {
  is: 'is',
  isNot: 'is not',
  isOneOf: 'is one of',
  contains: 'contains',
  startsWith: 'begins with',
  atLeast: 'at least',
  atMost: 'at most',
  moreThan: 'more than',
  lessThan: 'less than',
  between: 'between',
  isEmpty: 'is blank',
  isNotEmpty: 'is not blank',
};
const ofDates: Partial<Record<Operator, string>> = {
  is: 'on',
  isNot: 'not on',
  atLeast: 'on or after',
  atMost: 'on or before',
  moreThan: 'after',
  lessThan: 'before',
};

export const operatorLabel = (operator: Operator, kind: FieldKind): string =>
  (isDated(kind) ? ofDates[operator] : undefined) ?? operatorLabels[operator];

/** Returns the typed value, or only its last four digits where it is a whole SSN. */
export const maskTypedSsn = <T>(typed: T): T | string =>
  typeof typed === 'string' ? typed.replace(/^\s*\d{3}([- ]?)\d{2}\1(\d{4})\s*$/, '***-**-$2') : typed;

/** Returns a query as written into files and on paper: an SSN that was searched for is masked. */
export function maskTypedSsns(query: ListQuery): ListQuery {
  const paths = fieldsOf[query.entity].flatMap(({ path, sensitivity }) =>
    sensitivity === 'ssn' ? [path] : [],
  );
  // A list without SSNs is not searched by them: nine digits are a claim or a check there.
  if (paths.length === 0) return query;
  const { search, conditions } = query;
  const mask = (condition: Condition): Condition =>
    paths.includes(condition.field)
      ? { ...condition, values: condition.values.map(maskTypedSsn) }
      : condition;
  return {
    ...query,
    ...(search === undefined ? {} : { search: maskTypedSsn(search) }),
    ...(conditions === undefined ? {} : { conditions: conditions.map(mask) }),
  };
}

/**
 * A filter as text: "Billed at least $1,500.00". `textOf` gives a value as text. Of more than `maxValues` values, only
 * the first are named.
 */
export function describeCondition(
  { kind, label }: Pick<FieldSpec, 'kind' | 'label'>,
  { field, operator, values }: Condition,
  textOf: (value: Condition['values'][number]) => string,
  maxValues = 2,
): string {
  const [first = '', second = ''] = values.map(textOf);
  // Its values are sentences.
  if (field === decidedByField) return values.map(textOf).join(' or ');
  switch (operator) {
    case 'isEmpty':
    case 'isNotEmpty':
      return `${label} ${operatorLabel(operator, kind)}`;
    case 'between':
      return `${label} ${first} – ${second}`;
    case 'isOneOf': {
      const rest = values.length - maxValues;
      const shown = values.slice(0, maxValues).map(textOf);
      return rest > 0
        ? `${label} is ${shown.join(', ')} or ${rest} more`
        : `${label} is ${[...(shown.length > 2 ? [shown.slice(0, -1).join(', ')] : shown.slice(0, -1)), ...shown.slice(-1)].join(' or ')}`;
    }
    case 'contains':
    case 'startsWith':
      return `${label} ${operatorLabel(operator, kind)} “${values[0] ?? ''}”`;
    default:
      return `${label} ${operatorLabel(operator, kind)} ${first}`;
  }
}
