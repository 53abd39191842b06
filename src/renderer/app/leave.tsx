import { createContext, useContext } from 'react';

/** Empties the window and starts the page again. */
export const LeaveContext = createContext<() => void>(() => undefined);

export function useLeave(): () => void {
  return useContext(LeaveContext);
}
