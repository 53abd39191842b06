import type { Entity, FieldKind } from '../../../../rules/list-fields.ts';
import { writeDecimals } from '../../../../rules/money/amounts.ts';
import type { Amount, Condition, Group, SumName } from '../../../../rules/query.ts';
import type { Database } from '../file/database.ts';
import { type SqlValue, toCell } from '../record/decompose.ts';
import { findGroup } from './build-query.ts';
import type { FoundGroup } from './group-rows.ts';

type GroupOrder = 'value' | 'count' | SumName;

export interface GroupOptions {
  readonly order: GroupOrder;
  readonly isDescending: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** The condition that finds exactly the rows of a group; it states an amount in dollars, with its decimals. */
function conditionOf(field: string, kind: FieldKind, value: SqlValue): Condition {
  const cell = toCell(kind, value);
  if (cell === null) return { field, operator: 'isEmpty', values: [] };
  return { field, operator: 'is', values: [kind === 'money' ? writeDecimals(Number(cell)) : cell] };
}

const labelSql: Readonly<Record<string, string>> = {
  'members.id': `SELECT coalesce(full_name_derived, trim(coalesce(first_name, '')||' '||coalesce(last_name, ''))) FROM members WHERE id=:id
    UNION ALL SELECT trim(coalesce(first_name, '')||' '||coalesce(last_name, '')) FROM claim_member_records WHERE id=:id LIMIT 1`,
  'members.employer.id': 'SELECT name FROM employers WHERE id=:id ORDER BY ref DESC LIMIT 1',
  'members.tenant.id': 'SELECT name FROM tenants WHERE id=:id ORDER BY ref DESC LIMIT 1',
  'policy_holder.id': `SELECT trim(coalesce(first_name, '')||' '||coalesce(last_name, '')) FROM policy_holders WHERE id=:id ORDER BY ref DESC LIMIT 1`,
};
const sameLabels: Readonly<Record<string, string>> = {
  'employer.id': 'members.employer.id',
  'tenant.id': 'members.tenant.id',
  $member_id: 'members.id',
};

/** Creates a reader of the name that belongs to an ID, where there is one. */
function createLabels(database: Database, path: string): (value: SqlValue) => string | null {
  const sql = labelSql[sameLabels[path] ?? path];
  if (sql === undefined) return () => null;
  const select = database.prepare(sql).pluck();
  return (value) => {
    if (value === null) return null;
    const label = select.get({ id: value }) as string | null | undefined;
    return label === undefined || label === '' ? null : label;
  };
}

const compareValues = (a: SqlValue, b: SqlValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1;

/** Compares sums, which are text where a double is not exact. */
const compareSums = (a: Amount, b: Amount): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = [BigInt(a), BigInt(b)];
  return x < y ? -1 : x > y ? 1 : 0;
};

/** Sorts groups (ties by value, the one without a value last), selects a page, and adds names and conditions. */
export function shapeGroups(
  database: Database,
  entity: Entity,
  path: string,
  foundGroups: readonly FoundGroup[],
  options: GroupOptions,
): { groups: Group[]; total: number } {
  const { kind } = findGroup(entity, path);
  const byValue = (a: FoundGroup, b: FoundGroup): number => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    return compareValues(a.value, b.value);
  };
  const direction = options.isDescending ? -1 : 1;
  const sorted = foundGroups.toSorted((a, b) => {
    if (options.order === 'value') {
      const isNull = a.value === null || b.value === null;
      return byValue(a, b) * (isNull ? 1 : direction);
    }
    const [x, y] =
      options.order === 'count'
        ? [a.totals.count, b.totals.count]
        : [a.totals[options.order], b.totals[options.order]];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byValue(a, b);
    return compareSums(x, y) * direction || byValue(a, b);
  });
  const labelOf = createLabels(database, path);
  return {
    total: foundGroups.length,
    groups: sorted.slice(options.offset, options.offset + options.limit).map(({ value, totals }) => ({
      value: toCell(kind, value),
      label: labelOf(value),
      totals,
      conditions: [conditionOf(path, kind, value)],
    })),
  };
}
