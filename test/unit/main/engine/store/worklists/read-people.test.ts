import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describePeople } from '../../../../../../src/main/engine/review/describe-people.ts';
import { toReviewRow } from '../../../../../../src/main/engine/store/record/review-facts.ts';
import { readPeople } from '../../../../../../src/main/engine/store/worklists/read-people.ts';
import { decidedByCondition, decidedKinds } from '../../../../../../src/rules/review/decided-by.ts';
import { reviewOutcomes } from '../../../../../../src/rules/review/decision.ts';
import type { FoldedEvent } from '../../../../../../src/rules/review/fold-review.ts';
import { foldReview } from '../../../../../../src/rules/review/fold-review.ts';
import { type OpenedStore, openTestStore } from '../../../../../support/engine-store.ts';
import { numbersOf } from '../../../../../support/people-numbers.ts';
import { writeReviews } from '../../../../../support/update-store.ts';

const today = '2026-11-20';
const authors = ['ada@example.com', 'ben@example.com', 'cleo@example.com'] as const;
const context = { today, paidValues: null, blankChange: null };
const claimIds = [1, 2, 3, 4, 5];

/** One event of a claim; `of` is an earlier event, by its place, that it undoes. */
const step = fc.record({
  kind: fc.constantFrom('done', 'open', 'accept', 'agrees', 'disagrees', 'reopened', 'undo', 'owner'),
  author: fc.constantFrom(...authors),
  isUnsigned: fc.boolean(),
  minutes: fc.nat(60 * 24 * 40),
  outcome: fc.constantFrom(...reviewOutcomes),
  of: fc.nat(8),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function toEvents(steps: readonly Step[]): FoldedEvent[] {
  const decision = { kind: 'decision', onWhom: null, reason: null, reminder: null } as const;
  const first = new Date(2026, 9, 12).getTime();
  const sorted = [...steps].sort((one, other) => one.minutes - other.minutes);
  let since = '';
  return sorted.map(({ kind, author, isUnsigned, minutes, outcome, of }, at): FoldedEvent => {
    const facts = {
      done: { ...decision, state: 'done', outcome },
      open: { ...decision, state: 'todo', outcome: null },
      accept: { kind: 'accept' },
      agrees: { kind: 'check', agrees: true, reason: null },
      disagrees: { kind: 'check', agrees: false, reason: 'No receipt' },
      reopened: { kind: 'reopened' },
      undo: { kind: 'undo' },
      owner: { kind: 'owner', owner: author },
    } as const;
    const event: FoldedEvent = {
      ...{ id: String(at), at: new Date(first + minutes * 60_000).toISOString(), author, digest: null },
      fact: facts[kind],
      undoes: kind === 'undo' ? String(of % Math.max(at, 1)) : null,
      detail: kind === 'reopened' ? { since } : null,
      ...(isUnsigned ? { isUnsigned: true } : {}),
    };
    if (kind === 'done' || kind === 'open' || kind === 'accept') since = event.id;
    return event;
  });
}

const daysBefore = (days: number): string =>
  new Date(Date.UTC(2026, 10, 20 - days)).toISOString().slice(0, 10);

function openWithClaims(): OpenedStore {
  const store = openTestStore();
  store.ingest(
    'claims',
    claimIds.map((id) => {
      const day = daysBefore(id * 25 - 20);
      return {
        id,
        status: 'Processed',
        ...(id === 5 ? {} : { date_of_service: { start: day, end: day, bounds: '[]' } }),
      };
    }),
  );
  store.write.writeReviewPeriod({ from: '2000-01-01', on: null });
  return store;
}

test('every number of a person is that of its rows, whatever happened to the claims', () => {
  const store = openWithClaims();
  const period = fc.tuple(fc.nat(45), fc.nat(45)).map(([one, other]) => ({
    first: daysBefore(Math.max(one, other)),
    last: daysBefore(Math.min(one, other)),
  }));
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(fc.array(step, { maxLength: 8 }), { minLength: 5, maxLength: 5 }),
      period,
      (histories, of) => {
        store.write.applyReviews({ rows: [], mark: null, isFirst: true });
        writeReviews(
          store,
          ...histories.map((steps, at) => toReviewRow(foldReview(at + 1, toEvents(steps)), context)),
          // A claim that is not on this computer.
          toReviewRow(foldReview(99, toEvents(histories[0] ?? [])), context),
        );
        const team = authors
          .slice(0, 2)
          .map((email) => ({ email, isMember: email === authors[0], isYou: false }));
        const people = describePeople(readPeople(store.readerConnection, { ...of, today }), team, today);
        for (const { name, claims, query } of numbersOf(people, of, today)) {
          expect([name, store.list(query).length]).toEqual([name, claims]);
          if (claims > 0) seen.add(name.split(' ')[3] as string);
        }
        const anyone = decidedByCondition({ kind: 'decided', ...of, author: null });
        const all = people.flatMap((person) => (person.decided.claims > 0 ? [person] : []));
        expect(store.list({ entity: 'claims', conditions: [anyone], includesMissing: true }).length > 0).toBe(
          all.length > 0,
        );
      },
    ),
    { numRuns: 60 },
  );
  expect([...seen].sort()).toEqual([...decidedKinds, 'open'].sort());
});
