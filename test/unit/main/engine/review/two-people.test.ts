import { expect, it } from 'vitest';
import { findBreaks } from '../../../../../src/main/engine/review/two-people.ts';
import type { ReviewFact } from '../../../../../src/rules/review/event-kinds.ts';

const done: ReviewFact = {
  ...{ kind: 'decision', state: 'done', outcome: 'eligible' },
  ...{ onWhom: null, reason: null, reminder: null },
};
const paid: ReviewFact = {
  ...{ kind: 'payment', payment: 'reimbursed', amount: 6_000_000, day: '2026-02-01', account: '' },
};
/** The events that break the rule, by their place, where one person made these. */
const breaksOf = (...facts: readonly ReviewFact[]) => {
  const events = facts.map((fact, index) => ({
    ...{ id: `${index}`, at: `2026-02-03T09:00:0${index}.000Z`, author: 'ben', fact },
    ...{ undoes: null, digest: null, detail: null },
  }));
  return [...findBreaks(7, events, [{ at: '2026-02-03T08:00:00.000Z', above: 5_000_000 }])];
};

it('finds that one person decided and paid more than the amount, in either order', () => {
  expect(breaksOf(done, paid)).toEqual([['1', 5_000_000]]);
  expect(breaksOf(paid, done)).toEqual([['1', 5_000_000]]);
  expect(breaksOf(paid, { ...done, state: 'waiting', outcome: null } as ReviewFact)).toEqual([]);
});

it('counts a judgment of a pair as a decision only on the claim that was judged', () => {
  const judged = { kind: 'judgeDuplicate', isDuplicate: true, isDone: true } as const;
  const events = (otherOfClaim: number) =>
    [paid, { ...judged, otherClaimId: 8 }].map((fact, index) => ({
      ...{
        id: `${index}`,
        at: `2026-02-03T09:00:0${index}.000Z`,
        author: 'ben',
        fact,
        undoes: null,
        digest: null,
      },
      detail: index === 0 ? null : { otherClaimId: otherOfClaim },
    }));
  const amounts = [{ at: '2026-02-03T08:00:00.000Z', above: 5_000_000 }];
  expect([...findBreaks(7, events(8), amounts).keys()]).toEqual(['1']);
  expect([...findBreaks(8, events(7), amounts).keys()]).toEqual([]);
});
