import type { Clock } from '../lib/clock.ts';

/** How often idle time is looked at; a lock may come this much late. */
const lookEveryMs = 5_000;

/** Pure: whether a desk that was last used then is to be locked now. */
export function isIdleTooLong(lastUsedMs: number, nowMs: number, lockAfterMinutes: number): boolean {
  return nowMs - lastUsedMs >= lockAfterMinutes * 60_000;
}

/**
 * Locks after idle time. Time spent asleep counts, because the clock goes on while timers do not. The
 * minutes are read each time, so that a changed setting holds at once.
 */
export function createIdleLock(ports: {
  clock: Clock;
  readLockAfterMinutes: () => Promise<number>;
  lock: () => Promise<void>;
}) {
  let lastUsedMs = ports.clock.now();
  let timer: NodeJS.Timeout | null = null;
  const look = async (): Promise<void> => {
    const minutes = await ports.readLockAfterMinutes().catch(() => 10);
    if (isIdleTooLong(lastUsedMs, ports.clock.now(), minutes)) await ports.lock();
  };
  return {
    noteActivity(): void {
      lastUsedMs = ports.clock.now();
    },
    start(): void {
      lastUsedMs = ports.clock.now();
      timer ??= setInterval(() => void look(), lookEveryMs);
      timer.unref();
    },
    stop(): void {
      if (timer !== null) clearInterval(timer);
      timer = null;
    },
    look,
  };
}
