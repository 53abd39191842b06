import { createContext, useContext } from 'react';

/** Empties the window and starts the page again. */
export const RestartContext = createContext<() => void>(() => undefined);

export function useRestart(): () => void {
  return useContext(RestartContext);
}
