import { expect, test } from 'vitest';
import { keepLastScreen, readLastScreen, screenOf } from '../../../../src/renderer/lib/last-screen.ts';

function createStorage(): Pick<Storage, 'getItem' | 'setItem'> & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
}

test('the screen is kept, not which record was open', () => {
  const storage = createStorage();
  keepLastScreen(storage, '/members/1004');
  expect(readLastScreen(storage)).toBe('/members');
  expect([...storage.kept.values()].join()).not.toContain('1004');
});

test('what is no list screen is not kept', () => {
  const storage = createStorage();
  keepLastScreen(storage, '/insights');
  for (const path of ['/settings/privacy', '/welcome', '/', '/membership']) keepLastScreen(storage, path);
  expect(readLastScreen(storage)).toBe('/insights');
});

test('nothing known, or nonsense, is the claims', () => {
  const storage = createStorage();
  expect(readLastScreen(storage)).toBe('/claims');
  storage.setItem('claimdesk-last-screen', 'javascript:alert(1)');
  expect(readLastScreen(storage)).toBe('/claims');
  expect(screenOf('//claims')).toBeNull();
});
