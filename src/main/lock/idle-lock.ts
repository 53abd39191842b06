import { defaultSettings } from '../../contract/settings.ts';
import type { Clock } from '../lib/clock.ts';
import { createTimer } from '../lib/timer.ts';

/** How often idle time is checked; a lock may be late by this much. */
const lookEveryMs = 5_000;

/** A moment by two clocks: the computer's, and one that can't be set but may stop during sleep. */
interface Moment {
  readonly clockMs: number;
  readonly steadyMs: number;
}

/** Whether a desk last used then must be locked now, by the clock with more idle time. Pure. */
function isIdleTooLong(lastUsed: Moment, now: Moment, lockAfterMinutes: number): boolean {
  const idleMs = Math.max(now.clockMs - lastUsed.clockMs, now.steadyMs - lastUsed.steadyMs);
  return idleMs >= lockAfterMinutes * 60_000;
}

/**
 * Locks after idle time. Time spent asleep counts by the computer's clock; where that is set back, the other one still
 * locks. The minutes are read each time, so that a changed setting takes effect at once.
 */
export function createIdleLock(ports: {
  clock: Clock;
  /** Milliseconds since any moment, by a clock that can't be set. */
  readSteadyMs?: () => number;
  readLockAfterMinutes: () => Promise<number>;
  lock: () => Promise<void>;
}) {
  const readSteadyMs = ports.readSteadyMs ?? (() => performance.now());
  const now = (): Moment => ({ clockMs: ports.clock.now(), steadyMs: readSteadyMs() });
  let lastUsed = now();
  const look = async (): Promise<void> => {
    const minutes = await ports.readLockAfterMinutes().catch(() => defaultSettings.lockAfterMinutes);
    if (isIdleTooLong(lastUsed, now(), minutes)) await ports.lock();
  };
  const timer = createTimer(lookEveryMs, () => void look());
  return {
    noteActivity(): void {
      lastUsed = now();
    },
    start(): void {
      lastUsed = now();
      timer.start();
    },
    stop: timer.stop,
    look,
  };
}
