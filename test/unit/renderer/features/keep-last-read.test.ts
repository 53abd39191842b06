import { expect, test } from 'vitest';
import { lastReadOf } from '../../../../src/renderer/features/start/keep-last-read.ts';

test('the claim on screen is stored with the list and row from which it was opened', () => {
  expect(lastReadOf('/claims/20007', { list: 'worklist-toPay', at: 4 })).toEqual({
    claimId: 20_007,
    list: 'worklist-toPay',
    at: 4,
  });
  expect(lastReadOf('/claims/20007/duplicates', {})).toEqual({ claimId: 20_007, list: null, at: null });
});

test('other screens are not a place to continue', () => {
  expect(['/claims', '/members/7', '/start', '/claims/x'].map((path) => lastReadOf(path, {}))).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
