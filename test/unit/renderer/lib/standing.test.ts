import { expect, test } from 'vitest';
import { standingOf } from '../../../../src/renderer/lib/standing.ts';

test('a row says what sets it apart, and most say nothing', () => {
  expect(standingOf({ id: 1, archived: false })).toBeNull();
  expect(standingOf({ id: 1, archived: null })).toBeNull();
  expect(standingOf({ id: 1, archived: true })).toBe('Archived');
  expect(standingOf({ id: 1, $goneSince: '2026-02-01T00:00:00.000Z' })).toBe('No longer returned');
  expect(standingOf({ id: 1, archived: true, $goneSince: '2026-02-01T00:00:00.000Z' })).toBe(
    'Archived, no longer returned',
  );
});
