import type { ServerLog } from './log.ts';
import type { TeamDatabase } from './store/database.ts';

/** An alarm is logged when less than this part of the disk, or of the database's maximum size, is free. */
const lowPart = 0.15;

/** Checks the space that the database has left, and logs `store.nearlyFull` once when it gets low. */
export function createDiskWatch(
  database: Pick<TeamDatabase, 'measure'>,
  limitBytes: number | null,
  log: ServerLog,
) {
  let [used, free]: [number, number | null] = [0, null];
  let isLow = false;
  return {
    gauges: { store_bytes: () => used, store_free_bytes: () => free ?? Number.NaN },
    isLow: () => isLow,
    async look(): Promise<void> {
      // If the database did not answer, the next check asks again.
      const size = await database.measure().catch(() => null);
      if (size === null) return;
      const left = [size.freeBytes, limitBytes === null ? null : Math.max(0, limitBytes - size.usedBytes)];
      [used, free] = [
        size.usedBytes,
        left.reduce((least, bytes) => (least === null || (bytes ?? least) < least ? bytes : least)),
      ];
      const wasLow = isLow;
      isLow = free !== null && free < lowPart * (used + free);
      if (isLow && !wasLow) log('alarm', { code: 'store.nearlyFull' });
    },
  };
}

export type DiskWatch = ReturnType<typeof createDiskWatch>;
