import { errorTable } from '../../../contract/error-codes.ts';
import type { SavedView } from '../../../contract/store.ts';
import {
  type LastRead,
  type ListView,
  type SessionContent,
  sessionContentSchema,
  sessionName,
  type ViewContent,
  type ViewFile,
  viewContentSchema,
  viewFileSchema,
} from '../../../contract/views.ts';
import { type Entity, fieldsOf, isSortable } from '../../../rules/list-fields.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { DeskError } from '../../lib/desk-error.ts';
import { findFilterField } from './describe-filter.ts';
import type { ListSettings } from './list-settings.ts';

export interface NamedView {
  readonly id: string;
  readonly name: string;
  readonly content: ViewContent;
  /** Every computer of the team has it. */
  readonly isOfTeam: boolean;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Views with a name; those that this version cannot read are skipped. */
export const namedViews = (views: readonly SavedView[]): NamedView[] =>
  views
    .flatMap(({ id, name, query, isOfTeam = false }) => {
      const content = viewContentSchema.safeParse(readJson(query));
      return content.success && name !== sessionName ? [{ id, name, content: content.data, isOfTeam }] : [];
    })
    .sort((left, right) => left.name.localeCompare(right.name));

export function findSession(
  views: readonly SavedView[],
): { id: string; lists: SessionContent['lists']; last: LastRead | null } | null {
  const view = views.find(({ name }) => name === sessionName);
  if (view === undefined) return null;
  const content = sessionContentSchema.safeParse(readJson(view.query));
  return {
    id: view.id,
    lists: content.success ? content.data.lists : {},
    last: (content.success ? content.data.last : null) ?? null,
  };
}

/** The parts of a view that this version supports: an unknown column, filter or sort would make the list fail. */
export function settingsOf(entity: Entity, view: ListView): ListSettings {
  const knownPaths = new Set(fieldsOf[entity].map(({ path }) => path));
  const sortable = new Set(fieldsOf[entity].filter((spec) => isSortable(spec)).map(({ path }) => path));
  const columns = view.columns.filter((path) => knownPaths.has(path));
  return {
    ...view,
    conditions: view.conditions.filter(({ field }) => findFilterField(entity, field) !== undefined),
    sort: view.sort.filter(({ field }) => sortable.has(field)),
    columns: columns.length > 0 ? columns : ['id'],
    frozen: view.frozen.filter((path) => columns.includes(path)),
  };
}

export const viewOf = (settings: ListSettings): ListView => ({
  search: settings.search,
  conditions: [...settings.conditions],
  includesArchived: settings.includesArchived,
  includesMissing: settings.includesMissing,
  sort: [...settings.sort],
  columns: [...settings.columns],
  frozen: [...settings.frozen],
  widths: { ...settings.widths },
  groupBy: settings.groupBy,
});

/** The last state of a list. Without columns if they were the default ones, which depend on the width of the window. */
export function lastViewOf(settings: ListSettings, initial: ListSettings): ListView {
  const view = viewOf(settings);
  return isSameJson(settings.columns, initial.columns) ? { ...view, columns: [] } : view;
}

/** The settings for a list that was left in this state. */
export const lastSettingsOf = (entity: Entity, view: ListView, initial: ListSettings): ListSettings =>
  settingsOf(entity, view.columns.length > 0 ? view : { ...view, columns: [...initial.columns] });

/** Reads an exported file. @throws DeskError `view.notAFile` */
export function readViewFile(text: string): ViewFile {
  const file = viewFileSchema.safeParse(readJson(text));
  if (file.success) return file.data;
  throw new DeskError(errorTable['view.notAFile']);
}

/** A name that no other view has. */
export function freeName(baseName: string, taken: readonly string[]): string {
  if (!taken.includes(baseName)) return baseName;
  for (let number = 2; ; number += 1) {
    const name = `${baseName.slice(0, 110)} (${number})`;
    if (!taken.includes(name)) return name;
  }
}
