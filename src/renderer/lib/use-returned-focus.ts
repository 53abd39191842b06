import { useEffect, useInsertionEffect, useRef } from 'react';

/** The element that had the focus before the first of the dialogs that are open. */
let outside: Element | null = null;
let openDialogs = 0;

/**
 * Returns the focus to where it was when a dialog closes. Mantine remembers the focus after a field with `autoFocus` has taken
 * it, so that it would return it to a field that is no longer there, and the keys of the list below would not act.
 */
export function useReturnedFocus(isOpen: boolean): void {
  const before = useRef<Element | null>(null);
  // An insertion effect runs before React moves the focus for `autoFocus`, a layout effect after it.
  useInsertionEffect(() => {
    if (!isOpen) return;
    const active = document.activeElement ?? document.body;
    before.current = active;
    if (active !== document.body && active.closest('[role="dialog"]') === null) outside = active;
    openDialogs += 1;
    return () => {
      openDialogs -= 1;
    };
  }, [isOpen]);
  useEffect(() => {
    const { current } = before;
    if (isOpen || current === null) return;
    before.current = null;
    const active = document.activeElement ?? document.body;
    // Another dialog replaced this one, as those that the palette opens, and may not have taken the focus yet.
    if (openDialogs > 0 && current.closest('[role="dialog"]') === null) return;
    if (active.closest('[role="dialog"]') !== null) return;
    const returnTo = current !== document.body && current.isConnected ? current : outside;
    outside = null;
    if (active === document.body && returnTo instanceof HTMLElement) returnTo.focus({ preventScroll: true });
  }, [isOpen]);
}
