import type { SyncReceipt } from '../../../contract/sync.ts';
import type { SyncState } from '../store/sync/sync-state.ts';

const hourMs = 60 * 60 * 1000;
/** A full sync is due after this many milliseconds, even where a quick refresh is possible. */
const fullSyncEveryMs = 24 * hourMs;
/** After a full sync that was not complete, or where only full syncs are possible, the next one waits at least this long. */
const fullSyncPauseMs = 4 * hourMs;

/**
 * Whether an automatic refresh is due, by the wall clock: one refresh after a night asleep, not many. Never
 * while the user has paused the sync or has a question to answer, nor for the first sync.
 */
export function isRefreshDue(facts: {
  last: SyncReceipt | null;
  lastComplete: SyncReceipt | null;
  sync: Pick<SyncState, 'isPaused' | 'lossQuestion'> | null;
  isQuickOffered: boolean;
  minutes: number;
  nowMs: number;
}): 'no' | 'quick' | 'full' {
  const { last, lastComplete, sync, nowMs } = facts;
  if (facts.minutes <= 0 || last === null) return 'no';
  if (sync?.isPaused === true || (sync?.lossQuestion ?? null) !== null) return 'no';
  const sinceMs = nowMs - Date.parse(last.finishedAt);
  // If the clock was set back, the time since the last sync is negative, and a refresh is due.
  if (sinceMs >= 0 && sinceMs < facts.minutes * 60_000) return 'no';
  const isProofFresh = lastComplete !== null && nowMs - Date.parse(lastComplete.finishedAt) < fullSyncEveryMs;
  if (facts.isQuickOffered && isProofFresh && sync === null) return 'quick';
  const mayFollow =
    sync !== null || last.outcome === 'refreshed' || sinceMs < 0 || sinceMs >= fullSyncPauseMs;
  return mayFollow ? 'full' : 'no';
}
