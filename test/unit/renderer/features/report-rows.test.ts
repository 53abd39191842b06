import { expect, test } from 'vitest';
import { formatShare, sumByDay } from '../../../../src/renderer/features/reports/report-rows.ts';

test('days of finished work have every outcome, newest first, and their reopened share', () => {
  const [newest, older] = sumByDay([
    { day: '2026-11-18', outcome: 'eligible', claims: 2, reopened: 1 },
    { day: '2026-11-19', outcome: 'eligible', claims: 30, reopened: 1 },
    { day: '2026-11-19', outcome: 'noAction', claims: 10, reopened: 0 },
  ]);
  expect(newest).toMatchObject({ day: '2026-11-19', claims: 40, reopened: 1 });
  expect(newest?.byOutcome).toMatchObject({ eligible: 30, noAction: 10, disputed: 0 });
  expect(older).toMatchObject({ day: '2026-11-18', claims: 2 });
  expect([formatShare(1, 2), formatShare(1, 400), formatShare(0, 4), formatShare(0, 0)]).toEqual([
    '50%',
    'under 1%',
    '0%',
    '0%',
  ]);
});
