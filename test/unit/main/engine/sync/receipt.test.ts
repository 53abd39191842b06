import { expect, test } from 'vitest';
import { sayMoment } from '../../../../../src/main/engine/sync/receipt.ts';

test.each([
  [new Date(2026, 10, 22, 1, 33), '11/22/2026, 1:33 AM'],
  [new Date(2026, 2, 5, 0, 7), '03/05/2026, 12:07 AM'],
  [new Date(2026, 2, 5, 12, 0), '03/05/2026, 12:00 PM'],
  [new Date(2026, 11, 31, 23, 59), '12/31/2026, 11:59 PM'],
])('a receipt has times in this computer’s time zone: %s', (at, said) => {
  expect(sayMoment(at.toISOString())).toBe(said);
});

test('an invalid time is shown as unknown', () => {
  expect(sayMoment('')).toBe('an unknown time');
});
