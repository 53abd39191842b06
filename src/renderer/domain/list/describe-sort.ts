import {
  type Entity,
  type FieldKind,
  type FieldSpec,
  fieldsOf,
  isSortable,
} from '../../../rules/list-fields.ts';
import type { Sort } from '../../../rules/query.ts';

/** How many columns a list can be sorted by. */
export const maxSorts = 8;

const directionLabels = {
  text: ['A to Z', 'Z to A'],
  boolean: ['No first', 'Yes first'],
  date: ['Oldest first', 'Newest first'],
  dateTime: ['Oldest first', 'Newest first'],
  dateRange: ['Oldest first', 'Newest first'],
  money: ['Smallest first', 'Largest first'],
  number: ['Smallest first', 'Largest first'],
  integer: ['Smallest first', 'Largest first'],
  id: ['Smallest first', 'Largest first'],
} as const satisfies Record<FieldKind, readonly [asc: string, desc: string]>;

export const directionLabel = (kind: FieldKind, direction: Sort['direction']): string =>
  directionLabels[kind][direction === 'asc' ? 0 : 1];

/** The direction that a column is first sorted in: of amounts, people look for the largest. */
export const firstDirection = (kind: FieldKind): Sort['direction'] => (kind === 'money' ? 'desc' : 'asc');

/** A sort with another direction or position of rows without a value; the default position is left out. */
export function changeSort(sort: Sort, change: Partial<Pick<Sort, 'direction' | 'nulls'>>): Sort {
  const { field, direction, nulls } = { ...sort, ...change };
  return { field, direction, ...(nulls === 'first' ? { nulls } : {}) };
}

/** The sorts of a pressed header, with the positions of rows without a value that were chosen before. */
export const keepNulls = (sorts: readonly Sort[], before: readonly Sort[]): Sort[] =>
  sorts.map((sort) => {
    const nulls = before.find(({ field }) => field === sort.field)?.nulls;
    return nulls === undefined ? sort : changeSort(sort, { nulls });
  });

/** The other fields by which a list can be sorted: not by SSN, whose order would reveal what its mask hides. */
export const findSortChoices = (entity: Entity, sort: readonly Sort[]): FieldSpec[] =>
  fieldsOf[entity].filter((spec) => isSortable(spec) && !sort.some(({ field }) => field === spec.path));
