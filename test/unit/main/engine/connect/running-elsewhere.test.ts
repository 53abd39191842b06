import { expect, test } from 'vitest';
import {
  chooseToLeave,
  isNews,
  maxWatched,
} from '../../../../../src/main/engine/connect/running-elsewhere.ts';
import type { WatchedValidation } from '../../../../../src/main/engine/connect/validation-entry.ts';

const watched = (policyHolderId: number, more: Partial<WatchedValidation> = {}): WatchedValidation => ({
  policyHolderId,
  taskId: `t${policyHolderId}`,
  outcome: null,
  isAsking: false,
  isStartedHere: false,
  ...more,
});
const full = Array.from({ length: maxWatched }, (_, n) => watched(n + 1));

test('another one fits until the limit of watched ones; what was submitted here or has ended does not count', () => {
  expect(chooseToLeave([])).toBeNull();
  expect(chooseToLeave(full.slice(1))).toBeNull();
  const others = [watched(8, { isStartedHere: true }), watched(9, { outcome: 'unknown' })];
  expect(chooseToLeave([...others, ...full.slice(1)])).toBeNull();
});

test('the oldest that asks nothing is left first, and one that asks only if all do', () => {
  expect(chooseToLeave(full)).toBe(1);
  expect(chooseToLeave([watched(7, { isAsking: true }), ...full.slice(1)])).toBe(2);
  expect(chooseToLeave(full.map((one) => ({ ...one, isAsking: true })))).toBe(1);
});

test('a different validation than the known one is news; the same one never is, nor one while another runs', () => {
  expect(isNews(undefined, 't1')).toBe(true);
  expect(isNews(watched(1), 't2')).toBe(false);
  expect(isNews(watched(1, { outcome: 'unknown' }), 't1')).toBe(false);
  expect(isNews(watched(1, { outcome: 'unknown' }), null)).toBe(false);
  expect(isNews(watched(1, { outcome: 'connected' }), 't2')).toBe(true);
});
