import { type RefObject, useEffect, useRef } from 'react';

/**
 * Takes the focus when it appears, for an element that replaces the focused one. Otherwise the focus would fall from
 * a dialog to the page, and the next key would have no effect.
 */
export function useArrivalFocus<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    element.current?.focus();
  }, []);
  return element;
}
