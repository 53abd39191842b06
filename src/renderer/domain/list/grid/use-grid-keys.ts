import type { GridApi } from 'ag-grid-community';
import { type RefObject, useEffect, useRef } from 'react';
import type { Row } from '../../../../rules/query.ts';
import { runAfterFrame } from '../../../lib/after-frame.ts';
import { isRowReady } from '../../../lib/presses.ts';
import { areSingleKeysOn, isForDialog } from '../../../lib/shortcuts.ts';
import type { RememberedList } from '../list-memory.tsx';

/** A key pressed in a row that the grid does not handle. */
export interface RowKeyPress {
  readonly key: string;
  readonly row: Row;
  readonly at: number;
  /** Whether the row was on screen when the key was pressed; otherwise the key must not act. */
  readonly isReady: boolean;
  /** Shows other values in cells of the row until it is read again. */
  readonly patch: (cells: Row) => unknown;
  /** Focuses the next row, if this one still has the focus. */
  readonly focusNext: () => unknown;
}

export interface GridKeyActions {
  readonly onOpen: (row: Row, at: number) => void;
  readonly onFilter: (path: string, anchor: HTMLElement) => void;
  /** Copies the selection, or the focused cell where there is none. */
  readonly onCopy: (focused: { row: number; column: string }) => void;
  /** Handles the key; true: it did something. */
  readonly onRowKey?: ((press: RowKeyPress) => boolean) | undefined;
}

/** The cell of the table's body in which a key was pressed; null for a header or a button. */
function cellOf(event: KeyboardEvent): HTMLElement | null {
  const cell = event.target instanceof HTMLElement ? event.target.closest('[role="gridcell"]') : null;
  return cell instanceof HTMLElement ? cell : null;
}

/** The parts of a table that its keys work on. */
interface KeyContext {
  readonly element: HTMLElement;
  readonly api: GridApi<Row>;
  readonly list: RememberedList;
  readonly actions: RefObject<GridKeyActions>;
  /** The row in which Enter was pressed before its record was read. */
  awaited: number | null;
  /** Moves the focus to the next row after an act; null: nothing is left to move. */
  step: (() => unknown) | null;
}

const totalOf = ({ source }: RememberedList): number => source.getState().snapshot?.total ?? 0;

/** Moves the focus to a row; false: there is none. */
function goTo({ api, list }: KeyContext, row: number, column: string): boolean {
  // Rows can be shown before they are counted, and the keys work on them.
  const isCounted = list.source.getState().status === 'ready';
  if (row < 0 || row >= (isCounted ? totalOf(list) : api.getDisplayedRowCount())) return false;
  api.ensureIndexVisible(row);
  api.setFocusedCell(row, column);
  // The grid reports the move later, and the list may be made again before that.
  list.focus = { row, column };
  return true;
}

function takeStep(context: KeyContext): void {
  const { step } = context;
  context.step = null;
  step?.();
}

/** Moves the focus after the frame that shows the act, because drawing another row takes long, or at the next key. */
function stepAfterFrame(context: KeyContext, step: () => unknown): void {
  const hasFocus = () => context.element.contains(document.activeElement);
  if (!hasFocus()) {
    step();
    return;
  }
  context.step = () => hasFocus() && step();
  runAfterFrame(() => takeStep(context));
}

function pressWithControl({ list, actions }: KeyContext, key: string, row: number, column: string): boolean {
  if (key === 'a') list.selectAll().catch(() => undefined);
  else if (key === 'c') actions.current.onCopy({ row, column });
  else return false;
  return true;
}

function pressWithShift(context: KeyContext, key: string, row: number, column: string): boolean {
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return false;
  if (goTo(context, row + step, column)) context.list.selection.extendTo(row + step, row);
  return true;
}

function open(context: KeyContext, row: number): void {
  const data = context.api.getDisplayedRowAtIndex(row)?.data;
  context.awaited = data === undefined ? row : null;
  if (data !== undefined) context.actions.current.onOpen(data, row);
}

/** Opens the row in which Enter was pressed, if it still has the focus. */
function openAwaited(context: KeyContext): void {
  const { element, api, awaited } = context;
  if (awaited === null) return;
  const hasFocus = element.contains(document.activeElement) && api.getFocusedCell()?.rowIndex === awaited;
  if (hasFocus) open(context, awaited);
  else context.awaited = null;
}

function pressInRow(
  context: KeyContext,
  key: string,
  { row: at, column, cell }: { row: number; column: string; cell: HTMLElement },
): boolean {
  const { api } = context;
  const node = api.getDisplayedRowAtIndex(at);
  const row = node?.data;
  if (row === undefined) return false;
  // The focus is moved before the row that gets it is drawn: a key is for the row that is on screen with it.
  const isOnScreen = cell.closest('[row-index]')?.getAttribute('row-index') === String(at);
  const isSame = () => !api.isDestroyed() && node?.data?.id === row.id;
  return (
    context.actions.current.onRowKey?.({
      key,
      row,
      at,
      isReady: isOnScreen && isRowReady(row.id),
      patch: (cells) => isSame() && node?.setData({ ...node.data, ...cells }),
      focusNext: () =>
        stepAfterFrame(
          context,
          () => isSame() && api.getFocusedCell()?.rowIndex === at && goTo(context, at + 1, column),
        ),
    }) ?? false
  );
}

function pressAlone(
  context: KeyContext,
  event: KeyboardEvent,
  focused: { row: number; column: string; cell: HTMLElement },
): boolean {
  const { key } = event;
  const { row, column, cell } = focused;
  const { selection } = context.list;
  const isLetter = areSingleKeysOn(window.localStorage) && !isForDialog(event);
  switch (true) {
    case key === 'Enter':
      open(context, row);
      return true;
    case key === 'Escape' && selection.count > 0:
      selection.clear();
      return true;
    case isLetter && (key === 'j' || key === 'k'):
      goTo(context, row + (key === 'j' ? 1 : -1), column);
      return true;
    case isLetter && key === 'x':
      selection.toggle(row);
      return true;
    case isLetter && key === 'f':
      context.actions.current.onFilter(column, cell);
      return true;
    default:
      return isLetter && key.length === 1 && pressInRow(context, key, focused);
  }
}

function onKeyDown(context: KeyContext, event: KeyboardEvent): void {
  takeStep(context);
  const cell = cellOf(event);
  const focused = context.api.getFocusedCell();
  if (cell === null || focused === null || event.altKey) return;
  const [row, column] = [focused.rowIndex, focused.column.getColId()];
  const isDone =
    event.ctrlKey || event.metaKey
      ? !event.shiftKey && pressWithControl(context, event.key.toLowerCase(), row, column)
      : event.shiftKey
        ? pressWithShift(context, event.key, row, column)
        : pressAlone(context, event, { row, column, cell });
  if (!isDone && /^(Arrow|Page|Home|End)/.test(event.key)) context.list.selection.anchorAt(null);
  if (!isDone) return;
  event.preventDefault();
  event.stopPropagation();
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
    const context: KeyContext = { element, api, list, actions: latest, awaited: null, step: null };
    const onKey = (event: KeyboardEvent): void => onKeyDown(context, event);
    const onModel = (): void => openAwaited(context);
    element.addEventListener('keydown', onKey, true);
    api.addEventListener('modelUpdated', onModel);
    return () => {
      element.removeEventListener('keydown', onKey, true);
      if (!api.isDestroyed()) api.removeEventListener('modelUpdated', onModel);
    };
  }, [frame, api, list]);
}
