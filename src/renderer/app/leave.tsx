import { createContext, useContext } from 'react';

/** Empties the window: everything on it goes, and the page begins anew. */
export const LeaveContext = createContext<() => void>(() => undefined);

export function useLeave(): () => void {
  return useContext(LeaveContext);
}
