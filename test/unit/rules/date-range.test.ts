import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type DaySpan,
  daysOf,
  matchesDays,
  monthOf,
  type rangeOperators,
  readDays,
  writeDays,
} from '../../../src/rules/date-range.ts';
import { dateRangeCases } from '../../support/date-range-cases.ts';

test.each(dateRangeCases)('$what: $range', ({ range, days }) => {
  expect(daysOf(range)).toEqual(days);
});

test.each([null, 7, true, ['2025-08-13'], {}])('a start that is %j is not read', (start) => {
  expect(daysOf({ bounds: '[]', start, end: '2025-08-13' })).toEqual(
    start === null ? { first: null, last: '2025-08-13' } : null,
  );
});

const dayCount = 24;
const epoch = Date.parse('2024-02-20T00:00:00Z');
const dayAt = (index: number): string => new Date(epoch + index * 86_400_000).toISOString().slice(0, 10);
const spelled = fc.constantFrom('', 'T00:00:00', 'T00:00:00Z', 'T00:00:00.000000+00:00');
const ends = fc.option(fc.nat(dayCount - 1), { nil: null });

/** The days of a range as PostgreSQL's `range @> day` tells them, asked day by day over more days than it spans. */
function askDayByDay(bounds: string, start: number | null, end: number | null): number[] {
  const held: number[] = [];
  for (let day = -3; day < dayCount + 3; day += 1) {
    const isAfterStart = start === null || (bounds.startsWith('[') ? start <= day : start < day);
    const isBeforeEnd = end === null || (bounds.endsWith(']') ? day <= end : day < end);
    if (isAfterStart && isBeforeEnd) held.push(day);
  }
  return held;
}

test('with all bounds and ends, a range has the days that PostgreSQL has in it', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.constantFrom('[]', '[)', '(]', '()'),
      ends,
      ends,
      spelled,
      spelled,
      (bounds, start, end, startTime, endTime) => {
        const days = daysOf({
          bounds,
          start: start === null ? null : dayAt(start) + startTime,
          end: end === null ? null : dayAt(end) + endTime,
        });
        const held = start === null && end === null ? [] : askDayByDay(bounds, start, end);
        seen.add(`${bounds} ${start === null} ${end === null} ${held.length > 0}`);
        if (held.length === 0) {
          expect(days).toBeNull();
          return;
        }
        expect(days).toEqual({
          first: start === null ? null : dayAt(held[0] as number),
          last: end === null ? null : dayAt(held.at(-1) as number),
        });
      },
    ),
    { numRuns: 2_000 },
  );
  // Four bounds: both ends, with and without a day; either open; none.
  expect(seen.size).toBe(20);
});

const span: fc.Arbitrary<DaySpan | null> = fc.tuple(ends, ends).map(([start, end]) =>
  daysOf({
    bounds: '[]',
    start: start === null ? null : dayAt(start),
    end: end === null ? null : dayAt(end),
  }),
);

test('what is written is read back, and sorts by first day, then last day', () => {
  const low = '0000';
  fc.assert(
    fc.property(span, span, (one, other) => {
      if (one === null || other === null) return;
      expect(readDays(writeDays(one))).toEqual(one);
      const key = ({ first, last }: DaySpan): string => `${first ?? low} ${last ?? low}`;
      expect(writeDays(one) < writeDays(other)).toBe(key(one) < key(other));
    }),
  );
  for (const text of ['', '/', '../..', '2025-08-13', '2025-08-13/soon', '2025-08-13/2025-08-19 ']) {
    expect(readDays(text)).toBeNull();
  }
});

test('a filter compares the days of a range, one by one', () => {
  fc.assert(
    fc.property(span, fc.nat(dayCount - 1), fc.nat(dayCount - 1), (days, one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const held = Array.from({ length: dayCount + 20 }, (_none, index) => index - 10).filter((at) => {
        const day = dayAt(at);
        return days !== null && (days.first ?? day) <= day && day <= (days.last ?? day);
      });
      const isOpen = { start: days?.first === null, end: days?.last === null };
      const matches = (operator: (typeof rangeOperators)[number]) =>
        matchesDays(days, operator, dayAt(from), dayAt(to));
      expect(matches('between')).toBe(held.some((at) => at >= from && at <= to));
      expect(matchesDays(days, 'is', dayAt(from), dayAt(from))).toBe(held.includes(from));
      expect(matchesDays(days, 'isNot', dayAt(from), dayAt(from))).toBe(!held.includes(from));
      expect(matches('isEmpty')).toBe(held.length === 0);
      expect(matches('isNotEmpty')).toBe(held.length > 0);
      const isAll = (holds: (at: number) => boolean, openSide: boolean) =>
        held.length > 0 && !openSide && held.every(holds);
      expect(matches('lessThan')).toBe(isAll((at) => at < from, isOpen.end));
      expect(matches('atMost')).toBe(isAll((at) => at <= from, isOpen.end));
      expect(matches('atLeast')).toBe(isAll((at) => at >= from, isOpen.start));
      expect(matches('moreThan')).toBe(isAll((at) => at > from, isOpen.start));
    }),
    { numRuns: 500 },
  );
});

test('the month is that of the first day', () => {
  for (const { days } of dateRangeCases) {
    if (days !== null) expect(monthOf(days)).toBe(days.first === null ? null : days.first.slice(0, 7));
  }
});
