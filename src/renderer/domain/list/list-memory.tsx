import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from 'react';
import type { DeskBridge } from '../../../contract/bridge.ts';
import { formatCountOf } from '../../../rules/count.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { showNotice } from '../../lib/notice.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { fieldsToFetch } from './list-query.ts';
import { ListSelection } from './list-selection.ts';
import { type ListPlan, type ListSettings, toListQuery } from './list-settings.ts';
import { ListSource, type Snapshot } from './list-source.ts';
import { countRows, noRows, type RowRanges } from './row-ranges.ts';
import { SessionStore } from './session-store.ts';

interface FocusedCell {
  readonly row: number;
  readonly column: string;
}

/** A list with its settings and its source; a change of settings makes the list again at once. */
export class RememberedList {
  readonly id: string;
  readonly source: ListSource;
  #plan: ListPlan;
  readonly selection = new ListSelection();
  /** Names of IDs in filters, kept as long as the window. */
  readonly labels = new Map<string, string>();
  /** The last focused cell, to be focused again after a record was closed. */
  focus: FocusedCell | null = null;
  /** From which row to which the focused record moved when the list was made again; null: it was not looked for. */
  focusMove: { readonly from: number; readonly to: number } | null = null;
  /** The user has pressed something in the list since they came to it. */
  isWorkedIn = false;
  #rowsOf: string | null = null;
  /** The selected records in the list that is shown next. */
  #found: { readonly snapshotId: string; readonly places: RowRanges } | null = null;
  /** The row of the focused record in the list that is shown next. */
  #foundFocus: { readonly snapshotId: string; readonly from: number; readonly to: number } | null = null;
  #viewId: string | null = null;
  #settings: ListSettings;
  readonly #listeners = new Set<() => void>();

  constructor(id: string, source: ListSource, plan: ListPlan, start: ListSettings = plan.initial) {
    this.id = id;
    this.source = source;
    this.#plan = plan;
    this.#settings = start;
    source.setQuery(toListQuery(plan, start), fieldsToFetch(plan.entity, start.columns));
    source.follow = this.#follow;
    let { query } = source;
    let whole = source.getState().snapshot?.snapshotId;
    source.subscribe(() => {
      if (source.query !== query) this.selection.clear();
      query = source.query;
      const { snapshot } = source.getState();
      if (snapshot === null || snapshot.snapshotId === whole) return;
      whole = snapshot.snapshotId;
      this.#show(whole);
    });
  }

  /**
   * The open list that the rows on screen are of, and that places of selected rows mean: until a list is complete, the
   * one whose first rows are shown. Null: none are shown yet.
   */
  get rowsOf(): string | null {
    return this.#rowsOf;
  }

  /**
   * The first rows of a list replace those on screen. False: they do not yet, because rows of the same query are
   * selected, which are found in the complete list.
   */
  showFirstRows(snapshotId: string): boolean {
    if (snapshotId === this.#rowsOf) return true;
    if (this.selection.count > 0 && !this.source.getState().isOfOlderQuery) return false;
    this.#show(snapshotId);
    return true;
  }

  /** Selects all rows, as soon as these are counted. */
  async selectAll(): Promise<void> {
    const { query } = this.source;
    const { snapshotId, total } = await this.source.current();
    if (query === this.source.query && snapshotId === this.#rowsOf) this.selection.selectAll(total);
  }

  /** Rows of another list are shown. What was selected before and was not found in it is not selected any more. */
  #show(snapshotId: string): void {
    if (snapshotId === this.#rowsOf) return;
    this.#rowsOf = snapshotId;
    this.#moveFocus(snapshotId);
    const { count } = this.selection;
    if (count === 0) return;
    const places = this.#found?.snapshotId === snapshotId ? this.#found.places : noRows;
    const lost = count - countRows(places);
    this.selection.replace(places);
    if (lost === 0) return;
    showNotice('selection', {
      title: lost === count ? 'Selection cleared' : `${formatCountOf(lost, 'row')} no longer selected`,
      message: 'The list has changed. Check which rows are selected.',
    });
  }

  /** Moves the focus to the row of its record in the list that is shown now. */
  #moveFocus(snapshotId: string): void {
    const { focus } = this;
    const move = this.#foundFocus;
    this.focusMove = null;
    if (focus === null || move?.snapshotId !== snapshotId || move.from !== focus.row) return;
    this.focus = move.to < 0 ? null : { ...focus, row: move.to };
    this.focusMove = move;
  }

  /** Finds the focused record in the list that is shown next; where it is gone, the record that took its row. */
  async #findFocus(from: string, { snapshotId: next, total }: Snapshot): Promise<void> {
    const { focus } = this;
    if (focus === null) return;
    const places = await this.source.findRanges(from, [[focus.row, focus.row]], next);
    const to = places?.[0]?.[0] ?? Math.min(focus.row, total - 1);
    this.#foundFocus = { snapshotId: next, from: focus.row, to };
  }

  /**
   * Finds the focused and the selected records in the list that is shown next, until neither changes. A key that is
   * held down delays the list by two more searches at most.
   */
  readonly #follow = async (snapshot: Snapshot): Promise<void> => {
    const { snapshotId: next } = snapshot;
    for (let searches = 1; ; searches += 1) {
      const from = this.#rowsOf;
      if (from === null || from === next) return;
      const row = this.focus?.row;
      const ranges = this.selection.getRanges();
      await this.#findFocus(from, snapshot);
      if (ranges.length > 0) {
        const places = await this.source.findRanges(from, ranges, next);
        this.#found = { snapshotId: next, places: places ?? noRows };
      }
      const isFocusFound = this.focus?.row === row || searches > 2;
      if (this.#rowsOf === from && isFocusFound && this.selection.getRanges() === ranges) return;
    }
  };

  get plan(): ListPlan {
    return this.#plan;
  }

  /**
   * Uses the default columns for another window width, if the user has not changed the columns, and the
   * conditions that apply where the workspace has got a team.
   */
  followDefaults({ initial, always = [] }: ListPlan): void {
    const { initial: old, always: kept = [] } = this.#plan;
    const before = old.columns;
    this.#plan = { ...this.#plan, initial, always };
    if (!isSameJson(always, kept)) this.source.setQuery(toListQuery(this.#plan, this.#settings));
    if (isSameJson(this.#settings.columns, before)) this.change({ columns: initial.columns });
  }

  readonly getSettings = (): ListSettings => this.#settings;

  /** The saved view that was opened last; the settings may differ from it by now. */
  get viewId(): string | null {
    return this.#viewId;
  }

  set viewId(id: string | null) {
    if (id === this.#viewId) return;
    this.#viewId = id;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly change = (change: Partial<ListSettings>): void => {
    const settings = { ...this.#settings, ...change };
    if (isSameJson(settings, this.#settings)) return;
    this.#settings = settings;
    this.source.setQuery(toListQuery(this.#plan, settings));
    for (const listener of this.#listeners) listener();
  };
}

const maxLists = 12;

/** All lists of the window, by workspace and list id; the least recently used is dropped. */
export class ListMemory {
  readonly #bridge: DeskBridge;
  readonly #lists = new Map<string, RememberedList>();
  /** First settings of lists for which a saved view was opened before they existed. */
  readonly #starts = new Map<string, { settings: ListSettings; viewId: string }>();
  /** Filters for lists that did not exist yet when these were requested. */
  readonly #pending = new Map<string, { part: Partial<ListSettings>; labels: ReadonlyMap<string, string> }>();
  /** Rows at which lists begin, requested before the lists existed. */
  readonly #rows = new Map<string, number>();
  readonly #listeners = new Set<() => void>();
  readonly session: SessionStore;

  constructor(bridge: DeskBridge) {
    this.#bridge = bridge;
    this.session = new SessionStore(bridge);
  }

  /** Calls the listener when a list is made, and when the settings or the view of one change. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly #notify = (): void => {
    for (const listener of this.#listeners) listener();
  };

  /** Privacy mode was switched: the names of IDs, which were read before, are shown otherwise now. */
  forgetLabels(): void {
    for (const { labels } of this.#lists.values()) labels.clear();
  }

  find(workspaceId: string, listId: string): RememberedList | null {
    return this.#lists.get(`${workspaceId}/${listId}`) ?? null;
  }

  /** The list as soon as its page has made it. */
  whenMade(workspaceId: string, listId: string): Promise<RememberedList> {
    return new Promise((resolve) => {
      const look = () => {
        const list = this.find(workspaceId, listId);
        if (list === null) return;
        stop();
        resolve(list);
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  obtain(workspaceId: string, listId: string, plan: ListPlan, start?: ListSettings): RememberedList {
    const key = `${workspaceId}/${listId}`;
    const opened = this.#starts.get(key);
    this.#starts.delete(key);
    const remembered = this.#lists.get(key);
    const list =
      remembered ??
      new RememberedList(listId, new ListSource(this.#bridge, workspaceId), plan, opened?.settings ?? start);
    if (opened !== undefined) list.viewId = opened.viewId;
    this.#lists.delete(key);
    this.#lists.set(key, list);
    const narrowing = this.#pending.get(key);
    this.#pending.delete(key);
    if (narrowing !== undefined) this.narrow(workspaceId, listId, narrowing.part, narrowing.labels);
    if (remembered === undefined) {
      const row = this.#rows.get(key);
      this.#rows.delete(key);
      if (row !== undefined) list.focus = { row, column: 'id' };
      list.subscribe(this.#notify);
      // Lists are made while their page renders, when no other component may be updated.
      queueMicrotask(this.#notify);
    }
    for (const [oldest, old] of this.#lists) {
      if (this.#lists.size <= maxLists) break;
      old.source.close();
      this.#lists.delete(oldest);
    }
    return list;
  }

  /** Reads a list again when its link is clicked while the list is on screen. */
  comeTo(workspaceId: string, listId: string): void {
    const list = this.find(workspaceId, listId);
    if (list === null) return;
    list.isWorkedIn = false;
    list.source.reopen().catch(() => undefined);
  }

  /** Adds filters that were chosen elsewhere: at once if the list exists, otherwise when it is made. */
  narrow(
    workspaceId: string,
    listId: string,
    part: Partial<ListSettings>,
    labels: ReadonlyMap<string, string>,
  ): void {
    const list = this.find(workspaceId, listId);
    if (list === null) this.#pending.set(`${workspaceId}/${listId}`, { part, labels });
    else {
      for (const [value, label] of labels) list.labels.set(value, label);
      list.change(part);
    }
  }

  /** Sets the row at which a list begins that does not exist yet. */
  beginAt(workspaceId: string, listId: string, row: number): void {
    if (this.find(workspaceId, listId) === null) this.#rows.set(`${workspaceId}/${listId}`, row);
  }

  /** Shows a saved view: at once if the list exists, otherwise when it is made. */
  openView(workspaceId: string, listId: string, viewId: string, settings: ListSettings): void {
    const list = this.find(workspaceId, listId);
    if (list === null) this.#starts.set(`${workspaceId}/${listId}`, { settings, viewId });
    else {
      list.viewId = viewId;
      list.change(settings);
    }
  }

  /** Reads cells of reviews again in lists of claims. */
  markReviewed(workspaceId: string): void {
    for (const list of this.#lists.values()) {
      if (list.source.workspaceId === workspaceId) list.source.markReviewed();
    }
  }

  /** Marks lists as outdated; null: those of all workspaces. */
  markStale(workspaceId: string | null): void {
    for (const list of this.#lists.values()) {
      if (workspaceId === null || list.source.workspaceId === workspaceId) list.source.markStale();
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

/**
 * The list with this id and its settings, which survive leaving the page and coming back. `start` applies where the
 * list is new: its settings when the window was last open.
 */
export function useRememberedList(listId: string, plan: ListPlan, start?: ListSettings) {
  const { id: workspaceId } = useWorkspace();
  const memory = useListMemory();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list keeps the plan it began with
  const list = useMemo(() => memory.obtain(workspaceId, listId, plan, start), [memory, workspaceId, listId]);
  useEffect(() => list.followDefaults(plan), [list, plan]);
  const settings = useSyncExternalStore(list.subscribe, list.getSettings);
  const state = useSyncExternalStore(list.source.subscribe, list.source.getState);
  return { list, settings, state };
}

/** The saved view that a list shows, or that its settings were made from. */
export function useViewId(listId: string | null): string | null {
  const { id: workspaceId } = useWorkspace();
  const memory = useListMemory();
  return useSyncExternalStore(memory.subscribe, () =>
    listId === null ? null : (memory.find(workspaceId, listId)?.viewId ?? null),
  );
}
