import { expect, test } from 'vitest';
import { mayAnswer } from '../../../../src/rules/review/appeals.ts';
import type { ReviewFact } from '../../../../src/rules/review/event-kinds.ts';
import { findKind } from '../../../../src/rules/review/event-kinds.ts';
import { type FoldedEvent, foldReview } from '../../../../src/rules/review/fold-review.ts';
import type { LogPosition } from '../../../../src/rules/review/seen-events.ts';

const decided = (state: 'done' | 'waiting'): ReviewFact => ({
  kind: 'decision',
  state,
  outcome: state === 'done' ? 'notEligible' : null,
  onWhom: state === 'done' ? null : 'Member',
  reason: state === 'done' ? null : 'Receipt',
  reminder: null,
});
const received: ReviewFact = {
  ...{ kind: 'appeal', direction: 'received', asker: 'member', level: 1 },
  ...{ day: '2026-02-01', due: '2026-04-02', reason: null },
};
const answer: ReviewFact = {
  ...{ kind: 'answerAppeal', appealId: 'e2', answer: 'overturned' },
  ...{ day: '2026-03-01', letterDay: null, reason: 'It was preventive.' },
};
const placeAt = (number: number, seen: number | null): LogPosition => ({
  ...{ number, seen, isSameLog: true, computer: `c${number}` },
});
/** Events by these authors in this order, the answer at a place. */
const foldOf = (facts: readonly [author: string, fact: ReviewFact][], place?: LogPosition | null) =>
  foldReview(
    1,
    facts.map(
      ([author, fact], index): FoldedEvent => ({
        ...{ id: `e${index}`, at: `2026-03-0${index + 1}T12:00:00.000Z`, author, fact },
        ...{ undoes: null, digest: null, detail: null },
        ...(fact.kind === 'answerAppeal' && place !== undefined ? { place } : {}),
      }),
    ),
  );

test('in a team only a member who did not decide the claim answers its appeal; an answer from before the team counts', () => {
  const events = (by: string): [string, ReviewFact][] => [
    ['ben', decided('waiting')],
    ['ana', decided('done')],
    ['ben', received],
    [by, answer],
  ];
  const isAnswered = (by: string, place?: LogPosition | null) =>
    foldOf(events(by), place).appeals[0]?.answered !== null;
  expect(isAnswered('ana', placeAt(9, 3))).toBe(false);
  expect(isAnswered('ben', placeAt(9, 3))).toBe(true);
  expect(isAnswered('cleo', null), 'by a file').toBe(false);
  expect(isAnswered('ana', placeAt(9, null)), 'before the team').toBe(true);
  expect(isAnswered('ana'), 'alone').toBe(true);
  const [appeal] = foldOf(events('ben').slice(0, 3)).appeals;
  expect(appeal?.deciders, 'who only let it wait decided nothing').toEqual(['ana']);
  expect(appeal !== undefined && mayAnswer(appeal, 'ana')).toBe(false);
});

test('a claim with an appeal keeps all of its events in a checkpoint, because earlier deciders count', () => {
  for (const kind of ['appeal', 'answerAppeal']) expect(findKind(kind)?.inCheckpoint).toBeUndefined();
});
