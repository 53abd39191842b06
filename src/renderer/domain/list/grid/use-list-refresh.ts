import type { GridApi } from 'ag-grid-community';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ListQuery, Row } from '../../../../rules/query.ts';
import { useIsShown } from '../../../lib/shown.ts';
import type { RememberedList } from '../list-memory.tsx';
import { isTouched, type ListUse, nextRefreshAtMs } from '../list-refresh.ts';

/** How often to check whether the user has left a list for which newer data exist. */
const checkEveryMs = 400;

const isInRows = (frame: HTMLElement | null, element: Element | null): boolean =>
  element !== null && frame?.contains(element) === true && element.closest('[role="gridcell"]') !== null;

const readUse = (
  list: RememberedList,
  api: GridApi<Row>,
  frame: HTMLElement | null,
  isSplit: boolean,
): ListUse => ({
  isEmpty: (list.source.getState().snapshot?.total ?? 0) === 0,
  hasSelection: list.selection.count > 0,
  isScrolled: api.getVerticalPixelRange().top > 0,
  isFocused: isInRows(frame, document.activeElement),
  hasOpenEditor: document.querySelector('[role="dialog"], [role="menu"]') !== null,
  isReadInDetail: isSplit && list.focus !== null,
  isWorkedIn: list.isWorkedIn,
});

const presses = ['keydown', 'pointerdown', 'wheel'] as const;

/** Remembers whether the user works in a list since they came to its page. */
function useWork(list: RememberedList, frame: RefObject<HTMLElement | null>): void {
  const isShown = useIsShown();
  useLayoutEffect(() => {
    list.isWorkedIn = false;
    const page = frame.current?.closest('[data-page]');
    if (!isShown || page == null) return;
    const note = () => {
      list.isWorkedIn = true;
    };
    for (const type of presses) page.addEventListener(type, note, { capture: true, passive: true });
    return () => {
      for (const type of presses) page.removeEventListener(type, note, true);
    };
  }, [list, frame, isShown]);
}

/**
 * Makes a list again when newer data exist and it is not in use; returns whether it is kept because it is.
 */
export function useListRefresh(options: {
  list: RememberedList;
  api: GridApi<Row> | null;
  frame: RefObject<HTMLElement | null>;
  isStale: boolean;
  isSyncing: boolean;
  /** The record of the focused row is shown beside the list. */
  isSplit: boolean;
}): boolean {
  const { list, api, frame, isStale, isSyncing, isSplit } = options;
  const { source } = list;
  const isShown = useIsShown();
  const [isKept, setIsKept] = useState(false);
  /** The query that is being made again without the user's request. */
  const refreshing = useRef<ListQuery | null>(null);
  const last = useRef({ endedAtMs: 0, tookMs: 0 });
  useWork(list, frame);

  useEffect(() => {
    if (!isStale || api === null || !isShown) return;
    const refresh = () => {
      // The list that one comes to is the newest, also where one begins to work in it before it is there.
      refreshing.current = list.isWorkedIn ? source.query : null;
      const beganAtMs = Date.now();
      const end = () => {
        const endedAtMs = Date.now();
        last.current = { endedAtMs, tookMs: endedAtMs - beganAtMs };
      };
      source.reopen().then(end, end);
    };
    const check = () => {
      if (api.isDestroyed()) return;
      const use = readUse(list, api, frame.current, isSplit);
      const isInUse = isTouched(use);
      setIsKept(isInUse);
      const { isEmpty } = use;
      if (!isInUse && Date.now() >= nextRefreshAtMs(last.current, { isSyncing, isEmpty })) refresh();
    };
    check();
    const timer = setInterval(check, checkEveryMs);
    return () => clearInterval(timer);
  }, [isStale, api, isShown, isSyncing, isSplit, list, source, frame]);

  // The list on show is kept if the user begins to work in it while it is being made again.
  useEffect(() => {
    const element = frame.current;
    if (api === null) return;
    const keep = () => {
      if (refreshing.current === null || api.isDestroyed()) return;
      if (refreshing.current === source.query) {
        if (!isTouched(readUse(list, api, element, isSplit))) return;
        // A table that was just made shows rows of the newer list already.
        if (list.rowsOf === source.getState().snapshot?.snapshotId) source.keepShown();
      }
      refreshing.current = null;
    };
    const endSelection = list.selection.subscribe(keep);
    const endSource = source.subscribe(() => {
      if (source.getState().status !== 'opening') refreshing.current = null;
    });
    element?.addEventListener('focusin', keep);
    api.addEventListener('bodyScroll', keep);
    return () => {
      endSelection();
      endSource();
      element?.removeEventListener('focusin', keep);
      if (!api.isDestroyed()) api.removeEventListener('bodyScroll', keep);
    };
  }, [frame, api, list, source, isSplit]);

  return isKept && isStale;
}
