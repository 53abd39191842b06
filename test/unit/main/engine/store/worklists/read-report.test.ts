import { expect, test } from 'vitest';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { settleStore, writeReviews } from '../../../../../support/settle-store.ts';

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

test('done by day and outcome with what a sync changed since; reimbursed and eligible by employer and plan year', () => {
  const store = openTestStore();
  store.ingest('claims', [
    claimOf(1, [3], 2026, 30),
    claimOf(2, [3], 2026, 12.5),
    claimOf(3, [3, 4], 2025, 20),
    claimOf(4, [], 2026, 99),
  ]);
  const at = new Date(2026, 9, 1, 12).toISOString();
  const done = { state: 'done', outcome: 'eligible', reviewedAt: at } as const;
  writeReviews(
    store,
    { claimId: 1, ...done, reimbursed: 300_000 },
    { claimId: 2, ...done, changedAt: at },
    { claimId: 3, ...done, outcome: 'noAction' },
    { claimId: 4, state: 'waiting', reviewedAt: at },
  );
  settleStore(store, '2026-11-20');
  expect(store.read.readReport(null)).toEqual({
    done: [
      { day: '2026-10-01', outcome: 'eligible', claims: 2, reopened: 1 },
      { day: '2026-10-01', outcome: 'noAction', claims: 1, reopened: 0 },
    ],
    reimbursed: [
      { employerId: 3, planYear: '2026', claims: 2, eligible: 425_000, reimbursed: 300_000 },
      { employerId: 3, planYear: '2025', claims: 1, eligible: 200_000, reimbursed: 0 },
      { employerId: 4, planYear: '2025', claims: 1, eligible: 200_000, reimbursed: 0 },
    ],
  });
});
