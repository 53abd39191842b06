import type { GridApi, IDatasource } from 'ag-grid-community';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Entity } from '../../../contract/fields.ts';
import type { ListQuery, Row, Sort } from '../../../contract/query.ts';
import type { ErrorReport } from '../../../contract/result.ts';
import { reportOf } from '../../lib/desk-error.ts';
import type { RememberedList } from '../../lib/list-memory.tsx';
import { fieldsToFetch } from '../../lib/list-query.ts';
import { useIsShown } from '../../lib/shown.ts';
import { keepNulls } from '../../lib/sort-words.ts';

/** Blocks of rows that the grid asks for; a block is a few screens. */
export const blockSize = 100;
const minRefreshMs = 1500;

/** The sort as the grid knows it, which says nothing of rows without a value. */
const plainSort = (sort: readonly Sort[]) => sort.map(({ field, direction }) => ({ field, direction }));

/** The sort that the grid shows now: the one that its blocks name may be older, from before a column came. */
function shownSort(api: GridApi<Row>): Sort[] {
  return api
    .getColumnState()
    .sort((left, right) => (left.sortIndex ?? 0) - (right.sortIndex ?? 0))
    .flatMap(({ colId, sort }) =>
      sort === 'asc' || sort === 'desc' ? [{ field: colId, direction: sort }] : [],
    );
}

/** A view or a step back brings a sort of its own; one that the grid shows already changes nothing. */
function showSort(api: GridApi<Row>, sort: readonly Sort[]): void {
  api.applyColumnState({
    state: sort.map(({ field, direction }, sortIndex) => ({ colId: field, sort: direction, sortIndex })),
    defaultState: { sort: null },
  });
}

/**
 * Joins a remembered list to a grid: rows by block, sorting by header, and new rows only when they do not
 * pull the table away under someone who reads it with the keyboard.
 */
export function useGridSource(
  list: RememberedList,
  entity: Entity,
  isStale: boolean,
  columns: readonly string[],
  frame: RefObject<HTMLElement | null>,
) {
  const { source } = list;
  const [api, setApi] = useState<GridApi<Row> | null>(null);
  const grid = useRef(api);
  grid.current = api;
  const shownQuery = useRef(source.query);
  const lastRefresh = useRef(0);
  /** The query that is being opened anew without having been asked for. */
  const refreshing = useRef<ListQuery | null>(null);
  const showWhole = useRef<(total: number) => void>(() => undefined);
  /** Why rows on show could not be read, while the list itself stands. */
  const [rowsError, setRowsError] = useState<ErrorReport | null>(null);

  const datasource = useMemo<IDatasource>(
    () => ({
      getRows: (params) => {
        // A grid that is being taken down may still ask, and knows nothing of its columns any more.
        const shown = grid.current?.isDestroyed() === false ? grid.current : null;
        const before = list.getSettings().sort;
        const sort = shown === null ? before : shownSort(shown);
        // A column that was chosen to sort by and is not shown comes to the grid a moment later.
        const isOnItsWay = before.some(({ field }) => shown?.getColumn(field) === null);
        if (!isOnItsWay && JSON.stringify(plainSort(sort)) !== JSON.stringify(plainSort(before))) {
          list.focus = null;
          list.change({ sort: keepNulls(sort, before) });
          shownQuery.current = source.query;
        }
        const fields = fieldsToFetch(entity, list.getSettings().columns);
        const showWindow = () =>
          source.getWindow(params.startRow, params.endRow - params.startRow, fields).then(
            ({ rows, total }) => params.successCallback(rows, total),
            (error: unknown) => {
              params.failCallback();
              if (source.getState().status !== 'failed') setRowsError(reportOf(error));
            },
          );
        if (params.startRow > 0) {
          void showWindow();
          return;
        }
        void source.getFirstRows(fields).then((rows) => {
          if (rows === null) return showWindow();
          params.successCallback([...rows]);
          return source.current().then(
            ({ total }) => showWhole.current(total),
            () => undefined,
          );
        });
      },
    }),
    [list, source, entity],
  );

  // A search or filter begins the table anew; a sort did so already when its header was pressed.
  useEffect(() => {
    if (api === null) return;
    return source.subscribe(() => {
      if (source.query === shownQuery.current || source.query === null) return;
      shownQuery.current = source.query;
      list.focus = null;
      setRowsError(null);
      showSort(api, list.getSettings().sort);
      api.purgeInfiniteCache();
      if (api.getDisplayedRowCount() > 0) api.ensureIndexVisible(0, 'top');
    });
  }, [api, source, list]);

  // The grid does not ask again by itself for rows that it did not get.
  const readAgain = useCallback(() => {
    setRowsError(null);
    api?.refreshInfiniteCache();
  }, [api]);

  // The list could not be made and now could: its rows come with it.
  useEffect(() => {
    let hadFailed = source.getState().status === 'failed';
    return source.subscribe(() => {
      const { status, snapshot } = source.getState();
      if (status === 'failed') hadFailed = true;
      if (status !== 'ready' || snapshot === null || !hadFailed) return;
      hadFailed = false;
      setRowsError(null);
      showWhole.current(snapshot.total);
    });
  }, [source]);

  // Rows bring only the fields on show, so another set of columns wants them again.
  const fetchedColumns = useRef(columns);
  useEffect(() => {
    if (api === null || fetchedColumns.current === columns) return;
    fetchedColumns.current = columns;
    api.refreshInfiniteCache();
  }, [api, columns]);

  // The list is whole: how many rows there are, and all of them from it.
  showWhole.current = (total) => {
    if (api === null || api.isDestroyed()) return;
    api.setRowCount(Math.max(total, 1), true);
    api.refreshInfiniteCache();
  };

  const refresh = useCallback(() => {
    lastRefresh.current = Date.now();
    source.reopen().then(
      ({ total }) => showWhole.current(total),
      () => undefined,
    );
  }, [source]);

  // Nobody has begun to read: the keyboard and the mouse are elsewhere, and the list is at its top.
  const isShown = useIsShown();
  const refreshIfUnread = useCallback(() => {
    if (!isShown || api === null || api.isDestroyed() || !source.getState().isStale) return;
    const body = frame.current?.querySelector('.ag-grid-scrolling-rows');
    // Of an empty list there is nothing to read, wherever the mouse was left.
    const isEmpty = (source.getState().snapshot?.total ?? 0) === 0;
    const isRead =
      body?.contains(document.activeElement) || body?.matches(':hover') || list.selection.count > 0;
    if ((isRead && !isEmpty) || api.getFirstDisplayedRowIndex() > 0) return;
    refreshing.current = source.query;
    refresh();
  }, [isShown, api, source, list, frame, refresh]);

  // Who begins to read while that is under way keeps what is there.
  useEffect(() => {
    const element = frame.current;
    const keep = () => {
      const isNarrower = refreshing.current !== source.query;
      if (refreshing.current !== null && !isNarrower && source.getState().snapshot?.total) source.keepShown();
      refreshing.current = null;
    };
    const endSelection = list.selection.subscribe(() => {
      if (list.selection.count > 0) keep();
    });
    const endSource = source.subscribe(() => {
      if (source.getState().status !== 'opening') refreshing.current = null;
    });
    element?.addEventListener('focusin', keep);
    return () => {
      endSelection();
      endSource();
      element?.removeEventListener('focusin', keep);
    };
  }, [frame, list, source]);

  useEffect(() => {
    if (!isStale || api === null) return;
    const waitMs = Math.max(0, lastRefresh.current + minRefreshMs - Date.now());
    const timer = setTimeout(refreshIfUnread, waitMs);
    return () => clearTimeout(timer);
  }, [isStale, api, refreshIfUnread]);

  // Who leaves the table with the keyboard gets what came meanwhile.
  useEffect(() => {
    const element = frame.current;
    const onFocusOut = () => setTimeout(refreshIfUnread, 0);
    element?.addEventListener('focusout', onFocusOut);
    return () => element?.removeEventListener('focusout', onFocusOut);
  }, [frame, refreshIfUnread]);

  return { api, setApi, datasource, refresh, rowsError, readAgain };
}
