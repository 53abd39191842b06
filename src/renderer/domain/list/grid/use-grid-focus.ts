import type { CellPosition, GridApi } from 'ag-grid-community';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import type { Row } from '../../../../rules/query.ts';
import { useSingleKeys } from '../../../lib/use-single-keys.ts';
import type { RememberedList } from '../list-memory.tsx';
import type { GridActions } from '../split-view.ts';

/** How many frames to wait until a row that was scrolled to is rendered and can take the focus. */
const maxFrames = 30;

/** The cell of a grid that has the focus. A grid that is destroyed, or that is being made, has none: it answers undefined. */
export const focusedCellOf = (grid: GridApi<Row>): CellPosition | null =>
  (grid.isDestroyed() ? null : grid.getFocusedCell()) ?? null;

/** Returns the focus to the row where it was. */
export function takeFocus(
  grid: GridApi<Row>,
  at: { row: number; column: string },
  frame: HTMLElement | null,
  framesLeft = maxFrames,
): void {
  if (grid.isDestroyed()) return;
  grid.setFocusedCell(at.row, at.column);
  requestAnimationFrame(() => {
    const isElsewhere = document.activeElement?.matches('input, select, button, a, [role="dialog"] *');
    if (framesLeft === 0 || isElsewhere || frame?.contains(document.activeElement)) return;
    // If the focus has moved since, it is left there.
    const now = focusedCellOf(grid);
    const target = now === null ? at : { row: now.rowIndex, column: now.column.getColId() };
    takeFocus(grid, target, frame, framesLeft - 1);
  });
}

/** Focuses the last focused row of these columns, or the first one; by default Tab moves to the grid's very last cell. */
export function focusRows(grid: GridApi<Row>, list: RememberedList, shown: readonly string[]): boolean {
  const first = grid.getAllDisplayedColumns().find((column) => shown.includes(column.getColId()));
  if (first === undefined) return false;
  const { row, column } = list.focus ?? {
    row: Math.max(0, grid.getFirstDisplayedRowIndex()),
    column: first.getColId(),
  };
  grid.ensureIndexVisible(row);
  grid.setFocusedCell(row, column);
  return true;
}

/** Moves the focus to the row that has it in the list: by keys, from the record beside it, and when its screen is back. */
export function useGridFocus(grid: {
  readonly api: GridApi<Row> | null;
  readonly list: RememberedList;
  readonly frame: RefObject<HTMLElement | null>;
  readonly shown: readonly string[];
  readonly isShown: boolean;
  readonly isSplit: boolean;
  readonly actions: RefObject<GridActions | null>;
}): void {
  const { api, list, frame, shown, isShown, isSplit } = grid;
  const wasShown = useRef(isShown);
  useEffect(() => {
    const isBack = isShown && !wasShown.current;
    wasShown.current = isShown;
    if (!isBack || api === null || list.focus === null) return;
    api.ensureIndexVisible(list.focus.row);
    takeFocus(api, list.focus, frame.current);
  }, [isShown, api, list, frame]);

  const takeListFocus = () => {
    if (api === null || api.isDestroyed()) return;
    const at = list.focus ?? { row: 0, column: shown[0] ?? 'id' };
    api.ensureIndexVisible(at.row);
    takeFocus(api, at, frame.current);
  };
  const enterFromHeading = () => document.activeElement?.matches('body, h1') === true && takeListFocus();
  // The keys work from the heading, where the focus is first. Beside a record they belong to the record.
  useSingleKeys(isSplit ? {} : { j: takeListFocus, k: takeListFocus, ArrowDown: enterFromHeading });

  useImperativeHandle(grid.actions, () => ({
    goTo: (row, focused) => {
      if (api === null || api.isDestroyed()) return;
      const before = document.activeElement;
      const column = list.focus?.column ?? shown[0] ?? 'id';
      api.ensureIndexVisible(row);
      api.setFocusedCell(row, column);
      if (!(before instanceof HTMLElement) || focused?.contains(before) !== true) return;
      // The grid takes the focus at once, or as soon as the row is drawn.
      before.focus({ preventScroll: true });
      requestAnimationFrame(() => {
        if (frame.current?.contains(document.activeElement)) before.focus({ preventScroll: true });
      });
    },
    takeFocus: takeListFocus,
  }));

  // A column without space is removed together with the focus; the first column then gets it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other columns can have done so
  useEffect(() => {
    const { focus } = list;
    if (api === null || focus === null || shown.includes(focus.column) || shown[0] === undefined) return;
    list.focus = { row: focus.row, column: shown[0] };
    if (
      isShown &&
      (document.activeElement === document.body || frame.current?.contains(document.activeElement))
    )
      takeFocus(api, list.focus, frame.current);
  }, [shown]);
}
