import { expect, it } from 'vitest';
import { describeJudged } from '../../../../src/renderer/features/claims/compared-pair.tsx';

const judged = (isDuplicate: boolean) => ({ isDuplicate, eventId: 'e' });

it.each([
  ['open', { judged: null, markedId: null }, null],
  ['the other marked', { judged: judged(true), markedId: 9 }, '9 is marked as the duplicate of this one.'],
  ['this one marked', { judged: judged(true), markedId: 7 }, 'This claim is marked as the duplicate of 9.'],
  ['no duplicate', { judged: judged(false), markedId: null }, 'Marked as not a duplicate of 9.'],
  ['the other reviewed', { judged: null, markedId: 9 }, '9 is reviewed as a duplicate.'],
  ['this one reviewed', { judged: null, markedId: 7 }, 'This claim is reviewed as a duplicate.'],
])('a pair says what was decided about it: %s', (_name, pair, text) => {
  expect(describeJudged(pair, 7, 9)).toBe(text);
});
