import { expect, test } from 'vitest';
import { toReviewRow } from '../../../../../../src/main/engine/store/record/review-facts.ts';
import { inPlanYear } from '../../../../../../src/renderer/features/reports/report-rows.ts';
import type { ReviewFact } from '../../../../../../src/rules/review/event-kinds.ts';
import { foldReview } from '../../../../../../src/rules/review/fold-review.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { updateStore } from '../../../../../support/update-store.ts';

const claimOf = (id: number, employers: readonly number[], year: number, responsibility: number) => ({
  id,
  status: 'Processed',
  members: employers.map((employer, at) => ({
    id: id * 10 + at,
    employer: { id: employer, name: `E${employer}` },
  })),
  date_of_service: { bounds: '[]', start: `${year}-03-02`, end: `${year}-03-02` },
  patient_responsibility: responsibility,
});

const counted = (claims: number, amount: number) => ({ claims, amount });
const undecided = (claims: number, amount: number) => ({
  decided: counted(0, 0),
  undecided: counted(claims, amount),
  declined: counted(0, 0),
  disputed: counted(0, 0),
  notKnown: 0,
});

test('reimbursed and eligible amounts by employer and plan year, or unknown, add up to the list; what was reimbursed on a missing claim still counts', () => {
  const store = openTestStore();
  store.ingest('claims', [
    claimOf(1, [3], 2026, 30),
    claimOf(2, [3], 2026, 12.5),
    claimOf(3, [3, 4], 2025, 20),
    claimOf(4, [], 2026, 99),
    claimOf(5, [4], 2025, 70),
    claimOf(6, [4], 2025, 70),
    { ...claimOf(7, [4], 2025, 5), date_of_service: null },
    { ...claimOf(8, [], 2025, 6), date_of_service: null },
  ]);
  store.database.exec("UPDATE claims SET gone_since='2026-10-20T00:00:00Z' WHERE id IN (5, 6)");
  const at = new Date(2026, 9, 1, 12).toISOString();
  const event = (id: string, fact: ReviewFact) => ({
    id,
    at,
    author: 'a@example.com',
    fact,
    undoes: null,
    digest: null,
    detail: null,
  });
  const payment = {
    kind: 'payment',
    payment: 'reimbursed',
    amount: 300_000,
    day: '2026-10-01',
    account: '',
  } as const;
  const reviews = [1, 5].map((id) => foldReview(id, [event('paid', payment)]));
  store.write.applyReviews({
    rows: reviews.map((review) =>
      toReviewRow(review, { today: '2026-11-20', paidValues: null, blankChange: null }),
    ),
    mark: null,
    isFirst: false,
  });
  updateStore(store, '2026-11-20');
  expect(store.read.readReimbursed(null)).toEqual([
    { employerId: 3, planYear: '2026', claims: 2, ...undecided(2, 425_000), reimbursed: counted(1, 300_000) },
    { employerId: null, planYear: '2026', claims: 1, ...undecided(1, 990_000), reimbursed: counted(0, 0) },
    { employerId: 3, planYear: '2025', claims: 1, ...undecided(1, 200_000), reimbursed: counted(0, 0) },
    { employerId: 4, planYear: '2025', claims: 1, ...undecided(1, 200_000), reimbursed: counted(1, 300_000) },
    { employerId: 4, planYear: null, claims: 1, ...undecided(1, 50_000), reimbursed: counted(0, 0) },
    { employerId: null, planYear: null, claims: 1, ...undecided(1, 60_000), reimbursed: counted(0, 0) },
  ]);
  // The claims that a row opens, as the window asks for them; claim 3 is of two employers.
  const rows = store.read.readReimbursed(null);
  const listed = rows.map(
    ({ employerId, planYear }) =>
      store.list({ entity: 'claims', conditions: inPlanYear(employerId, planYear) }).length,
  );
  expect(listed).toEqual(rows.map(({ claims }) => claims));
  expect(rows.reduce((sum, { claims }) => sum + claims, 0)).toBe(store.list({ entity: 'claims' }).length + 1);
});
