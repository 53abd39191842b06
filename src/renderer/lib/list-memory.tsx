import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import type { DeskBridge } from '../../contract/bridge.ts';
import type { ListQuery, Sort } from '../../contract/query.ts';
import { ListSource } from './list-source.ts';

/** What a list remembers while the window lives: never written anywhere, gone at a lock. */
export interface ListSettings<F> {
  readonly search: string;
  readonly filter: F;
  readonly sort: readonly Sort[];
  /** Paths of the shown columns, in order. */
  readonly columns: readonly string[];
}

/** How a list begins, and how its settings become a query. */
export interface ListPlan<F> {
  readonly initial: ListSettings<F>;
  readonly toQuery: (settings: ListSettings<F>) => ListQuery;
}

/** A list with its settings and its source; a change of settings opens the list anew at once. */
export class RememberedList<F> {
  readonly id: string;
  readonly source: ListSource;
  readonly plan: ListPlan<F>;
  /** Where the keyboard was, to be found again after a record was read. */
  focus: { readonly row: number; readonly column: string } | null = null;
  #settings: ListSettings<F>;
  readonly #listeners = new Set<() => void>();

  constructor(id: string, source: ListSource, plan: ListPlan<F>) {
    this.id = id;
    this.source = source;
    this.plan = plan;
    this.#settings = plan.initial;
    source.setQuery(plan.toQuery(plan.initial));
  }

  readonly getSettings = (): ListSettings<F> => this.#settings;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly change = (change: Partial<ListSettings<F>>): void => {
    this.#settings = { ...this.#settings, ...change };
    this.source.setQuery(this.plan.toQuery(this.#settings));
    for (const listener of this.#listeners) listener();
  };
}

const maxLists = 12;

/** All lists of the window, by workspace and list id; the longest unused gives way. */
export class ListMemory {
  readonly #bridge: DeskBridge;
  readonly #lists = new Map<string, RememberedList<unknown>>();

  constructor(bridge: DeskBridge) {
    this.#bridge = bridge;
  }

  find(workspaceId: string, listId: string): RememberedList<unknown> | null {
    return this.#lists.get(`${workspaceId}/${listId}`) ?? null;
  }

  obtain<F>(workspaceId: string, listId: string, plan: ListPlan<F>): RememberedList<F> {
    const key = `${workspaceId}/${listId}`;
    const known = this.#lists.get(key) as RememberedList<F> | undefined;
    const list = known ?? new RememberedList(listId, new ListSource(this.#bridge, workspaceId), plan);
    this.#lists.delete(key);
    this.#lists.set(key, list as RememberedList<unknown>);
    for (const [oldest, old] of this.#lists) {
      if (this.#lists.size <= maxLists) break;
      old.source.close();
      this.#lists.delete(oldest);
    }
    return list;
  }

  markStale(workspaceId: string): void {
    for (const list of this.#lists.values()) {
      if (list.source.workspaceId === workspaceId) list.source.markStale();
    }
  }
}

const ListMemoryContext = createContext<ListMemory | null>(null);

export function ListMemoryProvider({ memory, children }: { memory: ListMemory; children: ReactNode }) {
  return <ListMemoryContext value={memory}>{children}</ListMemoryContext>;
}

export function useListMemory(): ListMemory {
  const memory = useContext(ListMemoryContext);
  if (memory === null) throw new Error('There is no list memory above this component.');
  return memory;
}

/** The list of that id and its settings, which survive leaving the page and coming back. */
export function useRememberedList<F>(workspaceId: string, listId: string, plan: ListPlan<F>) {
  const memory = useListMemory();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list keeps the plan it began with
  const list = useMemo(() => memory.obtain(workspaceId, listId, plan), [memory, workspaceId, listId]);
  const settings = useSyncExternalStore(list.subscribe, list.getSettings);
  const state = useSyncExternalStore(list.source.subscribe, list.source.getState);
  return { list, settings, state };
}
