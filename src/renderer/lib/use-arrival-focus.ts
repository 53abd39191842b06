import { type RefObject, useEffect, useRef } from 'react';

/**
 * Takes the focus when it appears: for what replaces the thing that had it. Without this the focus falls out
 * of a dialog to the page, and the next key goes nowhere.
 */
export function useArrivalFocus<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    element.current?.focus();
  }, []);
  return element;
}
