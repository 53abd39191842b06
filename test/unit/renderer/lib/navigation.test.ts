import { expect, it } from 'vitest';
import { navigation } from '../../../../src/renderer/lib/navigation.tsx';
import { shortcuts } from '../../../../src/renderer/lib/shortcuts.ts';

it('every page of the sidebar has its own letter, and its name in the `?` sheet', () => {
  const letters = navigation.map(({ goKey }) => goKey);
  expect(letters).toEqual([...new Set(letters)]);
  for (const { goKey, label } of navigation)
    expect(shortcuts).toContainEqual(expect.objectContaining({ keys: [`g ${goKey}`], does: label }));
});
