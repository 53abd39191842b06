import { existsSync } from 'node:fs';
import { logFailure } from '../lib/log-failure.ts';
import { profilePaths } from '../lib/paths.ts';
import { createTimer } from '../lib/timer.ts';
import type { DeskState } from './desk-state.ts';

const lookEveryMs = 10 * 60_000;
/** After the start and an unlock, lists and a refresh come first. */
const startedMs = 60_000;

/** Makes a backup elsewhere once a day, in the engine, where a folder is set. */
export function createAutoBackup(state: DeskState) {
  const look = async (): Promise<void> => {
    if (state.isLocked || state.ports.isReadOnly) return;
    const isSet = (await state.settings.get()).backupFolder !== '';
    // Earlier folders may still have what was removed since.
    if (!isSet && !existsSync(profilePaths(state.ports.profileDir).backups)) return;
    await (await state.getEngine()).backUpIfDue();
  };
  const lookAndLog = (): void =>
    void look().catch((thrown) => logFailure(state.ports.log, 'app.failed', thrown));
  const timer = createTimer(lookEveryMs, lookAndLog);
  let soon: NodeJS.Timeout | undefined;
  const lookSoon = (): void => {
    clearTimeout(soon);
    soon = setTimeout(lookAndLog, startedMs).unref();
  };
  return {
    lookSoon,
    start(): void {
      lookSoon();
      timer.start();
    },
    stop(): void {
      clearTimeout(soon);
      timer.stop();
    },
  };
}
