import type { DeskBridge } from '../../../contract/bridge.ts';
import type { ErrorReport } from '../../../contract/result.ts';
import { followsReviews } from '../../../rules/list-fields.ts';
import type { ListQuery, Row, Totals } from '../../../rules/query.ts';
import { isSameJson } from '../../../rules/review/same-value.ts';
import { ask, DeskError, reportOf } from '../../lib/desk-error.ts';
import type { RowRanges } from './row-ranges.ts';

export interface Snapshot {
  readonly snapshotId: string;
  readonly total: number;
  readonly totals: Totals | null;
  /** When it was asked for, in milliseconds since 1970. */
  readonly openedAt: number;
  /** The rows that were shown before it was complete are its first ones. */
  readonly hasFirstRows: boolean;
}

export interface ListSourceState {
  readonly status: 'opening' | 'ready' | 'failed';
  /** The shown list; while another is being opened, the previous one. */
  readonly snapshot: Snapshot | null;
  readonly error: ErrorReport | null;
  /** Rows changed since the snapshot was made. */
  readonly isStale: boolean;
  /** The shown list belongs to an earlier query; the totals of the current one are not known yet. */
  readonly isOfOlderQuery: boolean;
  /** While `opening`: the new list has sent rows; its total is not known yet. */
  readonly hasRowsAhead: boolean;
  /** No record has the words of the search: the rows have words spelled like them. */
  readonly isSimilar: boolean;
  /** Counts changes of cells that do not affect which rows are in the list. */
  readonly cellsVersion: number;
}

interface FirstRows {
  readonly snapshotId: string;
  readonly rows: readonly Row[];
  readonly total: number | null;
}

/** Rows that are shown before the list of ids is complete; a screen or two. */
const firstLimit = 100;
/** How many rows before and after a row are searched for a record that was there in an earlier list. */
const lookedAround = 100;

/**
 * One list of records: opens a snapshot of ids for a query and reads windows of rows from it. It outlives the grid
 * that shows it, so that a claim page can walk the list it was opened from.
 */
export class ListSource {
  readonly #bridge: DeskBridge;
  readonly workspaceId: string;
  #query: ListQuery | null = null;
  #opening: Promise<Snapshot> | null = null;
  /** The first rows of the list; `total` null: its ids are still being collected. */
  #first: Promise<FirstRows | null> = Promise.resolve(null);
  #fields: readonly string[] | undefined;
  #generation = 0;
  /** The list that has shown its first rows and is not complete yet. */
  #counting: string | null = null;
  #hasChangedMeanwhile = false;
  #state: ListSourceState = {
    status: 'opening',
    snapshot: null,
    error: null,
    isStale: false,
    isOfOlderQuery: false,
    hasRowsAhead: false,
    isSimilar: false,
    cellsVersion: 0,
  };
  readonly #listeners = new Set<() => void>();
  /** Awaited before another list is shown: finds in it what is selected in the rows on screen. */
  follow: (next: Snapshot) => Promise<void> = async () => undefined;

  constructor(bridge: DeskBridge, workspaceId: string) {
    this.#bridge = bridge;
    this.workspaceId = workspaceId;
  }

  readonly getState = (): ListSourceState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get query(): ListQuery | null {
    return this.#query;
  }

  /**
   * Shows another query. Opening starts at once; the same query again changes nothing. With the fields that the table
   * will request, the first rows can be shown before the list is complete.
   */
  setQuery(query: ListQuery, fields?: readonly string[]): void {
    if (this.#query !== null && isSameJson(this.#query, query)) return;
    this.#query = query;
    if (fields !== undefined) this.#fields = fields;
    this.#state = { ...this.#state, isOfOlderQuery: this.#state.snapshot !== null };
    void this.reopen().catch(() => undefined);
  }

  /** A snapshot that is being made may or may not include a change, so it counts as stale. */
  markStale(): void {
    this.#hasChangedMeanwhile = true;
    if (!this.#state.isStale && this.#state.status !== 'opening') this.#set({ isStale: true });
  }

  /**
   * Reviews of claims changed: their cells are read again, and so is the list if it is filtered, sorted or grouped by
   * them.
   */
  markReviewed(): void {
    const { entity, conditions = [], sort = [] } = this.#query ?? { entity: 'members' };
    if (entity !== 'claims') return;
    this.#set({ cellsVersion: this.#state.cellsVersion + 1 });
    if ([...conditions, ...sort].some(({ field }) => followsReviews(field))) this.markStale();
  }

  /** Makes a new snapshot of the same query and closes the old one. */
  reopen(): Promise<Snapshot> {
    const query = this.#query;
    if (query === null) return Promise.reject(new Error('The list has no query yet.'));
    this.#generation += 1;
    const generation = this.#generation;
    this.#hasChangedMeanwhile = false;
    const { workspaceId } = this;
    const openedAt = Date.now();
    const begun = ask(this.#bridge, 'records:begin', {
      workspaceId,
      query,
      limit: firstLimit,
      ...(this.#fields === undefined ? {} : { fields: [...this.#fields] }),
    });
    this.#first = begun.then(
      ({ snapshotId, rows, total, isBehind }) => {
        if (isBehind && generation === this.#generation) this.#hasChangedMeanwhile = true;
        return { snapshotId, rows, total };
      },
      () => null,
    );
    if (this.#counting !== null) this.#release(this.#counting);
    this.#counting = null;
    const counted = begun.then(async ({ snapshotId, rows, total, totals }): Promise<Snapshot> => {
      const made = { snapshotId, openedAt, hasFirstRows: true };
      if (total !== null) return { ...made, total, totals };
      // A newer query was set: nothing waits for this list, and the engine need not make it.
      if (generation !== this.#generation) return { ...made, total: 0, totals: null };
      this.#counting = snapshotId;
      if (rows.length > 0) this.#set({ hasRowsAhead: true });
      const whole = await ask(this.#bridge, 'records:getCount', { workspaceId, snapshotId });
      return { ...whole, openedAt, hasFirstRows: whole.snapshotId === snapshotId };
    });
    const opening = counted.then(
      async (snapshot) => {
        // Where records can't be found again, the selection ends; the list is there.
        if (generation === this.#generation) await this.follow(snapshot).catch(() => undefined);
        const { snapshotId: begunId, isSimilar } = await begun;
        if (this.#counting === begunId) this.#counting = null;
        if (begunId !== snapshot.snapshotId) this.#release(begunId);
        if (generation !== this.#generation) {
          this.#release(snapshot.snapshotId);
          return this.current();
        }
        const before = this.#state.snapshot;
        this.#set({
          status: 'ready',
          snapshot,
          isStale: this.#hasChangedMeanwhile,
          isOfOlderQuery: false,
          isSimilar,
        });
        if (before !== null) this.#release(before.snapshotId);
        return snapshot;
      },
      (error: unknown) => {
        if (generation !== this.#generation) return this.current();
        this.#opening = null;
        this.#counting = null;
        this.#set({ status: 'failed', error: reportOf(error) });
        throw error;
      },
    );
    this.#opening = opening;
    // After the request is sent: what is rendered for it takes longer than the engine's answer.
    this.#set({ status: 'opening', isStale: false, error: null, hasRowsAhead: false });
    return opening;
  }

  /**
   * Keeps the shown rows, because the user began to read while a newer snapshot of the same query was being
   * made. The newer snapshot is used when it is requested.
   */
  keepShown(): void {
    const { snapshot, status } = this.#state;
    if (status !== 'opening' || snapshot === null) return;
    this.#generation += 1;
    this.#opening = Promise.resolve(snapshot);
    this.#set({ status: 'ready', isStale: true });
  }

  /** The snapshot of the newest query. @throws DeskError where it cannot be opened. */
  current(): Promise<Snapshot> {
    return this.#opening ?? this.reopen();
  }

  /**
   * Returns the first rows of a list that is being opened, where they have these fields; else null. Without a
   * total they may be slightly older than the list; the complete list reports that.
   */
  async getFirstRows(fields: readonly string[]): Promise<FirstRows | null> {
    const generation = this.#generation;
    const isWanted = isSameJson(this.#fields, fields) && this.#state.status === 'opening';
    this.#fields = fields;
    const first = await this.#first;
    if (!isWanted || generation !== this.#generation || first === null) return null;
    return first.total !== null || this.#state.status === 'opening' ? first : null;
  }

  /** Rows by index. */
  getWindow(
    offset: number,
    limit: number,
    fields?: readonly string[],
  ): Promise<{ rows: Row[]; total: number }> {
    return this.inSnapshot(async ({ snapshotId, total }) => {
      const { rows, isStale } = await ask(this.#bridge, 'records:getWindow', {
        workspaceId: this.workspaceId,
        snapshotId,
        offset,
        limit,
        ...(fields === undefined ? {} : { fields: [...fields] }),
      });
      // Another process may have written records, which sends no event here.
      if (isStale && this.#state.snapshot?.snapshotId === snapshotId) this.markStale();
      return { rows, total };
    });
  }

  /** The row of a record that was at a row of an earlier list; null: it is not nearby. `path`: the field with its ID. */
  async findNear(id: number, at: number, path = 'id'): Promise<number | null> {
    const first = Math.max(0, at - lookedAround);
    const { rows } = await this.getWindow(first, 2 * lookedAround, [path]);
    const row = rows.findIndex((candidate) => candidate[path] === id);
    return row < 0 ? null : first + row;
  }

  /** Sends a request about the list. A snapshot that the engine has closed is opened again once. */
  async inSnapshot<T>(askAbout: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    let hasReopened = false;
    for (;;) {
      const snapshot = await this.current();
      try {
        return await askAbout(snapshot);
      } catch (error) {
        const isExpired = error instanceof DeskError && error.report.code === 'snapshot.expired';
        if (!isExpired) throw error;
        // A snapshot that was closed because there is a newer one is not an error: the newer one is read.
        if (this.#state.snapshot?.snapshotId !== snapshot.snapshotId) continue;
        if (hasReopened) throw error;
        hasReopened = true;
        await this.reopen();
      }
    }
  }

  /** Where records of an open list are in another one; null where that cannot be found. */
  async findRanges(snapshotId: string, places: RowRanges, inSnapshotId: string): Promise<RowRanges | null> {
    const { call } = this.#bridge;
    const request = { snapshotId, places: places.map(([first, last]): [number, number] => [first, last]) };
    const { workspaceId } = this;
    const answer = await call['records:findRanges']({ workspaceId, ...request, inSnapshotId });
    return answer.ok ? answer.value.places : null;
  }

  close(): void {
    this.#generation += 1;
    const { snapshot } = this.#state;
    if (this.#counting !== null) this.#release(this.#counting);
    this.#counting = null;
    this.#opening = null;
    this.#query = null;
    this.#set({
      status: 'opening',
      snapshot: null,
      error: null,
      isStale: false,
      isOfOlderQuery: false,
    });
    if (snapshot !== null) this.#release(snapshot.snapshotId);
  }

  #release(snapshotId: string): void {
    void this.#bridge.call['records:close']({ workspaceId: this.workspaceId, snapshotId });
  }

  #set(change: Partial<ListSourceState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        // The error is in a listener, not in the list, which stays open for the others.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
