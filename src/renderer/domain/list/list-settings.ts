import type { ListView } from '../../../contract/views.ts';
import type { Entity } from '../../../rules/list-fields.ts';
import type { Condition, ListQuery, Sort } from '../../../rules/query.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { buildListQuery } from './list-query.ts';

/** The settings of a list, which are the content of a saved view. */
export type ListSettings = {
  readonly [Name in keyof ListView]: ListView[Name] extends (infer Item)[]
    ? readonly Item[]
    : Readonly<ListView[Name]>;
};

/** The first settings of a list, and conditions that the user cannot change (the claims of one member). */
export interface ListPlan {
  readonly entity: Entity;
  readonly initial: ListSettings;
  readonly always?: readonly Condition[];
}

/** A list's first settings: these columns, no filters. */
export const startSettings = (start: {
  columns: readonly string[];
  sort?: readonly Sort[];
  frozen?: readonly string[];
}): ListSettings => ({
  search: '',
  conditions: [],
  includesArchived: false,
  includesMissing: false,
  sort: start.sort ?? [],
  columns: start.columns,
  frozen: start.frozen ?? [],
  widths: {},
  groupBy: null,
});

/** The query for a list's settings. */
export const toListQuery = (plan: ListPlan, settings: ListSettings): ListQuery =>
  buildListQuery(plan.entity, {
    search: settings.search,
    conditions: [...(plan.always ?? []), ...settings.conditions],
    sort: settings.sort,
    includesArchived: settings.includesArchived,
    includesMissing: settings.includesMissing,
  });

/** Whether search or filters exclude anything that the list had at first. */
export const isNarrowed = (settings: ListSettings): boolean =>
  settings.search !== '' || settings.conditions.length > 0;

/** The frozen columns before the others, each part in its order. */
export const orderColumns = (columns: readonly string[], frozen: readonly string[]): string[] => [
  ...columns.filter((path) => frozen.includes(path)),
  ...columns.filter((path) => !frozen.includes(path)),
];

/** Moves a column by one position within its part; at an end it stays. */
export function moveColumn(
  columns: readonly string[],
  frozen: readonly string[],
  path: string,
  step: 1 | -1,
): string[] {
  const ordered = orderColumns(columns, frozen);
  const at = ordered.indexOf(path);
  const other = ordered[at + step];
  if (at < 0 || other === undefined || frozen.includes(other) !== frozen.includes(path)) return ordered;
  ordered[at] = other;
  ordered[at + step] = path;
  return ordered;
}

/** Adds conditions; one that is already there is not added twice. */
export function addConditions(
  conditions: readonly Condition[],
  added: readonly Condition[],
): readonly Condition[] {
  const fresh = added.filter((condition) => !conditions.some((existing) => isSameJson(existing, condition)));
  return fresh.length === 0 ? conditions : [...conditions, ...fresh];
}
