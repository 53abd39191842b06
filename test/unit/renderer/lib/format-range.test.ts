import { expect, test } from 'vitest';
import type { DateRange } from '../../../../src/contract/records.ts';
import { formatDaysCell, formatRange } from '../../../../src/renderer/lib/format-range.ts';
import { writeDays } from '../../../../src/rules/date-range.ts';
import { dateRangeCases } from '../../../support/date-range-cases.ts';

test.each(dateRangeCases)('$what: $range is $cell in a list', ({ days, cell }) => {
  expect(formatDaysCell(days === null ? null : writeDays(days))).toBe(cell);
});

test.each(dateRangeCases)('$what: $range on the page of its claim', ({ range, cell, page }) => {
  expect(formatRange(range as DateRange)).toBe(page ?? cell);
});

test('nothing is a dash', () => {
  expect([formatRange(null), formatRange(undefined), formatDaysCell(null), formatDaysCell(7)]).toEqual([
    '–',
    '–',
    '–',
    '–',
  ]);
});

test('a range over two years says both', () => {
  expect(formatRange({ bounds: '[]', start: '2024-12-30', end: '2025-01-02' })).toBe(
    '12/30/2024 – 01/02/2025',
  );
});
