import { expect, test } from 'vitest';
import { isFinal } from '../../../../src/rules/review/final-decision.ts';

test.each([
  [{ state: 'done', outcome: 'notEligible' }, false, true],
  [{ state: 'done', outcome: 'eligible' }, false, false],
  [{ state: 'done', outcome: 'partlyEligible' }, false, false],
  [{ state: 'done', outcome: 'eligible' }, true, true],
  [{ state: 'waiting', outcome: null }, true, false],
  [null, true, false],
] as const)('with the newest decision %o, paid %s, nothing is left to do: %s', (decision, isPaid, isDone) => {
  expect(isFinal(decision, isPaid)).toBe(isDone);
});
