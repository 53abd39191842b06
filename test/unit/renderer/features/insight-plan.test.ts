import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Group } from '../../../../src/contract/query.ts';
import {
  barLengths,
  groupInput,
  insightPlans,
  measureOf,
  sumOfGroups,
} from '../../../../src/renderer/features/insights/insight-plan.ts';

const group = (count: number, paid: number | string | null): Group => ({
  value: String(count),
  label: null,
  totals: { count, billed: null, allowed: null, paid, patientResponsibility: null },
  conditions: [],
});

test('a figure is exact, and none is not nothing', () => {
  expect(measureOf(group(3, '90071992547409930001').totals, 'paid')).toBe(90_071_992_547_409_930_001n);
  expect(measureOf(group(3, null).totals, 'paid')).toBeNull();
  expect(measureOf(group(3, null).totals, 'count')).toBe(3n);
});

test('sums leave out what is not given; of nothing given there is none', () => {
  expect(sumOfGroups([group(1, 5), group(2, null), group(3, -7)], 'paid')).toBe(-2n);
  expect(sumOfGroups([group(1, null)], 'paid')).toBeNull();
});

test('the longest bar is whole, a small one can be seen, nothing has none', () => {
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

test('a chart asks for its groups with the filters of the screen, largest or newest first', () => {
  const conditions = [{ field: 'members.employer.id', operator: 'is' as const, values: [2] }];
  const [byMonth, topProviders] = insightPlans;
  if (byMonth === undefined || topProviders === undefined) throw new Error('There are no plans.');
  expect(groupInput('w', byMonth, 'paid', [])).toMatchObject({
    order: 'value',
    direction: 'desc',
    limit: 24,
  });
  expect(groupInput('w', topProviders, 'billed', conditions)).toMatchObject({
    query: { entity: 'claims', conditions },
    by: 'service_provider',
    order: 'billed',
  });
});
