import { expect, test } from 'vitest';
import { listNoted } from '../../../../../src/main/engine/review/show-reviews.ts';
import type { ReviewFact } from '../../../../../src/rules/review/event-kinds.ts';
import type { ReviewedValues } from '../../../../../src/rules/review/reviewed-values.ts';

const values = (checkNumber: string, status = 'Processed'): ReviewedValues => ({
  fields: { check_number: checkNumber, status },
  members: [],
  provider: { npi: null, tin: null, name: null },
  lines: [],
});
const decision: ReviewFact = {
  kind: 'decision',
  state: 'done',
  outcome: 'eligible',
  onWhom: null,
  reason: null,
  reminder: null,
};
const judged: ReviewFact = { kind: 'judgeDuplicate', otherClaimId: 2, isDuplicate: true, isDone: true };
const event = (
  id: string,
  fact: ReviewFact,
  kept: ReviewedValues | null,
  more: { isUndone?: boolean; otherClaimId?: number } = {},
) => ({
  event: { id, fact, isUndone: more.isUndone ?? false, receipt: null, isImported: false },
  detail: more.otherClaimId === undefined ? null : { otherClaimId: more.otherClaimId },
  reviewed: kept === null ? null : JSON.stringify(kept),
});
const noted = (events: ReturnType<typeof event>[], now: ReviewedValues | null): object =>
  Object.fromEntries(
    [...listNoted(events.toReversed(), now)].map(([id, changes]) => [
      id,
      changes.map(({ name, before, after }) => [name, before, after]),
    ]),
  );

test('after each decision until the next one, and after the last until now', () => {
  const events = [
    event('a', decision, values('1')),
    event('note', { kind: 'note', text: 'x' }, values('2')),
    event('b', judged, values('2'), { otherClaimId: 2 }),
    event('c', { kind: 'accept' }, values('2')),
  ];
  expect(noted(events, values('3'))).toEqual({
    a: [['check_number', '1', '2']],
    c: [['check_number', '2', '3']],
  });
});

test('only what does not reopen, and nothing if a reopening has it', () => {
  expect(noted([event('a', decision, values('1'))], values('1', 'Rejected'))).toEqual({});
  const reopened = event('r', { kind: 'reopened' }, values('2', 'Rejected'));
  expect(noted([event('a', decision, values('1')), reopened], values('3', 'Rejected'))).toEqual({});
});

test('not after a decision that was undone, that stored nothing, or of the other claim of a pair', () => {
  const events = [
    event('a', decision, values('1')),
    event('b', decision, values('2'), { isUndone: true }),
    event('c', judged, values('2'), { otherClaimId: 1 }),
  ];
  expect(noted(events, values('3'))).toEqual({ a: [['check_number', '1', '3']] });
  expect(noted([event('a', decision, null)], values('3'))).toEqual({});
  expect(noted([event('a', decision, values('1'))], null)).toEqual({});
});
