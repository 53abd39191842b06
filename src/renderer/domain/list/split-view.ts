import { useCallback, useRef, useState, useSyncExternalStore } from 'react';
import type { Entity } from '../../../rules/list-fields.ts';
import type { Row } from '../../../rules/query.ts';
import type { RememberedList } from './list-memory.tsx';
import { recordIdOf } from './open-record.ts';

/** From this width of the window, in pixels, a list and a record have space beside each other. */
export const splitMinWidthPx = 1280;

/** A row of the list and its index. */
export interface ShownRow {
  readonly row: Row;
  readonly at: number;
}

/** Functions of the grid that the record beside the list may call. */
export interface GridActions {
  /** Moves the focused row; the focus itself stays inside `focused` where it is there. */
  readonly goTo: (row: number, focused: HTMLElement | null) => void;
  readonly takeFocus: () => void;
}

const listeners = new Set<() => void>();
const keyOf = (listId: string): string => `claimdesk-split-${listId}`;

export const isSplit = (storage: Pick<Storage, 'getItem'>, listId: string): boolean =>
  storage.getItem(keyOf(listId)) === 'on';

/**
 * Shows the record of the focused row beside this list, or hides it; stored for each list. Returns false, and changes
 * nothing, where the window is too narrow.
 */
export function toggleSplit(
  window: { readonly innerWidth: number; readonly localStorage: Pick<Storage, 'getItem' | 'setItem'> },
  listId: string,
): boolean {
  if (window.innerWidth < splitMinWidthPx) return false;
  const isOn = !isSplit(window.localStorage, listId);
  window.localStorage.setItem(keyOf(listId), isOn ? 'on' : 'off');
  for (const listener of listeners) listener();
  return true;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('resize', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('resize', listener);
  };
}

/** Whether this list shows the record beside it now. */
export const useIsSplit = (listId: string): boolean =>
  useSyncExternalStore(
    subscribe,
    () => window.innerWidth >= splitMinWidthPx && isSplit(window.localStorage, listId),
  );

/** Whether the window has space for something beside a list. */
export const useHasSpaceBeside = (): boolean =>
  useSyncExternalStore(subscribe, () => window.innerWidth >= splitMinWidthPx);

/**
 * The columns that have space: the first one in any case, then the others by their rank and from the left. All widths in
 * pixels.
 */
export function columnsThatFit(
  columns: readonly string[],
  widthOf: (path: string) => number,
  spacePx: number,
  rankOf: (path: string) => number = () => 0,
): string[] {
  const [first, ...others] = columns;
  const ordered = others.toSorted((left, right) => rankOf(left) - rankOf(right));
  let usedPx = first === undefined ? 0 : widthOf(first);
  let isFull = false;
  const fitting = new Set(
    ordered.filter((path) => {
      usedPx += widthOf(path);
      isFull ||= usedPx > spacePx;
      return !isFull;
    }),
  );
  return columns.filter((path, index) => index === 0 || fitting.has(path));
}

/** The focused row of a list, and the ID of its record: null while the row is not read yet. */
export function useFocusedRow(entity: Entity, list: RememberedList) {
  const [shownRow, setShownRow] = useState<ShownRow | null>(null);
  const focused = useRef<ShownRow | null>(null);
  const onFocusedRow = useCallback((row: ShownRow | null) => {
    focused.current = row;
    setShownRow(row);
  }, []);
  const findFocused = useCallback(() => {
    const { current } = focused;
    return current === null || current.at !== (list.focus?.row ?? 0) ? null : recordIdOf(entity, current.row);
  }, [entity, list]);
  return { shownRow, onFocusedRow, findFocused };
}
