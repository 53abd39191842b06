import { expect, test } from 'vitest';
import { isTypedName, type KeyUse, needsTypedName } from '../../../../src/main/keys/last-key.ts';

const key = (id: string, provenAt: string | null, ...workspaceIds: string[]): KeyUse => ({
  id,
  provenAt,
  workspaceIds,
});
const proven = '2026-03-01T00:00:00.000Z';

test.each([
  ['signs for a workspace', [key('a', proven, 'w')], true],
  ['signs for a workspace, beside another that works', [key('a', null, 'w'), key('b', proven)], true],
  ['is the only one that was ever accepted', [key('a', proven), key('b', null)], true],
  ['was accepted, as another was', [key('a', proven), key('b', proven)], false],
  ['was accepted, and another signs', [key('a', proven), key('b', null, 'w')], false],
  ['never worked', [key('a', null)], false],
  ['is not there', [key('b', proven, 'w')], false],
])('a key that %s', (_, keys, isNeeded) => {
  expect(needsTypedName('a', keys)).toBe(isNeeded);
});

test('the name must be typed exactly, except for blanks around it', () => {
  expect(isTypedName(' Front desk ', 'Front desk')).toBe(true);
  for (const typed of [undefined, '', 'front desk', 'Front  desk', 'Front desk 2']) {
    expect(isTypedName(typed, 'Front desk')).toBe(false);
  }
});
