import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAutoBackup } from '../../../../src/main/desk/auto-backup.ts';
import type { DeskState } from '../../../../src/main/desk/desk-state.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('checks a minute after the start, then every ten minutes, and not after its end', async () => {
  const backUpIfDue = vi.fn(async () => false);
  const write = vi.fn();
  const state = {
    isLocked: false,
    ports: { isReadOnly: false, log: { write } },
    settings: { get: async () => ({ backupFolder: '/drive' }) },
    getEngine: async () => ({ backUpIfDue }),
  } as unknown as DeskState;
  const backups = createAutoBackup(state);
  backups.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(backUpIfDue).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(backUpIfDue).toHaveBeenCalledTimes(2);
  backups.lookSoon();
  backups.stop();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(backUpIfDue).toHaveBeenCalledTimes(2);
  expect(write).not.toHaveBeenCalled();
});
