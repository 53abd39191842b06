import { createContext, useContext } from 'react';

/** Whether a screen is visible, or kept hidden for going back to it. */
export const ShownContext = createContext(true);

/**
 * A kept screen is mounted but hidden: it handles no keys, moves no focus, sets no title and fetches nothing until it
 * is visible again.
 */
export const useIsShown = (): boolean => useContext(ShownContext);
