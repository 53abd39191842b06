import { expect, test } from 'vitest';
import { serviceStatusOf } from '../../../../../src/renderer/domain/list/service-status.ts';

test('a row shows what distinguishes it, and most show nothing', () => {
  expect(serviceStatusOf({ id: 1, archived: false })).toBeNull();
  expect(serviceStatusOf({ id: 1, archived: null })).toBeNull();
  expect(serviceStatusOf({ id: 1, archived: true })).toBe('Archived');
  expect(serviceStatusOf({ id: 1, $missingSince: '2026-02-01T00:00:00.000Z' })).toBe(
    'No longer in the service',
  );
  expect(serviceStatusOf({ id: 1, archived: true, $missingSince: '2026-02-01T00:00:00.000Z' })).toBe(
    'Archived, no longer in the service',
  );
});
