import { describe, expect, it } from 'vitest';
import { predictReview } from '../../../../../src/renderer/domain/review/predict-review.ts';
import { foldReview } from '../../../../../src/rules/review/fold-review.ts';
import type { ClaimReview, Decision, ReviewAct } from '../../../../../src/rules/review/review.ts';

const before: ClaimReview = {
  ...foldReview(7, []),
  state: 'todo',
  receipt: null,
  olderRecord: null,
  changes: [{ name: 'status', label: 'Status', effect: 'reopen', before: 'In Process', after: 'Processed' }],
  changedAt: '2026-02-01T10:00:00.000Z',
  ifKept: null,
  tags: ['HRA'],
  byRules: 10_000,
  basis: null,
  eligible: 10_000,
  declined: 0,
  disputed: 0,
  reimbursed: 0,
  writtenOff: 0,
  owed: 0,
  open: 10_000,
  chain: null,
};
const none = { onWhom: null, reason: null, reminder: null };

/** Acts whose result the window paints before the engine has answered. */
const acts: readonly ReviewAct[] = [
  { kind: 'decision', state: 'done', outcome: 'eligible', ...none },
  {
    kind: 'decision',
    state: 'waiting',
    outcome: null,
    onWhom: 'Carrier',
    reason: 'EOB',
    reminder: '2026-03-01',
  },
  { kind: 'tag', add: ['FSA', 'HRA'], remove: [] },
  { kind: 'tag', add: [], remove: ['HRA'] },
  { kind: 'flag', isFlagged: true },
  { kind: 'owner', owner: 'Ana' },
  { kind: 'reminder', day: '2026-03-01' },
];

describe('a review painted before the engine has answered', () => {
  it.each(acts)('is what the engine makes of it: %o', (act) => {
    const event = (id: string, fact: ReviewAct) => ({
      id,
      at: `2026-02-01T1${id}:00:00.000Z`,
      author: 'a@example.com',
      fact,
      undoes: null,
      digest: null,
      detail: null,
    });
    const folded = foldReview(7, [event('0', { kind: 'tag', add: ['HRA'], remove: [] }), event('1', act)]);
    const { state, outcome, onWhom, reason, reminder, owner, isFlagged, tags } = predictReview(before, act);
    expect({ outcome, onWhom, reason, reminder, owner, isFlagged, tags }).toEqual({
      outcome: folded.outcome,
      onWhom: folded.onWhom,
      reason: folded.reason,
      reminder: folded.reminder,
      owner: folded.owner,
      isFlagged: folded.isFlagged,
      tags: folded.tags,
    });
    expect(state).toBe(folded.state ?? 'todo');
  });

  const decide = (decision: Partial<Decision>): ClaimReview =>
    predictReview(before, {
      kind: 'decision',
      state: 'done',
      outcome: 'eligible',
      ...none,
      ...decision,
    });

  it('has the amounts of the decision', () => {
    const byLine = [
      { line: 0, amount: 1_000 },
      { line: 1, amount: 2_000 },
    ];
    expect(
      decide({ outcome: 'partlyEligible', partly: { by: 'amount', amount: 4_000 }, cause: 'Copay' }),
    ).toMatchObject({
      cause: 'Copay',
      byRules: 10_000,
      eligible: 4_000,
      declined: 6_000,
      open: 4_000,
    });
    expect(decide({ outcome: 'partlyEligible', partly: { by: 'lines', lines: byLine } })).toMatchObject({
      eligible: 3_000,
      declined: 7_000,
    });
    expect(decide({ outcome: 'notEligible' })).toMatchObject({ eligible: 0, declined: 10_000, open: 0 });
    expect(decide({ outcome: 'disputed' })).toMatchObject({ eligible: 0, declined: 0, disputed: 10_000 });
  });

  it('has no changes any more where it was decided or accepted', () => {
    for (const act of [acts[0], { kind: 'accept' } as const]) {
      const after = predictReview(before, act as ReviewAct);
      expect(after.changedAt).toBeNull();
      expect(after.changes).toEqual([]);
    }
    expect(predictReview(before, { kind: 'flag', isFlagged: true }).changes).toEqual(before.changes);
  });
});
