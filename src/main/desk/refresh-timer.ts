import { logFailure } from '../lib/log-failure.ts';
import { createTimer } from '../lib/timer.ts';
import type { DeskState } from './desk-state.ts';

/** How often to check whether a refresh is due. */
const lookEveryMs = 60_000;
/** After an unlock the first rows are read first. */
const unlockedMs = 5000;

/**
 * Refreshes every workspace that has a key at the interval that the settings say; 0 means never. The engine decides
 * whether a refresh is due from the time of the last sync and the wall clock, so sleep and restarts do not matter.
 */
export function createAutoRefresh(state: DeskState) {
  const refreshDue = async (): Promise<void> => {
    if (state.isLocked || state.ports.isReadOnly) return;
    const { autoRefreshMinutes: minutes } = await state.settings.get();
    if (minutes === 0) return;
    for (const space of [state.real, state.sample?.space]) {
      for (const { id, keyId } of (await space?.book.list()) ?? []) {
        if (keyId === null || state.isLocked) continue;
        const engine = await state.getEngine();
        // One workspace that cannot be read must not stop the refresh of the others.
        await engine.refreshIfDue({ workspaceId: id, minutes }).catch(logThrown);
      }
    }
  };
  const logThrown = (thrown: unknown): void => logFailure(state.ports.log, 'app.failed', thrown);
  let isLooking = false;
  const look = (): void => {
    if (isLooking) return;
    isLooking = true;
    void refreshDue()
      .catch(logThrown)
      .finally(() => {
        isLooking = false;
      });
  };
  return {
    lookAfterUnlock: () => void setTimeout(look, unlockedMs).unref(),
    ...createTimer(lookEveryMs, look),
  };
}
