import { expect, it } from 'vitest';
import { createBuckets } from '../../../src/team-server/limits.ts';

it('admits as many as fit, then as many as each second allows', () => {
  const clock = { nowMs: 0 };
  const buckets = createBuckets({ capacity: 2, perSecond: 1 }, () => clock.nowMs);
  const take = () => buckets.take('a');
  expect([take(), take(), take(), buckets.take('b')]).toEqual([true, true, false, true]);
  clock.nowMs += 999;
  expect([buckets.isEmpty('a'), take()]).toEqual([true, false]);
  clock.nowMs += 1;
  expect([buckets.isEmpty('a'), take(), take()]).toEqual([false, true, false]);
  // A clock that was put back does not take what is there.
  clock.nowMs -= 100_000;
  expect(buckets.take('b')).toBe(true);
  clock.nowMs += 200_000;
  expect([take(), take(), take()]).toEqual([true, true, false]);
});

it('forgets the one that was used least recently', () => {
  const buckets = createBuckets({ capacity: 1, perSecond: 0 }, () => 0);
  for (let key = 0; key <= 20_000; key += 1) buckets.take(`${key}`);
  expect(buckets.isEmpty('0')).toBe(false);
  expect(buckets.isEmpty('1')).toBe(true);
});
