import { expect, test } from 'vitest';
import { ageRanges, formatShare, sumByDay } from '../../../../src/renderer/features/reports/report-rows.ts';

test('ages follow each other without a gap: every day is in exactly one', () => {
  const ranges = ageRanges('2026-11-20');
  expect(
    ranges.map(({ label, conditions }) => [label, conditions[0]?.operator, conditions[0]?.values]),
  ).toEqual([
    ['0–30 days', 'atLeast', ['2026-10-21']],
    ['31–60 days', 'between', ['2026-09-21', '2026-10-20']],
    ['61–90 days', 'between', ['2026-08-22', '2026-09-20']],
    ['Over 90 days', 'atMost', ['2026-08-21']],
    ['No dates', 'isEmpty', []],
  ]);
});

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
