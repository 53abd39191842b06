import { expect, test } from 'vitest';
import { columnsThatFit, isSplit, toggleSplit } from '../../../../../src/renderer/domain/list/split-view.ts';

function windowOf(innerWidth: number) {
  const kept = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  return { innerWidth, localStorage };
}

test('split view is stored for each list', () => {
  const window = windowOf(1280);
  expect(toggleSplit(window, 'claims')).toBe(true);
  expect(isSplit(window.localStorage, 'claims')).toBe(true);
  expect(isSplit(window.localStorage, 'members')).toBe(false);
  expect(toggleSplit(window, 'claims')).toBe(true);
  expect(isSplit(window.localStorage, 'claims')).toBe(false);
});

test('nothing changes in a window that is too narrow', () => {
  const window = windowOf(1279);
  expect(toggleSplit(window, 'claims')).toBe(false);
  expect(isSplit(window.localStorage, 'claims')).toBe(false);
});

test('the list keeps the columns that fit, from the left, and always the first one', () => {
  const widths: Readonly<Record<string, number>> = { id: 84, days: 140, patient: 84, billed: 20 };
  const fitting = (spacePx: number) =>
    columnsThatFit(Object.keys(widths), (path) => widths[path] ?? 0, spacePx);
  expect(fitting(328)).toEqual(['id', 'days', 'patient', 'billed']);
  expect(fitting(308)).toEqual(['id', 'days', 'patient']);
  // A narrow column behind one that does not fit would be out of its order.
  expect(fitting(260)).toEqual(['id', 'days']);
  expect(fitting(10)).toEqual(['id']);
});

test('columns of a lower rank have space before the others, in the order of the list', () => {
  const columns = ['id', 'days', 'patient', 'provider', 'status', 'billed'];
  const rankOf = (path: string): number => (path === 'status' || path === 'billed' ? 1 : 3);
  expect(columnsThatFit(columns, () => 100, 400, rankOf)).toEqual(['id', 'days', 'status', 'billed']);
  expect(columnsThatFit(columns, () => 100, 250, rankOf)).toEqual(['id', 'status']);
});
