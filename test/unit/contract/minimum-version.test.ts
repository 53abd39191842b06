import { expect, test } from 'vitest';
import { isLeftOut } from '../../../src/rules/review/team-settings.ts';

test.each([
  ['0.3.0', false],
  ['0.3.1', false],
  ['0.10.0', false],
  ['1.0.0', false],
  ['0.3.0-beta.2', false],
  ['0.2.99', true],
  ['0.2', true],
  ['none', true],
  [null, true],
])('version %s with a minimum version of 0.3.0', (version, expected) => {
  expect(isLeftOut(version, '0.3.0')).toBe(expected);
});
