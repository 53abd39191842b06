import { createContext, useContext } from 'react';

/** Whether a screen is on show, or only kept for the way back to it. */
export const ShownContext = createContext(true);

/**
 * A kept screen is there and unseen: it takes no keys, moves no focus, writes no title and asks for nothing anew
 * until it is on show again.
 */
export const useIsShown = (): boolean => useContext(ShownContext);
