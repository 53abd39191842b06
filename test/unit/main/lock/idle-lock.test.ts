import { expect, test } from 'vitest';
import { createIdleLock } from '../../../../src/main/lock/idle-lock.ts';

function makeLock() {
  const time = { clockMs: Date.UTC(2026, 10, 20, 12), steadyMs: 5_000 };
  let locks = 0;
  const idle = createIdleLock({
    clock: { now: () => time.clockMs },
    readSteadyMs: () => time.steadyMs,
    readLockAfterMinutes: async () => 10,
    lock: async () => {
      locks += 1;
    },
  });
  /** How often it locked after minutes by each clock. */
  const locksAfter = async (clockMinutes: number, steadyMinutes: number): Promise<number> => {
    time.clockMs += clockMinutes * 60_000;
    time.steadyMs += steadyMinutes * 60_000;
    await idle.look();
    return locks;
  };
  return { idle, locksAfter };
}

test('locks when the minutes have passed since the last activity', async () => {
  const { idle, locksAfter } = makeLock();
  expect(await locksAfter(9, 9)).toBe(0);
  idle.noteActivity();
  expect(await locksAfter(9, 9)).toBe(0);
  expect(await locksAfter(1, 1)).toBe(1);
});

test('locks when the clock was set back a year, and when the computer slept', async () => {
  const setBack = makeLock();
  expect(await setBack.locksAfter(-365 * 1_440, 9)).toBe(0);
  expect(await setBack.locksAfter(1, 1)).toBe(1);
  const slept = makeLock();
  expect(await slept.locksAfter(60, 0)).toBe(1);
});
