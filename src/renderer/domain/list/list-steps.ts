import type { Entity } from '../../../contract/fields.ts';
import { isSameJson } from '../../../contract/same-value.ts';
import { withoutSsn } from '../../../contract/views.ts';
import type { ListSettings } from './list-settings.ts';

/** What back and forward restore: what a list shows, not its columns. */
export type KeptSettings = Pick<
  ListSettings,
  'search' | 'conditions' | 'includesArchived' | 'includesMissing' | 'sort' | 'groupBy'
>;

/** A search for an SSN is not stored as a step: going back must not search for the person again. */
export const keptOf = (entity: Entity, settings: ListSettings): KeptSettings =>
  withoutSsn(entity, {
    search: settings.search,
    conditions: settings.conditions,
    includesArchived: settings.includesArchived,
    includesMissing: settings.includesMissing,
    sort: settings.sort,
    groupBy: settings.groupBy,
  });

/** Whether only the search differs. */
export const isSearchOnly = (before: KeptSettings, after: KeptSettings): boolean =>
  isSameJson({ ...before, search: '' }, { ...after, search: '' });

const maxSteps = 200;

/** What lists showed, by the step number in the window's history. */
export class ListSteps {
  readonly #steps = new Map<number, { readonly listId: string; readonly kept: KeptSettings }>();
  #last = 0;

  add(listId: string, kept: KeptSettings): number {
    this.#last += 1;
    this.#steps.set(this.#last, { listId, kept });
    this.#steps.delete(this.#last - maxSteps);
    return this.#last;
  }

  replace(step: number, listId: string, kept: KeptSettings): void {
    this.#steps.set(step, { listId, kept });
  }

  /** null: not a step of this list, or one of a previous window. */
  find(step: number | undefined, listId: string): KeptSettings | null {
    const found = step === undefined ? undefined : this.#steps.get(step);
    return found?.listId === listId ? found.kept : null;
  }
}
