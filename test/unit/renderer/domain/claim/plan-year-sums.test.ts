import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planYearOf, sumByPlanYear } from '../../../../../src/renderer/domain/claim/plan-year-sums.ts';
import type { Group } from '../../../../../src/rules/query.ts';

const group = (value: string | null, billed: number | string | null, count = 1): Group => ({
  value,
  label: null,
  totals: { count, billed, allowed: null, paid: billed, patientResponsibility: null },
  conditions: [],
});

test.each([
  ['2025-03', 1, 2025],
  ['2025-03', 7, 2024],
  ['2025-07', 7, 2025],
  ['2025-12', 12, 2025],
  ['2025-13', 1, null],
  ['soon', 1, null],
])('%s belongs to the plan year that begins in month %i: %s', (month, start, year) => {
  expect(planYearOf(month, start)).toBe(year);
});

test('months are added up exactly, newest year first, and open into their claims', () => {
  const years = sumByPlanYear(
    [group('2024-12', 5), group('2025-01', 10, 2), group('2025-12', '9007199254740993')],
    1,
  );
  expect(years.map(({ label, totals }) => [label, totals.count, totals.billed, totals.allowed])).toEqual([
    ['2025', 3, '9007199254741003', null],
    ['2024', 1, 5, null],
  ]);
  expect(years[0]?.conditions).toEqual([
    { field: 'date_of_service.month', operator: 'isOneOf', values: ['2025-01', '2025-12'] },
  ]);
});

test('a plan year that begins in July says so', () => {
  expect(sumByPlanYear([group('2025-06', 1), group('2025-07', 1)], 7).map(({ label }) => label)).toEqual([
    'Jul 2025 – Jun 2026',
    'Jul 2024 – Jun 2025',
  ]);
});

test('claims without a date, and without a readable one, are separate at the end', () => {
  const years = sumByPlanYear([group(null, 1), group('soon', 2), group('2025-01', 3), group('later', 4)], 1);
  expect(years.map(({ label, conditions }) => [label, conditions[0]?.operator])).toEqual([
    ['2025', 'isOneOf'],
    ['No readable date', 'isOneOf'],
    ['No date of service', 'isEmpty'],
  ]);
});

test('no claim is lost or counted twice, whatever the months and the first month', () => {
  const months = fc.option(
    fc.oneof(
      fc
        .tuple(fc.integer({ min: 2019, max: 2026 }), fc.integer({ min: 1, max: 12 }))
        .map(([year, month]) => `${year}-${String(month).padStart(2, '0')}`),
      fc.constantFrom('odd', '20'),
    ),
    { nil: null },
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(months, { maxLength: 30 }),
      fc.integer({ min: 1, max: 12 }),
      (values, start) => {
        const groups = values.map((value, index) => group(value, index, index + 1));
        const years = sumByPlanYear(groups, start);
        const counted = years.reduce((count, { totals }) => count + totals.count, 0);
        expect(counted).toBe(groups.reduce((count, { totals }) => count + totals.count, 0));
        expect(years.every(({ conditions }) => conditions.length === 1)).toBe(true);
      },
    ),
  );
});
