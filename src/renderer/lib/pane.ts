import { createContext, useContext } from 'react';

/** The place of a record page beside its list. A page that fills the window has none. */
export interface Pane {
  /** Shows the record in this row of the list. */
  readonly goTo: (row: number) => void;
  /** Returns the focus to the list. */
  readonly leave: () => void;
  /** Opens the record in the whole window. */
  readonly openPage: () => void;
}

export const PaneContext = createContext<Pane | null>(null);

export const usePane = (): Pane | null => useContext(PaneContext);
