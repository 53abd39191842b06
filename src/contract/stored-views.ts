import { z } from 'zod';
import { entities } from './fields.ts';
import {
  type ListView,
  listViewSchema,
  type SessionContent,
  sessionContentSchema,
  type ViewContent,
  type ViewFile,
  viewContentSchema,
  viewFileSchema,
} from './views.ts';

/** Fields that a list of version 1 names and that mean something else now: what a person meant by them. */
const renamed = {
  /** Was shown and sorted as the whole range. */
  shown: { 'date_of_service.start': 'date_of_service', 'date_of_service.end': 'date_of_service.last_day' },
  filtered: {
    'date_of_service.start': 'date_of_service.first_day',
    'date_of_service.end': 'date_of_service.last_day',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

const rename = (names: Readonly<Record<string, string>>, path: string): string => names[path] ?? path;
const renameAll = (paths: readonly string[]): string[] => [
  ...new Set(paths.map((path) => rename(renamed.shown, path))),
];

/** A list of version 1 as this version means it: dates of service are first and last day. */
function carryOver(view: ListView): ListView {
  return {
    ...view,
    conditions: view.conditions.map((condition) => ({
      ...condition,
      field: rename(renamed.filtered, condition.field),
    })),
    sort: view.sort.map((sort) => ({ ...sort, field: rename(renamed.shown, sort.field) })),
    columns: renameAll(view.columns),
    frozen: renameAll(view.frozen),
    widths: Object.fromEntries(
      Object.entries(view.widths).map(([name, width]) => [rename(renamed.shown, name), width]),
    ),
  };
}

/** Settings of a list that version 1 called otherwise. */
const renamedSettings: ReadonlyMap<string, string> = new Map([['includesGone', 'includesMissing']]);

const version1View = z.preprocess(
  (view) =>
    typeof view === 'object' && view !== null
      ? Object.fromEntries(
          Object.entries(view).map(([name, value]) => [renamedSettings.get(name) ?? name, value]),
        )
      : view,
  listViewSchema,
);
const version1 = { version: z.literal(1), view: version1View };

/** A saved view as this or an earlier version wrote it. */
export const storedViewSchema = z.union([
  viewContentSchema,
  viewContentSchema
    .extend(version1)
    .transform((old): ViewContent => ({ ...old, version: 2, view: carryOver(old.view) })),
]);

export type StoredView = z.input<typeof storedViewSchema>;

/** How the lists were left, as this or an earlier version wrote it. */
export const storedSessionSchema = z.union([
  sessionContentSchema,
  sessionContentSchema
    .extend({ version: z.literal(1), lists: z.partialRecord(z.enum(entities), version1View) })
    .transform(
      (old): SessionContent => ({
        ...old,
        version: 2,
        lists: Object.fromEntries(
          Object.entries(old.lists).map(([entity, view]) => [
            entity,
            view === undefined ? view : carryOver(view),
          ]),
        ),
      }),
    ),
]);

/** A view file as this or an earlier version wrote it. */
export const storedViewFileSchema = z.union([
  viewFileSchema,
  viewFileSchema
    .extend(version1)
    .transform((old): ViewFile => ({ ...old, version: 2, view: carryOver(old.view) })),
]);
