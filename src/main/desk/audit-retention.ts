import { existsSync } from 'node:fs';
import { logFailure } from '../lib/log-failure.ts';
import { profilePaths } from '../lib/paths.ts';
import { createTimer } from '../lib/timer.ts';
import type { DeskState } from './desk-state.ts';

const lookEveryMs = 6 * 3_600_000;

/** The same day some years earlier, as an ISO date-time. */
export function yearsBefore(nowMs: number, years: number): string {
  const day = new Date(nowMs);
  day.setUTCFullYear(day.getUTCFullYear() - years);
  return day.toISOString();
}

/** Removes audit entries that are older than the settings keep them; the removal is itself an entry of the log. */
export function createAuditRetention(state: DeskState) {
  const look = async (): Promise<void> => {
    const { isReadOnly, profileDir, clock } = state.ports;
    if (state.isLocked || isReadOnly || !existsSync(profilePaths(profileDir).userData)) return;
    const { auditYears } = await state.settings.get();
    await (await state.getEngine()).trimAudit({ before: yearsBefore(clock.now(), auditYears) });
  };
  const lookAndLog = (): void =>
    void look().catch((thrown) => logFailure(state.ports.log, 'app.auditFailed', thrown));
  const timer = createTimer(lookEveryMs, lookAndLog);
  return {
    look: lookAndLog,
    start(): void {
      lookAndLog();
      timer.start();
    },
    stop: timer.stop,
  };
}
