import type { GridApi } from 'ag-grid-community';
import { type RefObject, useEffect, useRef } from 'react';
import type { Row } from '../../../../contract/query.ts';
import { areSingleKeysOn, isForDialog } from '../../../lib/shortcuts.ts';
import type { RememberedList } from '../list-memory.tsx';

/** A key pressed in a row that the grid does not handle. */
export interface RowKeyPress {
  readonly key: string;
  readonly row: Row;
  readonly at: number;
  /** Shows other values in cells of the row until it is read again. */
  readonly patch: (cells: Row) => void;
  readonly focusNext: () => void;
}

export interface GridKeyActions {
  readonly onOpen: (row: Row, at: number) => void;
  readonly onFilter: (path: string, anchor: HTMLElement) => void;
  /** Without a selection, copies the focused cell. */
  readonly onCopy: (focused: { row: number; column: string }) => void;
  /** Handles the key; true: it did something. */
  readonly onRowKey?: ((press: RowKeyPress) => boolean) | undefined;
}

/** The cell of the table's body in which a key was pressed; null for a header or a button. */
function cellOf(event: KeyboardEvent): HTMLElement | null {
  const cell = event.target instanceof HTMLElement ? event.target.closest('[role="gridcell"]') : null;
  return cell instanceof HTMLElement ? cell : null;
}

/**
 * The keys of a table beyond the grid's own: open, next and previous, select, copy, filter. They are handled before
 * the grid, which uses some of them otherwise.
 */
export function useGridKeys(
  frame: RefObject<HTMLElement | null>,
  api: GridApi<Row> | null,
  list: RememberedList,
  actions: GridKeyActions,
): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const element = frame.current;
    if (element === null || api === null) return;
    const total = () => list.source.getState().snapshot?.total ?? 0;

    const goTo = (row: number, column: string): boolean => {
      // Rows can be shown before they are counted, and the keys work on them.
      const isCounted = list.source.getState().status === 'ready';
      if (row < 0 || row >= (isCounted ? total() : api.getDisplayedRowCount())) return false;
      api.ensureIndexVisible(row);
      api.setFocusedCell(row, column);
      return true;
    };
    const command = (key: string, row: number, column: string): boolean => {
      if (key === 'a') list.selection.selectAll(total());
      else if (key === 'c') latest.current.onCopy({ row, column });
      else return false;
      return true;
    };
    const extend = (key: string, row: number, column: string): boolean => {
      const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
      if (step === 0) return false;
      if (goTo(row + step, column)) list.selection.extendTo(row + step, row);
      return true;
    };
    /** The row in which Enter was pressed before its record was read. */
    let awaited: number | null = null;
    const open = (row: number) => {
      const data = api.getDisplayedRowAtIndex(row)?.data;
      awaited = data === undefined ? row : null;
      if (data !== undefined) latest.current.onOpen(data, row);
    };
    const openAwaited = () => {
      if (awaited === null) return;
      const hasFocus = element.contains(document.activeElement) && api.getFocusedCell()?.rowIndex === awaited;
      if (hasFocus) open(awaited);
      else awaited = null;
    };
    const plain = (event: KeyboardEvent, row: number, column: string, cell: HTMLElement): boolean => {
      const { key } = event;
      const isLetter = areSingleKeysOn(window.localStorage) && !isForDialog(event);
      switch (true) {
        case key === 'Enter':
          open(row);
          return true;
        case key === 'Escape' && list.selection.count > 0:
          list.selection.clear();
          return true;
        case isLetter && (key === 'j' || key === 'k'):
          goTo(row + (key === 'j' ? 1 : -1), column);
          return true;
        case isLetter && key === 'x':
          list.selection.toggle(row);
          return true;
        case isLetter && key === 'f':
          latest.current.onFilter(column, cell);
          return true;
        default:
          return isLetter && key.length === 1 && pressInRow(key, row, column);
      }
    };
    const pressInRow = (key: string, at: number, column: string): boolean => {
      const node = api.getDisplayedRowAtIndex(at);
      const row = node?.data;
      if (row === undefined) return false;
      return (
        latest.current.onRowKey?.({
          key,
          row,
          at,
          patch: (cells) => node?.setData({ ...row, ...cells }),
          focusNext: () => void goTo(at + 1, column),
        }) ?? false
      );
    };

    const onKeyDown = (event: KeyboardEvent) => {
      const cell = cellOf(event);
      const focused = api.getFocusedCell();
      if (cell === null || focused === null || event.altKey) return;
      const [row, column] = [focused.rowIndex, focused.column.getColId()];
      const isDone =
        event.ctrlKey || event.metaKey
          ? !event.shiftKey && command(event.key.toLowerCase(), row, column)
          : event.shiftKey
            ? extend(event.key, row, column)
            : plain(event, row, column, cell);
      if (!isDone && /^(Arrow|Page|Home|End)/.test(event.key)) list.selection.anchorAt(null);
      if (!isDone) return;
      event.preventDefault();
      event.stopPropagation();
    };
    element.addEventListener('keydown', onKeyDown, true);
    api.addEventListener('modelUpdated', openAwaited);
    return () => {
      element.removeEventListener('keydown', onKeyDown, true);
      if (!api.isDestroyed()) api.removeEventListener('modelUpdated', openAwaited);
    };
  }, [frame, api, list]);
}
