import { describe, expect, it } from 'vitest';
import {
  findTotalsAge,
  isTouched,
  type ListUse,
  nextRefreshAtMs,
} from '../../../../../src/renderer/domain/list/list-refresh.ts';

const idle: ListUse = {
  isEmpty: false,
  hasSelection: false,
  isScrolled: false,
  isFocused: false,
  hasOpenEditor: false,
  isReadInDetail: false,
  isWorkedIn: true,
};
const uses = ['hasSelection', 'isScrolled', 'isFocused', 'hasOpenEditor', 'isReadInDetail'] as const;

describe('whether a user works in a list', () => {
  it('is not so if the user did nothing', () => {
    expect(isTouched(idle)).toBe(false);
  });

  it.each(uses)('is so with %s alone', (use) => {
    expect(isTouched({ ...idle, [use]: true })).toBe(true);
  });

  it.each(uses.filter((use) => use !== 'hasOpenEditor'))('is not so where one only came to it: %s', (use) => {
    expect(isTouched({ ...idle, [use]: true, isWorkedIn: false })).toBe(false);
  });

  it.each(uses)('is not so in a list without a row, whatever was done: %s', (use) => {
    expect(isTouched({ ...idle, isEmpty: true, [use]: true })).toBe(false);
  });
});

describe('when a list is made again', () => {
  it('waits three seconds while a sync runs, and hardly at all after it', () => {
    const last = { endedAtMs: 10_000, tookMs: 20 };
    expect(nextRefreshAtMs(last, { isSyncing: true, isEmpty: false })).toBe(13_000);
    expect(nextRefreshAtMs(last, { isSyncing: false, isEmpty: false })).toBe(10_400);
  });

  it('does not delay the first rows of a first sync: a list without rows is not being read', () => {
    const last = { endedAtMs: 10_000, tookMs: 20 };
    expect(nextRefreshAtMs(last, { isSyncing: true, isEmpty: true })).toBe(10_400);
    expect(nextRefreshAtMs({ ...last, tookMs: 500 }, { isSyncing: true, isEmpty: true })).toBe(12_000);
  });

  it('leaves a long list to the sync for four times as long as it takes to make', () => {
    expect(nextRefreshAtMs({ endedAtMs: 0, tookMs: 2_500 }, { isSyncing: true, isEmpty: false })).toBe(
      10_000,
    );
    expect(nextRefreshAtMs({ endedAtMs: 0, tookMs: 2_500 }, { isSyncing: false, isEmpty: false })).toBe(400);
  });

  it('makes one that was never made again immediately', () => {
    const never = { endedAtMs: 0, tookMs: 0 };
    expect(nextRefreshAtMs(never, { isSyncing: true, isEmpty: false })).toBeLessThan(
      Date.parse('2026-01-01'),
    );
  });
});

describe('what is said of the age of totals', () => {
  const fresh = { isStale: false, isKept: false, isOpening: false, isSyncing: false };

  it('is nothing if they are those of the records', () => {
    expect(findTotalsAge(fresh)).toBe('current');
  });

  it('is that newer data exist if rows are kept for the user', () => {
    for (const isSyncing of [true, false]) {
      for (const isOpening of [true, false]) {
        expect(findTotalsAge({ isStale: true, isKept: true, isOpening, isSyncing })).toBe('newerExist');
      }
    }
    expect(findTotalsAge({ ...fresh, isKept: true })).toBe('current');
  });

  it('is never nothing for older totals once no sync runs anymore', () => {
    for (const isKept of [true, false]) {
      for (const isOpening of [true, false]) {
        expect(findTotalsAge({ isStale: true, isKept, isOpening, isSyncing: false })).not.toBe('current');
      }
    }
    expect(findTotalsAge({ ...fresh, isOpening: true })).toBe('updating');
  });

  it('is left to the status of the sync while one runs', () => {
    expect(findTotalsAge({ ...fresh, isStale: true, isSyncing: true })).toBe('current');
    expect(findTotalsAge({ ...fresh, isOpening: true, isSyncing: true })).toBe('current');
  });
});
