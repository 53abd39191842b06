import { expect, it } from 'vitest';
import { planFor, RIGHT_CODE } from '../../../../src/sandbox/connect/test-carriers.ts';

const plain = { hasTwoFactor: false, restsAfterCode: false };
const twoFactor = { ...plain, hasTwoFactor: true };

it.each([
  ['dana', 'valid'],
  ['Dana.INVALID', 'invalid'],
  ['daybreak', 'broken'],
  ['problem.child', 'problem'],
  ['undecided', 'undecided'],
  ['fast', 'valid'],
])('%s: %s', (username, outcome) => {
  expect(planFor(username, plain)).toMatchObject({ outcome, methods: [], code: RIGHT_CODE, rest: 'none' });
});

it('two factors: several methods, one method, none for fast', () => {
  expect(['dana', 'single', 'fast'].map((name) => planFor(name, twoFactor).methods.length)).toEqual([
    3, 1, 0,
  ]);
});

it('a carrier that stalls after the code: its connection has the result, or never does', () => {
  const resting = { hasTwoFactor: true, restsAfterCode: true };
  expect(['dana', 'hanging'].map((name) => planFor(name, resting).rest)).toEqual(['told', 'untold']);
});
