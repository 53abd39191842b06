import { expect, it } from 'vitest';
import { navigation } from '../../../../src/renderer/app/navigation.tsx';
import { goKeys } from '../../../../src/renderer/lib/shortcuts.ts';

it('every page of the sidebar has a letter of its own, under its name', () => {
  const pages = goKeys.map(({ to, page }) => `${to} ${page}`);
  expect([...pages].sort()).toEqual(navigation.map(({ to, label }) => `${to} ${label}`).sort());
  expect(new Set(goKeys.map(({ key }) => key)).size).toBe(goKeys.length);
});
