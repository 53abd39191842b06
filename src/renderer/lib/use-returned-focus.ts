import { useEffect, useInsertionEffect, useRef } from 'react';

/** The element that had the focus before the first of the dialogs that are open. */
let outside: Element | null = null;

/**
 * Returns the focus to where it was when a dialog closes. Mantine remembers the focus after a field with `autoFocus` has taken
 * it, so that it would return it to a field that is no longer there, and the keys of the list below would not act.
 */
export function useReturnedFocus(isOpen: boolean): void {
  const before = useRef<Element | null>(null);
  // An insertion effect runs before React moves the focus for `autoFocus`, a layout effect after it.
  useInsertionEffect(() => {
    if (!isOpen) return;
    before.current = document.activeElement;
    if (before.current?.closest('[role="dialog"]') === null) outside = before.current;
  }, [isOpen]);
  useEffect(() => {
    if (isOpen || before.current === null) return;
    // A dialog that the palette opened had the focus from the palette, which has closed.
    const returnTo = before.current.isConnected ? before.current : outside;
    before.current = null;
    if (document.activeElement === document.body && returnTo instanceof HTMLElement)
      returnTo.focus({ preventScroll: true });
  }, [isOpen]);
}
