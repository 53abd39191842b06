import { expect, it } from 'vitest';
import { reviewFacts, toReviewRow } from '../../../../../../src/main/engine/store/record/review-facts.ts';
import { fieldsOf } from '../../../../../../src/rules/list-fields.ts';
import { foldReview } from '../../../../../../src/rules/review/fold-review.ts';

it('each review column of lists is one fact of the table, except the state, which lists compute', () => {
  const listed = fieldsOf.claims.flatMap(({ path }) => (path.startsWith('review.') ? [path] : []));
  const declared = Object.values(reviewFacts).flatMap(({ path }) => (path === null ? [] : [path]));
  expect([...declared, 'review.state'].sort()).toEqual(listed.sort());
});

it('a claim without events has a row of blanks', () => {
  const { claimId, judged, related, decisions, checks, runs, ...facts } = toReviewRow(foldReview(7, []), {
    today: '2026-01-01',
    paidValues: null,
    blankChange: null,
  });
  expect({ claimId, judged, related, decisions, checks, runs }).toEqual({
    claimId: 7,
    judged: [],
    related: [],
    decisions: [],
    checks: [],
    runs: [],
  });
  expect(Object.values(facts)).toEqual(Object.values(reviewFacts).map(() => null));
});
