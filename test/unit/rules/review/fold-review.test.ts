import { describe, expect, it } from 'vitest';
import type { ReviewFact } from '../../../../src/rules/review/event-kinds.ts';
import type { FoldedEvent } from '../../../../src/rules/review/fold-review.ts';
import { foldReview } from '../../../../src/rules/review/fold-review.ts';
import type { ReviewDetail } from '../../../../src/rules/review/folded-review.ts';

const decide = (outcome: 'eligible' | 'disputed'): ReviewFact => ({
  kind: 'decision',
  state: 'done',
  outcome,
  onWhom: null,
  reason: null,
  reminder: null,
});

/** Events a, b, c, … one minute apart. */
const inOrder = (
  ...events: (Pick<FoldedEvent, 'fact'> & { undoes?: string; detail?: ReviewDetail })[]
): FoldedEvent[] =>
  events.map(({ undoes = null, detail = null, fact }, index) => ({
    id: String.fromCharCode(97 + index),
    at: `2026-03-01T12:${String(index).padStart(2, '0')}:00.000Z`,
    author: 'lee@example.com',
    digest: `digest ${index}`,
    fact,
    undoes,
    detail,
  }));
const undo = (undoes: string) => ({ fact: { kind: 'undo' } as const, undoes });
const reopened = (since: string) => ({
  fact: { kind: 'reopened' } as const,
  detail: { since, changed: ['status'], responsibility: 10_000 },
});

it('a reopening counts after its decision, even if a slow clock put it before', () => {
  const [decision, reopening, ...later] = inOrder(
    { fact: decide('eligible') },
    reopened('a'),
    { fact: { kind: 'flag', isFlagged: true } },
    { fact: decide('disputed') },
  ) as [FoldedEvent, FoldedEvent, FoldedEvent, FoldedEvent];
  const expected = foldReview(7, [decision, reopening]);
  expect(expected).toMatchObject({ state: 'todo', changedFields: ['status'] });
  expect(foldReview(7, [reopening, decision])).toEqual(expected);
  // A later decision is not reopened by it.
  const decided = foldReview(7, [decision, reopening, ...later]);
  expect(decided).toMatchObject({ state: 'done', changedAt: null });
  expect(foldReview(7, [reopening, decision, ...later])).toEqual(decided);
});

describe('an act that was undone', () => {
  const untouched = foldReview(7, []);

  it('leaves nothing, though a sync reopened the claim before it was undone', () => {
    const events = inOrder({ fact: decide('eligible') }, reopened('a'), undo('a'));
    expect(foldReview(7, events)).toEqual(untouched);
  });

  it('leaves nothing, together with what accepted the change', () => {
    const events = inOrder(
      { fact: decide('eligible') },
      reopened('a'),
      { fact: { kind: 'accept' } },
      undo('a'),
    );
    expect(foldReview(7, events)).toEqual(untouched);
  });

  it('leaves the previous decision, reopened if that was', () => {
    const events = inOrder(
      { fact: decide('eligible') },
      reopened('a'),
      { fact: decide('disputed') },
      undo('c'),
    );
    expect(foldReview(7, events)).toEqual(foldReview(7, events.slice(0, 2)));
    expect(foldReview(7, events)).toMatchObject({
      state: 'todo',
      decidedOutcome: 'eligible',
      changedFields: ['status'],
      reviewedIn: 'a',
      lastEventAt: events[1]?.at,
    });
  });

  it('leaves the previous decision to be compared, if a sync reopened the one that was undone', () => {
    const events = inOrder(
      { fact: decide('eligible') },
      { fact: decide('disputed') },
      reopened('b'),
      undo('b'),
    );
    expect(foldReview(7, events)).toEqual(foldReview(7, events.slice(0, 1)));
  });

  it('counts again when its undo was undone', () => {
    const events = inOrder({ fact: decide('eligible') }, reopened('a'), undo('a'), undo('c'));
    expect(foldReview(7, events)).toEqual(foldReview(7, events.slice(0, 2)));
  });
});

describe('a quality check', () => {
  const check = (agrees: boolean): ReviewFact => ({
    kind: 'check',
    agrees,
    reason: agrees ? null : 'No receipt',
  });
  const by = (author: string, event: FoldedEvent): FoldedEvent => ({ ...event, author });
  const fold = (...events: [author: string, fact: ReviewFact, undoes?: string][]) =>
    foldReview(
      7,
      inOrder(
        ...events.map(([, fact, undoes]) => ({ fact, ...(undoes === undefined ? {} : { undoes }) })),
      ).map((event, at) => by(events[at]?.[0] ?? '', event)),
    );

  it('that agrees is a second look at this decision, and not at the next one', () => {
    const agreed = fold(['lee', decide('eligible')], ['ann', check(true)]);
    expect(agreed).toMatchObject({ state: 'done', outcome: 'eligible', reviewedBy: 'lee', secondBy: 'ann' });
    const decided = fold(['lee', decide('eligible')], ['ann', check(true)], ['lee', decide('disputed')]);
    expect(decided).toMatchObject({ state: 'done', outcome: 'disputed', secondBy: null });
  });

  it('that disagrees sends the claim back to its reviewer with the reason, until it is decided again', () => {
    const back = fold(['lee', decide('eligible')], ['ann', check(false)]);
    expect(back).toMatchObject({ state: 'todo', outcome: null, decidedOutcome: 'eligible' });
    expect(back).toMatchObject({ reason: 'No receipt', owner: 'lee', secondBy: null, changedAt: null });
    const again = fold(['lee', decide('eligible')], ['ann', check(false)], ['lee', decide('disputed')]);
    expect(again).toMatchObject({ state: 'done', outcome: 'disputed', reason: null, secondBy: null });
    expect(
      fold(['lee', decide('eligible')], ['ann', check(false)], ['lee', { kind: 'accept' }]),
    ).toMatchObject({ state: 'todo', outcome: null });
    const undone = fold(['lee', decide('eligible')], ['ann', check(false)], ['ann', { kind: 'undo' }, 'b']);
    expect(undone).toMatchObject({ state: 'done', outcome: 'eligible', reason: null, owner: null });
  });

  it('and a second decision count in a team only with an entry of its log, or of this computer', () => {
    const [decided, checked] = inOrder({ fact: decide('eligible') }, { fact: check(true) });
    const place = { number: null, seen: 1, isSameLog: true, computer: 'computer-1' };
    const foldIn = (fact: ReviewFact, of: FoldedEvent['place']) =>
      foldReview(7, [
        by('lee', { ...(decided as FoldedEvent), place: { ...place, number: 1 } }),
        by('ann', { ...(checked as FoldedEvent), fact, place: of ?? null }),
      ]);
    expect(foldIn(check(true), place)).toMatchObject({ secondBy: 'ann' });
    expect(foldIn(check(true), { ...place, number: 2 })).toMatchObject({ secondBy: 'ann' });
    expect(foldIn(check(true), null)).toMatchObject({ state: 'done', secondBy: null });
    expect(foldIn(check(false), null)).toMatchObject({ state: 'done', reason: null });
    expect(foldIn(decide('disputed'), null)).toMatchObject({ outcome: 'disputed', secondBy: null });
    expect(foldIn(decide('disputed'), place)).toMatchObject({ outcome: 'disputed', secondBy: 'ann' });
  });

  it('has no effect by the reviewer, or on a claim that is not done', () => {
    expect(fold(['lee', decide('eligible')], ['lee', check(false)])).toMatchObject({ state: 'done' });
    expect(fold(['lee', decide('eligible')], ['lee', check(true)])).toMatchObject({ secondBy: null });
    expect(fold(['ann', check(true)])).toMatchObject({ state: null, secondBy: null });
  });
});
