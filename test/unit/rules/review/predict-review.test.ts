import { describe, expect, it } from 'vitest';
import { reviewFacts, toReviewRow } from '../../../../src/main/engine/store/record/review-facts.ts';
import type { Decision } from '../../../../src/rules/review/decision.ts';
import { findAct, type ReviewAct } from '../../../../src/rules/review/event-kinds.ts';
import { type FoldedEvent, foldReview } from '../../../../src/rules/review/fold-review.ts';
import { predictReview, showDecided } from '../../../../src/rules/review/predict-review.ts';
import type { ClaimReview } from '../../../../src/rules/review/review.ts';
import { madeLetter } from '../../../support/made-letter.ts';

const before: ClaimReview = {
  ...foldReview(7, []),
  state: 'todo',
  receipt: null,
  olderRecord: null,
  changes: [{ name: 'status', label: 'Status', effect: 'reopen', before: 'In Process', after: 'Processed' }],
  reviewedAt: '2026-01-10T10:00:00.000Z',
  reviewedBy: 'lee@example.com',
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

const today = '2026-02-02';

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
  { kind: 'accept' },
  { kind: 'check', agrees: true, reason: null },
  { kind: 'check', agrees: false, reason: 'Look again' },
  { kind: 'judgeDuplicate', otherClaimId: 8, isDuplicate: true, isDone: true },
  { kind: 'settlePayments', leaveOut: null },
];

const decideOn = (outcome: Decision['outcome']): Decision => ({
  kind: 'decision',
  state: outcome === null ? 'escalated' : 'done',
  outcome,
  onWhom: outcome === null ? 'Ana' : null,
  reason: outcome === null ? 'EOB' : null,
  reminder: null,
});
const waiting: ReviewAct = { ...decideOn(null), state: 'waiting', reminder: '2026-01-03' };
const histories: readonly (readonly (ReviewAct | { readonly kind: 'reopened' })[])[] = [
  [],
  [{ kind: 'tag', add: ['HRA'], remove: [] }],
  [decideOn('eligible'), { kind: 'owner', owner: 'Lee' }],
  [decideOn('notEligible'), { kind: 'reopened' }],
  [decideOn(null), { kind: 'reopened' }],
  [waiting],
  [waiting, { kind: 'reopened' }],
];
const decisionsOf = (history: readonly { readonly kind: string }[]) => {
  const { outcome } = history.find((fact) => fact.kind === 'decision') as Decision;
  return { outcome, eligible: outcome === 'notEligible' ? 0 : null };
};
const eventOf = (id: string, fact: ReviewAct | { readonly kind: 'reopened' }): FoldedEvent => ({
  id,
  at: `2026-02-01T1${id === 'z' ? 9 : id}:00:00.000Z`,
  author: `${id}@example.com`,
  fact,
  undoes: null,
  digest: null,
  detail: fact.kind === 'reopened' ? { since: '0' } : null,
});
const showFolded = (events: readonly FoldedEvent[]) =>
  showDecided(foldReview(7, events), {
    byRules: 10_000,
    reimbursed: 0,
    writtenOff: 0,
    chain: null,
    today,
    undecided: () => 'todo',
  });

describe('a review painted before the engine has answered', () => {
  it.each(histories)('is what the engine makes of it, after %o', (...history) => {
    for (const act of acts) {
      const past = history.map((fact, index) => eventOf(String(index), fact));
      const shown = showFolded(past);
      const ifKept =
        shown.changedAt === null
          ? null
          : {
              ...decisionsOf(history),
              declined: null,
              eligibleBefore: null,
              declinedBefore: null,
              refused: null,
            };
      const predicted = predictReview(
        { ...before, ...shown, ...foldReview(7, past), ...shown, ifKept },
        act,
        today,
      );
      expect(predicted, JSON.stringify(act)).toMatchObject(showFolded([...past, eventOf('z', act)]));
    }
  });

  it('shows a letter and an appeal once they are saved', () => {
    const appeal: ReviewAct = {
      ...{ kind: 'appeal', direction: 'received', asker: 'member', level: 1 },
      ...{ day: '2026-02-01', due: null, reason: null },
    };
    for (const act of [madeLetter(1), appeal]) expect(predictReview(before, act, today)).toEqual(before);
    const { letters, appeals } = foldReview(7, [eventOf('0', madeLetter(1)), eventOf('1', appeal)]);
    expect([letters.length, appeals.length]).toEqual([1, 1]);
  });

  it.each(acts)('has the cells that the engine then stores: %o', (act) => {
    const row = toReviewRow(foldReview(7, [eventOf('0', decideOn('disputed')), eventOf('1', act)]), {
      today,
      paidValues: null,
      blankChange: null,
    });
    const stored = Object.entries(reviewFacts).flatMap(([name, { path }]) =>
      path === null ? [] : [[path, row[name as keyof typeof reviewFacts]]],
    );
    const cells = Object.fromEntries([...stored, ['review.state', row.state]]);
    const changed = findAct(act.kind)?.cells?.(act) ?? {};
    for (const [path, value] of Object.entries(changed))
      expect(value === true ? 1 : value, path).toEqual(cells[path]);
  });

  const decide = (decision: Partial<Decision>): ClaimReview =>
    predictReview(
      before,
      { kind: 'decision', state: 'done', outcome: 'eligible', ...none, ...decision },
      today,
    );

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

  it('no longer has changes once it was decided or accepted', () => {
    for (const act of [acts[0], { kind: 'accept' } as const]) {
      const after = predictReview(before, act as ReviewAct, today);
      expect(after.changedAt).toBeNull();
      expect(after.changes).toEqual([]);
    }
    expect(predictReview(before, { kind: 'flag', isFlagged: true }, today).changes).toEqual(before.changes);
  });
});
