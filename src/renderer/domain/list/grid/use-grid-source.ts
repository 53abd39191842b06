import type { GridApi, IDatasource } from 'ag-grid-community';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ErrorReport } from '../../../../contract/result.ts';
import type { Entity } from '../../../../rules/list-fields.ts';
import type { Row, Sort } from '../../../../rules/query.ts';
import { isSameJson } from '../../../../rules/review/same-value.ts';
import { reportOf } from '../../../lib/desk-error.ts';
import { beginRestOfRows } from '../../../lib/presses.ts';
import { useIsShown } from '../../../lib/shown.ts';
import { keepNulls } from '../describe-sort.ts';
import type { RememberedList } from '../list-memory.tsx';
import { fieldsToFetch } from '../list-query.ts';
import type { ListSource } from '../list-source.ts';
import { focusedCellOf } from './use-grid-focus.ts';

/** Rows in a block that the grid requests: a few screens. */
export const blockSize = 100;

/** How long to wait before changed cells are read again, in case more of them change. */
const cellsAfterMs = 250;

/** The sort as the grid knows it, without the position of rows without a value. */
const plainSort = (sort: readonly Sort[]) => sort.map(({ field, direction }) => ({ field, direction }));

/** The sort that the grid shows now: the one in a block request may be older, from before a column was added. */
const shownSort = (api: GridApi<Row>): Sort[] =>
  api
    .getColumnState()
    .sort((left, right) => (left.sortIndex ?? 0) - (right.sortIndex ?? 0))
    .flatMap(({ colId, sort }) =>
      sort === 'asc' || sort === 'desc' ? [{ field: colId, direction: sort }] : [],
    );

/** Applies the sort of a view or of a step back. The grid would measure itself for the sort that it already shows. */
function showSort(api: GridApi<Row>, sort: readonly Sort[]): void {
  if (isSameJson(shownSort(api), plainSort(sort))) return;
  api.applyColumnState({
    state: sort.map(({ field, direction }, sortIndex) => ({ colId: field, sort: direction, sortIndex })),
    defaultState: { sort: null },
  });
}

/** Returns at least 1: with no row, the grid rebuilds all rows for the next list. An empty one is covered. */
const atLeastOne = (rows: number): number => Math.max(rows, 1);

/**
 * Makes space for the first rows of a list whose length is not known yet, where the one before was shorter. In a table without
 * a list before it, the rows make their own space, and the empty ones would be drawn twice.
 */
function showFirst(api: GridApi<Row> | null, rows: readonly Row[]): void {
  if (api === null || api.isDestroyed() || api.isLastRowIndexKnown() !== true) return;
  if (api.getDisplayedRowCount() < rows.length) api.setRowCount(rows.length, false);
}

/** Reads changed rows again, once for several keys that are pressed one after the other. */
function useChangedCells(api: GridApi<Row> | null, source: ListSource): void {
  useEffect(() => {
    if (api === null) return;
    let shown = source.getState().cellsVersion;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = source.subscribe(() => {
      const { cellsVersion } = source.getState();
      if (cellsVersion === shown) return;
      shown = cellsVersion;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!api.isDestroyed()) api.refreshInfiniteCache();
      }, cellsAfterMs);
    });
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [api, source]);
}

/**
 * The same query was made again, for newer data or after a failure: all rows are read from that list, like its totals.
 * A new query reads its rows by itself.
 */
function useListMadeAgain(source: ListSource, onMadeAgain: (total: number) => void): void {
  useEffect(() => {
    let before = { query: source.query, snapshotId: source.getState().snapshot?.snapshotId };
    let hadFailed = source.getState().status === 'failed';
    return source.subscribe(() => {
      const { status, snapshot } = source.getState();
      if (status === 'failed') hadFailed = true;
      if (status !== 'ready' || snapshot === null) return;
      const isSameQuery = before.snapshotId !== undefined && before.query === source.query;
      const isMadeAgain = isSameQuery && before.snapshotId !== snapshot.snapshotId;
      const hasChanged = isMadeAgain || hadFailed;
      before = { query: source.query, snapshotId: snapshot.snapshotId };
      hadFailed = false;
      if (hasChanged) onMadeAgain(snapshot.total);
    });
  }, [source, onMadeAgain]);
}

/** A search or filter resets the table; a sort already did when its header was pressed. */
function useQueryShown(
  api: GridApi<Row> | null,
  list: RememberedList,
  shownQuery: RefObject<ListSource['query']>,
  setRowsError: (error: null) => void,
): void {
  const { source } = list;
  useEffect(() => {
    if (api === null) return;
    return source.subscribe(() => {
      if (source.query === shownQuery.current || source.query === null) return;
      shownQuery.current = source.query;
      list.focus = null;
      setRowsError(null);
      showSort(api, list.getSettings().sort);
      // Rows stay until those of the new list replace them. Of rows further down, the new ones are not wanted.
      if (api.getVerticalPixelRange().top > 0) api.ensureIndexVisible(0, 'top');
      if (api.getDisplayedRowCount() > blockSize) api.setRowCount(blockSize, true);
      api.refreshInfiniteCache();
    });
  }, [api, source, list, shownQuery, setRowsError]);
}

/** The focus stays on its record, which may have another row in the list that is shown now. */
function followFocus(api: GridApi<Row>, list: RememberedList): void {
  const { focusMove: move } = list;
  list.focusMove = null;
  const focused = focusedCellOf(api);
  // The grid moves the focus before it reports so: if it is on another row already, it is left there.
  if (focused === null || focused.rowIndex !== move?.from || move.to === move.from || move.to < 0) return;
  api.ensureIndexVisible(move.to);
  api.setFocusedCell(move.to, focused.column);
}

/** Connects a remembered list to a grid: rows by block, sorting by header, and always rows of the list on show. */
export function useGridSource(list: RememberedList, entity: Entity, columns: readonly string[]) {
  const { source } = list;
  const [api, setApi] = useState<GridApi<Row> | null>(null);
  const grid = useRef(api);
  grid.current = api;
  const isShown = useIsShown();
  const shownQuery = useRef(source.query);
  const showWhole = useRef<(total: number) => void>(() => undefined);
  /** Why visible rows could not be read, while the list itself is fine. */
  const [rowsError, setRowsError] = useState<ErrorReport | null>(null);

  const datasource = useMemo<IDatasource>(
    () => ({
      getRows: (params) => {
        // A grid that is being destroyed may still ask, and no longer has columns.
        const shown = grid.current?.isDestroyed() === false ? grid.current : null;
        const before = list.getSettings().sort;
        const sort = shown === null ? before : shownSort(shown);
        // A hidden column chosen for sorting is added to the grid a moment later.
        const isPending = before.some(({ field }) => shown?.getColumn(field) === null);
        if (!isPending && !isSameJson(plainSort(sort), plainSort(before))) {
          list.focus = null;
          list.change({ sort: keepNulls(sort, before) });
          shownQuery.current = source.query;
        }
        const fields = fieldsToFetch(entity, list.getSettings().columns);
        const showRows = (rows: readonly Row[], total: number) =>
          params.successCallback([...rows], atLeastOne(total));
        const showWindow = () =>
          source.getWindow(params.startRow, params.endRow - params.startRow, fields).then(
            ({ rows, total }) => showRows(rows, total),
            (error: unknown) => {
              params.failCallback();
              if (source.getState().status !== 'failed') setRowsError(reportOf(error));
            },
          );
        if (params.startRow > 0) {
          void showWindow();
          return;
        }
        const { query } = source;
        void source.getFirstRows(fields).then((first) => {
          // The table asks for the rows of the newer query by itself, and reads at most three blocks at once.
          if (source.query !== query) return params.failCallback();
          if (first === null || !list.showFirstRows(first.snapshotId)) return showWindow();
          const { rows, total } = first;
          if (total !== null) return showRows(rows, total);
          showFirst(grid.current, rows);
          params.successCallback([...rows], rows.length < blockSize ? atLeastOne(rows.length) : undefined);
          return source.current().then(
            ({ total, hasFirstRows }) => {
              if (!hasFirstRows || source.query !== query) showWhole.current(total);
              else if (grid.current?.isDestroyed() === false)
                grid.current.setRowCount(atLeastOne(total), true);
            },
            () => undefined,
          );
        });
      },
    }),
    [list, source, entity],
  );

  useQueryShown(api, list, shownQuery, setRowsError);

  // The grid does not request failed rows again by itself.
  const readAgain = useCallback(() => {
    setRowsError(null);
    api?.refreshInfiniteCache();
  }, [api]);

  useListMadeAgain(
    source,
    useCallback((total: number) => {
      setRowsError(null);
      showWhole.current(total);
    }, []),
  );

  // Rows have only the visible fields, so another set of columns needs them again.
  const fetchedColumns = useRef(columns);
  useEffect(() => {
    if (api === null || fetchedColumns.current === columns) return;
    fetchedColumns.current = columns;
    api.refreshInfiniteCache();
  }, [api, columns]);

  useChangedCells(api, source);

  // The list is complete: the row count is known, and all rows come from it.
  showWhole.current = (total) => {
    if (api === null || api.isDestroyed()) return;
    // A key that was pressed before is for the record that had the focus.
    const focused = focusedCellOf(api);
    if (isShown) beginRestOfRows(focused && api.getDisplayedRowAtIndex(focused.rowIndex)?.data?.id);
    api.setRowCount(atLeastOne(total), true);
    api.refreshInfiniteCache();
    followFocus(api, list);
  };

  return { api, setApi, datasource, rowsError, readAgain };
}
