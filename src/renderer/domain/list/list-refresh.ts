/** What a person is doing with a list at the moment that newer data are there. */
export interface ListUse {
  /** Nothing can be read in it. */
  readonly isEmpty: boolean;
  readonly hasSelection: boolean;
  /** Scrolled away from its first row. */
  readonly isScrolled: boolean;
  /** The keyboard is in one of its rows. */
  readonly isFocused: boolean;
  /** A filter, a menu or a dialog is open. */
  readonly hasOpenEditor: boolean;
  /** One of its records was opened, and the person has not been back in the rows yet. */
  readonly isReadInDetail: boolean;
}

/** Whether somebody works in the list, so that its rows stay until the person asks for newer ones. */
export function isTouched(use: ListUse): boolean {
  if (use.isEmpty) return false;
  return use.hasSelection || use.isScrolled || use.isFocused || use.hasOpenEditor || use.isReadInDetail;
}

/** How long the list is left alone between two refreshes: rows that change all the time cannot be read. */
const calmGapMs = { syncing: 3_000, quiet: 400 };
/** Making a list of a million takes seconds; a running sync needs most of the time for itself. */
const timesAsLong = 4;

/** When a list that nobody works in is made again at the earliest, in ms since 1970. */
export function nextRefreshAtMs(
  last: { readonly endedAtMs: number; readonly tookMs: number },
  isSyncing: boolean,
): number {
  const gapMs = isSyncing ? Math.max(calmGapMs.syncing, timesAsLong * last.tookMs) : calmGapMs.quiet;
  return last.endedAtMs + gapMs;
}

/** What is said beside the totals about their age. */
export type TotalsAge = 'current' | 'updating' | 'newerExist';

/**
 * Says whether the totals are those of the records as they are now. While a sync runs its status says that they
 * move, and an untouched list follows by itself; after that nothing older is shown without a word.
 */
export function judgeTotalsAge(facts: {
  readonly isStale: boolean;
  /** Somebody works in the list. */
  readonly isKept: boolean;
  /** The list on show is being replaced. */
  readonly isOpening: boolean;
  readonly isSyncing: boolean;
}): TotalsAge {
  if (facts.isStale && facts.isKept) return 'newerExist';
  return (facts.isStale || facts.isOpening) && !facts.isSyncing ? 'updating' : 'current';
}
