import { useEffect, useRef } from 'react';
import { areSingleKeysOn, isForDialog, isTypingIn } from './shortcuts.ts';
import { useIsShown } from './shown.ts';

/**
 * Listens to single letters, Escape and arrows while no text field has the focus and no dialog is open. A handler that
 * returns false leaves the key to others. Only letters can be switched off.
 */
export function useSingleKeys(handlers: Readonly<Record<string, () => unknown>>): void {
  const latest = useRef(handlers);
  const isShown = useIsShown();
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    if (!isShown) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const handler = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (handler === undefined || isTypingIn(event.target)) return;
      if (event.key.length === 1 && !areSingleKeysOn(window.localStorage)) return;
      if (!isForDialog(event) && handler() !== false) event.preventDefault();
    };
    // A tooltip under the mouse stops Escape at the document: the page gets the key before it.
    const { body } = document;
    body.addEventListener('keydown', onKeyDown);
    return () => body.removeEventListener('keydown', onKeyDown);
  }, [isShown]);
}
