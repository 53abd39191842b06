import { expect, it } from 'vitest';
import type { FactRules } from '../../../../../../src/main/engine/store/worklists/claim-facts.ts';
import { defaultReimbursementRules } from '../../../../../../src/rules/money/reimbursement.ts';
import { reviewPeriodOf } from '../../../../../../src/rules/plans/review-period.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { updateStore, writeReviews } from '../../../../../support/update-store.ts';

const rules: FactRules = {
  service: 'w',
  settings: {
    planYearStart: 1,
    planYearStarts: { 'w#3': 7 },
    reimbursementRules: { w: { ...defaultReimbursementRules, runOutDays: 60, appealDays: 180 } },
    planRules: {},
  },
};

const claimOf = (id: number, day: string, more: Record<string, unknown> = {}) => ({
  id,
  status: 'Processed',
  patient_name: 'Ana Edwards',
  members: [{ id: 7, employer: { id: 2, name: 'Acme' } }],
  date_of_service: { bounds: '[]', start: day, end: day },
  processed_on: '2025-12-20',
  ...{ reduction: 10, copayment: 0, coinsurance_patient: 0, patient_responsibility: 10 },
  ...more,
});

/** The claims to be reviewed on a day, whose states follow from their settings without a review. */
function openOn() {
  const store = openTestStore();
  store.ingest('claims', [
    claimOf(1, '2026-01-05'),
    claimOf(2, '2025-11-05'),
    claimOf(3, '2025-11-05', { status: 'Rejected' }),
    claimOf(4, '2024-11-05', { status: 'Rejected' }),
    claimOf(5, '2025-08-05', { members: [{ id: 8, employer: { id: 3, name: 'Bo' } }] }),
    claimOf(6, '2025-11-05'),
  ]);
  writeReviews(store, { claimId: 6, state: 'done', outcome: 'eligible' });
  return (today: string, reviewsFrom: Record<string, string> = {}): number[] => {
    store.write.writeReviewPeriod(reviewPeriodOf({ planYearStart: 1, reviewsFrom }, 'here', today));
    updateStore(store, today, rules);
    return store.list({
      entity: 'claims',
      conditions: [{ field: 'review.state', operator: 'is', values: ['todo'] }],
      sort: [{ field: 'id', direction: 'asc' }],
    });
  };
}

it('keeps undecided claims of an earlier plan year while its run-out lasts, and denials while they can be appealed', () => {
  const todoOn = openOn();
  expect(todoOn('2025-12-31')).toEqual([1, 2, 3, 4, 5]);
  expect(todoOn('2026-01-01')).toEqual([1, 2, 3, 4, 5]);
  // The run-out of 2025 ends on March 1, 60 days after the year.
  expect(todoOn('2026-03-01')).toEqual([1, 2, 3, 4, 5]);
  expect(todoOn('2026-03-02')).toEqual([1, 3, 4, 5]);
  // 180 days after the denials were processed.
  expect(todoOn('2026-06-18')).toEqual([1, 3, 4, 5]);
  expect(todoOn('2026-06-19')).toEqual([1, 5]);
  // The plan year of the other employer ends in June, and its run-out on August 29.
  expect(todoOn('2026-08-29')).toEqual([1, 5]);
  expect(todoOn('2026-08-30')).toEqual([1]);
});

it('counts only from the first day if one was set by hand', () => {
  const todoOn = openOn();
  expect(todoOn('2026-01-01', { here: '2025-12-01' })).toEqual([1]);
  expect(todoOn('2026-01-01', { here: '2025-01-01' })).toEqual([1, 2, 3, 5]);
  expect(todoOn('2026-01-01')).toEqual([1, 2, 3, 4, 5]);
});
