import { expect, test } from 'vitest';
import { matchesLabel } from '../../../../src/renderer/app/palette.ts';

test.each([
  ['', true],
  ['backup', true],
  ['settings backup', true],
  ['Data  settings', true],
  ['settings keys', false],
])('“%s” finds Settings: Data by its words in any order: %s', (typed, isFound) => {
  expect(matchesLabel('Settings: Data (storage, backups, removal, about)', typed)).toBe(isFound);
});
