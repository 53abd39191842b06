import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReviewFact } from '../../../../src/rules/review/event-kinds.ts';
import type { FoldedEvent } from '../../../../src/rules/review/fold-review.ts';
import { foldReview } from '../../../../src/rules/review/fold-review.ts';
import type { ReviewDetail } from '../../../../src/rules/review/folded-review.ts';
import { isOpenIn } from '../../../../src/rules/review/run-facts.ts';

const at = (minute: number): string => `2026-03-01T12:${String(minute).padStart(2, '0')}:00.000Z`;
const event = (
  id: string,
  minute: number,
  fact: ReviewFact,
  more: { detail?: ReviewDetail; undoes?: string } = {},
): FoldedEvent => ({
  ...{ id, at: at(minute), author: 'lee@example.com', fact },
  ...{ undoes: more.undoes ?? null, digest: null, detail: more.detail ?? null },
});
const made = (id: string, minute: number, run: NonNullable<ReviewDetail['run']> = { amount: 5_000_000 }) =>
  event(
    id,
    minute,
    { kind: 'run', name: `Run ${id}`, account: '', claims: 1, amount: 1 },
    { detail: { run } },
  );
const sent = (id: string, minute: number, run: string) =>
  event(id, minute, { kind: 'runSent', run, file: null });
const recorded = (id: string, minute: number, run: string, amount = 5_000_000) =>
  event(
    id,
    minute,
    { kind: 'payment', payment: 'reimbursed', amount: null, day: null, account: '', run },
    { detail: { payments: [{ amount, day: '2026-03-02' }] } },
  );
const left = (id: string, minute: number, run: string) =>
  event(id, minute, { kind: 'runLeft', run, reason: 'Account closed' });
const undone = (id: string, minute: number, undoes: string) =>
  event(id, minute, { kind: 'undo', reason: 'Wrong day' }, { undoes });

const statesOf = (events: readonly FoldedEvent[]) => foldReview(7, events).runs.map(({ state }) => state);
const paidBy = (events: readonly FoldedEvent[]): number =>
  foldReview(7, events)
    .payments.filter(({ run }) => run !== undefined)
    .reduce((sum, { payment, amount }) => sum + (payment === 'reversed' ? -amount : amount), 0);

it('goes from made through checked and sent to recorded, and a step back', () => {
  const checked = event('b', 1, { kind: 'runChecked', run: 'a' });
  const all = [made('a', 0), checked, sent('c', 2, 'a'), recorded('d', 3, 'a')];
  expect([1, 2, 3, 4].map((count) => statesOf(all.slice(0, count)))).toEqual([
    ['made'],
    ['checked'],
    ['sent'],
    ['recorded'],
  ]);
  expect(paidBy(all)).toBe(5_000_000);
  const back = [...all, undone('e', 4, 'd')];
  expect([statesOf(back), paidBy(back)]).toEqual([['sent'], 0]);
});

it('counts a payment of a run once, and none of a run that the claim is not in', () => {
  const run = made('a', 0);
  expect(paidBy([run, recorded('b', 1, 'a'), recorded('c', 2, 'a')])).toBe(5_000_000);
  expect(paidBy([recorded('b', 1, 'a')])).toBe(0);
  expect(paidBy([run, left('b', 1, 'a'), recorded('c', 2, 'a')])).toBe(0);
  expect(paidBy([run, recorded('b', 1, 'a'), undone('c', 2, 'a')])).toBe(0);
});

it('reverses the payment of a claim that was rejected after it was recorded', () => {
  const events = [made('a', 0), recorded('b', 1, 'a'), left('c', 2, 'a')];
  expect([statesOf(events), paidBy(events)]).toEqual([['left'], 0]);
  expect(foldReview(7, events).runs[0]).toMatchObject({ reason: 'Account closed' });
  const again = [...events, made('d', 3, { amount: 2_000_000 })];
  expect(statesOf(again)).toEqual(['left', 'made']);
});

it('leaves a claim out of the later of two runs, even if the earlier one was recorded unseen', () => {
  expect(statesOf([made('a', 0), made('b', 1)])).toEqual(['made', 'inOther']);
  const unseen = [made('a', 0), recorded('b', 1, 'a'), made('c', 2), recorded('d', 3, 'c')];
  expect([statesOf(unseen), paidBy(unseen)]).toEqual([['recorded', 'inOther'], 5_000_000]);
  const seen = [made('a', 0), recorded('b', 1, 'a'), made('c', 2, { amount: 100, after: ['a'] })];
  expect(statesOf(seen)).toEqual(['recorded', 'made']);
  // Where the earlier run is taken back, the later one has the claim.
  expect(statesOf([made('a', 0), made('b', 1), undone('c', 2, 'a')])).toEqual(['made']);
});

it('never has a claim in two open runs, or paid by two of which one did not know the other', () => {
  const step = fc.record({
    kind: fc.constantFrom('run', 'sent', 'recorded', 'left', 'undone'),
    of: fc.nat(5),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const events: FoldedEvent[] = [];
      const runs: string[] = [];
      for (const [minute, { kind, of }] of steps.entries()) {
        const id = `e${String(minute).padStart(2, '0')}`;
        const run = runs[of % Math.max(1, runs.length)] ?? 'none';
        if (kind === 'run') {
          events.push(made(id, minute));
          runs.push(id);
        } else if (kind === 'sent') events.push(sent(id, minute, run));
        else if (kind === 'recorded') events.push(recorded(id, minute, run));
        else if (kind === 'left') events.push(left(id, minute, run));
        else events.push(undone(id, minute, events[of % Math.max(1, events.length)]?.id ?? 'none'));
        const { runs: folded } = foldReview(7, events);
        expect(folded.filter(({ state }) => isOpenIn(state)).length).toBeLessThanOrEqual(1);
        expect(paidBy(events)).toBe(
          folded.filter(({ state }) => state === 'recorded').reduce((sum, { amount }) => sum + amount, 0),
        );
        // No run knew of another one, so that only one of them can have paid.
        expect(paidBy(events)).toBeLessThanOrEqual(5_000_000);
      }
    }),
  );
});
