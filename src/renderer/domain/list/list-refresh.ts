/** How the user is using a list when newer data arrive. */
export interface ListUse {
  readonly isEmpty: boolean;
  readonly hasSelection: boolean;
  /** Scrolled away from its first row. */
  readonly isScrolled: boolean;
  readonly isFocused: boolean;
  /** A filter, a menu or a dialog is open. */
  readonly hasOpenEditor: boolean;
  /** The record of the focused row is shown beside it. */
  readonly isReadInDetail: boolean;
  /** A key or a button was pressed in it since the person came to it. */
  readonly isWorkedIn: boolean;
}

/**
 * Returns whether the list is in use, so that its rows stay until newer ones are requested. A list that the
 * user only came to, or came back to, is not in use yet.
 */
export function isTouched(use: ListUse): boolean {
  if (use.isEmpty) return false;
  const isInUse = use.hasSelection || use.isScrolled || use.isFocused || use.isReadInDetail;
  return use.hasOpenEditor || (use.isWorkedIn && isInUse);
}

/** Minimum time between two refreshes: rows that change all the time cannot be read; a list without rows has nothing to read. */
const calmGapMs = { syncing: 3_000, quiet: 400 };
/**
 * A refresh waits this many times as long as making the list took: a large list takes seconds, and a sync needs the
 * processor.
 */
const timesAsLong = 4;

/** The earliest time at which an unused list is made again, in ms since 1970. */
export function nextRefreshAtMs(
  last: { readonly endedAtMs: number; readonly tookMs: number },
  { isSyncing, isEmpty }: { readonly isSyncing: boolean; readonly isEmpty: boolean },
): number {
  const calmMs = isSyncing && !isEmpty ? calmGapMs.syncing : calmGapMs.quiet;
  const gapMs = isSyncing ? Math.max(calmMs, timesAsLong * last.tookMs) : calmMs;
  return last.endedAtMs + gapMs;
}

export type TotalsAge = 'current' | 'updating' | 'newerExist';

/**
 * Whether the totals are those of the current records. While a sync runs, its status says that they change, and an
 * unused list is refreshed automatically; after that, older totals are always marked.
 */
export function findTotalsAge(facts: {
  readonly isStale: boolean;
  readonly isKept: boolean;
  /** The shown list is being replaced. */
  readonly isOpening: boolean;
  readonly isSyncing: boolean;
}): TotalsAge {
  if (facts.isStale && facts.isKept) return 'newerExist';
  return (facts.isStale || facts.isOpening) && !facts.isSyncing ? 'updating' : 'current';
}
