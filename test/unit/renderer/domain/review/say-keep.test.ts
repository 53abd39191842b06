import { expect, test } from 'vitest';
import { sayKeep, sayUse } from '../../../../../src/renderer/domain/review/say-keep.ts';
import type { ClaimReview } from '../../../../../src/rules/review/review.ts';

type Kept = NonNullable<ClaimReview['ifKept']>;
const partly: Kept = {
  outcome: 'partlyEligible',
  eligible: 15_000_000,
  declined: 10_055_500,
  eligibleBefore: 15_000_000,
  declinedBefore: 9_189_200,
  refused: null,
};
const review = (
  ifKept: Partial<Kept>,
  more: Partial<Pick<ClaimReview, 'state' | 'onWhom' | 'byRules'>> = {},
) => ({
  state: 'todo' as const,
  onWhom: null,
  byRules: 25_055_500,
  ...more,
  ifKept: { ...partly, ...ifKept },
});

test.each([
  [{}, 'Keep Partly eligible, $1,500.00', 'declined $918.92 → $1,005.55'],
  [{ declinedBefore: 10_055_500 }, 'Keep Partly eligible, $1,500.00', 'declined $1,005.55'],
  [
    { eligible: 15_033_300, declined: 10_022_200, eligibleBefore: 14_513_500 },
    'Keep Partly eligible, $1,451.35 → $1,503.33',
    'declined $918.92 → $1,002.22',
  ],
  [
    { outcome: 'notEligible', eligible: 0, declined: 25_055_500, eligibleBefore: null, declinedBefore: null },
    'Keep Not eligible',
    'declined $2,505.55',
  ],
  [
    { outcome: 'eligible', eligible: 25_055_500, declined: 0, eligibleBefore: null, declinedBefore: null },
    'Keep Eligible, $2,505.55',
    null,
  ],
  [
    { outcome: 'noAction', eligible: 0, declined: 25_055_500, eligibleBefore: null, declinedBefore: null },
    'Keep No action',
    null,
  ],
] as const)('%o is %s', (ifKept, label, detail) => {
  expect(sayKeep(review(ifKept))).toEqual({ label, detail, refusal: null });
});

test.each([
  ['waiting', 'Ana', 'Keep Waiting on Ana'],
  ['back', 'Ana', 'Keep Waiting on Ana'],
  ['escalated', 'Ben', 'Keep Escalated to Ben'],
  ['inReview', null, 'Keep as it is'],
] as const)('a claim that is %s keeps its state', (state, onWhom, label) => {
  expect(sayKeep(review({ outcome: null }, { state, onWhom })).label).toBe(label);
});

test('a decision that is too large, or with an unknown amount, can’t be kept', () => {
  const tooMuch = review({ refused: 'tooMuch' }, { byRules: 12_000_000 });
  expect(sayKeep(tooMuch)).toEqual({
    label: null,
    refusal: 'Partly eligible, $1,500.00, can’t be kept: the rules give $1,200.00 now.',
  });
  expect(sayUse(tooMuch)).toBe('Use $1,200.00');
  const notKnown = review({ refused: 'notKnown' }, { byRules: null });
  expect(sayKeep(notKnown)).toMatchObject({ label: null, refusal: expect.stringContaining('no amount') });
  expect(sayUse(notKnown)).toBeNull();
});

test('the amount by the rules is offered if the decision does not give it', () => {
  expect(sayUse(review({}))).toBe('Use $2,505.55');
  expect(sayUse(review({ outcome: 'eligible', eligible: 25_055_500 }))).toBeNull();
  expect(sayUse(review({ outcome: 'notEligible', eligible: 0 }, { byRules: 0 }))).toBeNull();
});
