import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeBars } from '../../../../src/renderer/features/insights/describe-bars.ts';
import {
  barLengths,
  hasDoubleCounts,
  measureOf,
  rankingInput,
  rankingPlans,
  sumOfGroups,
} from '../../../../src/renderer/features/insights/insight-plan.ts';
import { monthRows, monthsShown } from '../../../../src/renderer/features/insights/month-figure.tsx';
import type { Condition, Group } from '../../../../src/rules/query.ts';

const group = (count: number, paid: number | string | null): Group => ({
  value: String(count),
  label: null,
  totals: { count, billed: null, allowed: null, paid, patientResponsibility: null },
  conditions: [],
});

test('a figure is exact, and a missing one is not zero', () => {
  expect(measureOf(group(3, '90071992547409930001').totals, 'paid')).toBe(90_071_992_547_409_930_001n);
  expect(measureOf(group(3, null).totals, 'paid')).toBeNull();
  expect(measureOf(group(3, null).totals, 'count')).toBe(3n);
});

test('sums leave out blanks; blanks alone have no sum', () => {
  expect(sumOfGroups([group(1, 5), group(2, null), group(3, -7)], 'paid')).toBe(-2n);
  expect(sumOfGroups([group(1, null)], 'paid')).toBeNull();
});

test('the longest bar is full, a small one is visible, nothing has none', () => {
  expect(barLengths([1000n, 500n, 1n, 0n, null, -250n])).toEqual([100, 50, 1, 0, 0, 25]);
  expect(barLengths([0n, null])).toEqual([0, 0]);
});

test('bars are never longer than the chart, and keep the order of the figures', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), { nil: null })),
      (figures) => {
        const lengths = barLengths(figures);
        const size = (figure: bigint | null) => (figure === null ? 0n : figure < 0n ? -figure : figure);
        for (const [at, length] of lengths.entries()) {
          expect(length).toBeGreaterThanOrEqual(0);
          expect(length).toBeLessThanOrEqual(100);
          expect(length === 0).toBe(size(figures[at] ?? null) === 0n);
          for (const [other, otherLength] of lengths.entries()) {
            if (size(figures[at] ?? null) > size(figures[other] ?? null)) {
              expect(length).toBeGreaterThanOrEqual(otherLength);
            }
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

const conditions: Condition[] = [{ field: 'members.employer.id', operator: 'is', values: [2] }];

test('a ranking requests its largest groups within the filters of the page; remarks of rejected claims by their number', () => {
  const [remarks, providers] = rankingPlans;
  if (remarks === undefined || providers === undefined) throw new Error('There are no plans.');
  expect(rankingInput('w', providers, 'billed', conditions)).toEqual({
    workspaceId: 'w',
    query: { entity: 'claims', conditions },
    by: 'service_provider',
    order: 'billed',
    direction: 'desc',
    limit: 8,
  });
  expect(rankingInput('w', remarks, 'billed', conditions)).toMatchObject({
    query: { conditions: [...conditions, { field: 'status', operator: 'is', values: ['Rejected'] }] },
    by: 'remarks',
    order: 'count',
  });
});

test('twelve months of a year, or the twelve that end today, each with that of the previous year', () => {
  expect(monthsShown(2024, '2026-11-20')).toMatchObject({ 0: '2024-01', 11: '2024-12', length: 12 });
  const months = monthsShown(null, '2026-02-28');
  expect([months[0], months[10], months[11]]).toEqual(['2025-03', '2026-01', '2026-02']);
  const named = (value: string | null): Group => ({ ...group(1, 5), value });
  const rows = monthRows(['2026-02', '2025-02', '2019-07', null].map(named), months);
  expect(rows).toHaveLength(12);
  expect(rows.at(-1)).toMatchObject({
    label: 'Feb 2026',
    now: { value: '2026-02' },
    before: { value: '2025-02' },
  });
  expect(rows.slice(0, 11).every(({ now, before }) => now === null && before === null)).toBe(true);
});

test('a chart is described in words, exactly', () => {
  const bar = (name: string, text: string) => ({ name, height: 1, text, onOpen: null });
  expect(
    describeBars('Billed by month', [
      { label: 'Jan', bars: [bar('2025', '$1.00'), bar('2026', 'No claims')] },
      { label: 'Feb', bars: [bar('Claims', '7')] },
    ]),
  ).toBe('Billed by month: Jan 2025 $1.00, 2026 No claims; Feb 7.');
});

test('claims count twice where groups add up to more than there are', () => {
  expect(hasDoubleCounts([group(3, 1), group(2, 1)], 5)).toBe(false);
  expect(hasDoubleCounts([group(3, 1), group(3, 1)], 5)).toBe(true);
});
