import { createContext, type RefObject, useContext } from 'react';

/** The place of a record page beside its list. A page that fills the window has none. */
export interface Pane {
  readonly goTo: (row: number) => void;
  /** Returns the focus to the list. */
  readonly leave: () => void;
  readonly openPage: () => void;
  /** The ID of the record of the focused row, which the pane shows a moment later; null: it is not read yet. */
  readonly findFocused: () => number | null;
  /** Set by the record's page: whether presses are for this record now. */
  readonly gate: RefObject<{ isOpen: (id?: number) => boolean } | null>;
}

export const PaneContext = createContext<Pane | null>(null);

export const usePane = (): Pane | null => useContext(PaneContext);
