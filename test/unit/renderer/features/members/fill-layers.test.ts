import { expect, test } from 'vitest';
import { fillLayers } from '../../../../../src/renderer/features/members/family-card.tsx';

test('layers of an account are filled with what it paid, in order', () => {
  const layers = [
    { payer: 'account', amount: 500 },
    { payer: 'member', amount: 200 },
    { payer: 'account', amount: null },
  ] as const;
  expect(fillLayers([...layers], 0)).toEqual([0, 0, 0]);
  expect(fillLayers([...layers], 290)).toEqual([0.58, 0, 0]);
  expect(fillLayers([...layers], 500)).toEqual([1, 0, 0]);
  // The last layer has no end, so it shows only that it began.
  expect(fillLayers([...layers], 900)).toEqual([1, 1, 0.1]);
});
