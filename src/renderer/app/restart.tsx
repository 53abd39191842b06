import { createContext, useContext } from 'react';

/** Clears the window and loads the page again. */
export const RestartContext = createContext<() => void>(() => undefined);

export const useRestart = (): (() => void) => useContext(RestartContext);
