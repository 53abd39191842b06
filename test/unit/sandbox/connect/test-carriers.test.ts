import { expect, it } from 'vitest';
import { planFor, RIGHT_CODE } from '../../../../src/sandbox/connect/test-carriers.ts';

it.each([
  ['dana', 'valid'],
  ['Dana.INVALID', 'invalid'],
  ['daybreak', 'broken'],
  ['problem.child', 'problem'],
  ['undecided', 'undecided'],
  ['fast', 'valid'],
])('%s: %s', (username, outcome) => {
  expect(planFor(username, false)).toMatchObject({ outcome, methods: [], code: RIGHT_CODE });
});

it('two factors: several ways, one way, none for who is fast', () => {
  expect(['dana', 'single', 'fast'].map((name) => planFor(name, true).methods.length)).toEqual([3, 1, 0]);
});
