import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../../../support/engine-records.ts';
import { openTestStore } from '../../../../support/engine-store.ts';

const firstDay = Date.parse('2025-01-01T00:00:00Z');
const dayCount = 40;
const dayText = (day: number): string => new Date(firstDay + day * 86_400_000).toISOString().slice(0, 10);

interface Range {
  readonly bounds: string | null;
  readonly start: number | null;
  readonly end: number | null;
  readonly isTimed: boolean;
}

/** Every day of a range that this test knows, one by one. */
function daysOf({ bounds, start, end }: Range): Set<number> {
  const days = new Set<number>();
  if (start === null && end === null) return days;
  for (let day = -5; day < dayCount + 5; day += 1) {
    const isAfterStart = start === null || (bounds?.startsWith('(') ? day > start : day >= start);
    const isBeforeEnd = end === null || (bounds?.endsWith(')') ? day < end : day <= end);
    if (isAfterStart && isBeforeEnd) days.add(day);
  }
  return days;
}

const day = fc.integer({ min: 0, max: dayCount - 1 });
const range: fc.Arbitrary<Range> = fc
  .record({
    bounds: fc.constantFrom('[)', '[]', '(]', '()', null),
    start: fc.option(day, { nil: null }),
    end: fc.option(day, { nil: null }),
    isTimed: fc.boolean(),
  })
  // A range without a day is none: PostgreSQL writes it as empty.
  .filter((one) => (one.start === null && one.end === null) || daysOf(one).size > 0);

function toJson({ bounds, start, end, isTimed }: Range) {
  const text = (at: number | null): string | null =>
    at === null ? null : `${dayText(at)}${isTimed ? 'T00:00:00Z' : ''}`;
  return { bounds, start: text(start), end: text(end) };
}

test('a claim is found exactly where its service has a day in common with the days asked for', () => {
  const store = openTestStore();
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 12 }), day, day, (ranges, one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const lines = ranges.map((each) => ({ date_of_service: toJson(each) }));
      store.ingest(
        'claims',
        ranges.map((each, index) => ({ id: index + 1, date_of_service: toJson(each) })),
      );
      store.ingest('claims', [{ id: 1000, claim_medical_lines: lines }]);
      const asked = new Set(Array.from({ length: to - from + 1 }, (_none, index) => from + index));
      const expected = (wanted: ReadonlySet<number>): number[] =>
        ranges.flatMap((each, index) => ([...daysOf(each)].some((at) => wanted.has(at)) ? [index + 1] : []));
      const among = { field: 'id', operator: 'atMost' as const, values: [ranges.length] };
      const find = (operator: 'is' | 'between', ...values: string[]): number[] =>
        store.list({ entity: 'claims', conditions: [among, { field: 'date_of_service', operator, values }] });
      expect(find('between', dayText(from), dayText(to))).toEqual(expected(asked));
      expect(find('is', dayText(from))).toEqual(expected(new Set([from])));
      const found = store.list({
        entity: 'lines',
        conditions: [{ field: 'date_of_service', operator: 'between', values: [dayText(from), dayText(to)] }],
      });
      expect(found).toHaveLength(expected(asked).length);
    }),
    { numRuns: fuzzRuns(150) },
  );
});

test('the single day of the notes is found on that day alone', () => {
  const store = openTestStore();
  store.ingest('claims', [
    { id: 1, date_of_service: { bounds: '[)', start: '2025-09-15', end: '2025-09-16' } },
  ]);
  const on = (value: string): number[] =>
    store.list({
      entity: 'claims',
      conditions: [{ field: 'date_of_service', operator: 'is', values: [value] }],
    });
  expect([on('2025-09-14'), on('2025-09-15'), on('2025-09-16')]).toEqual([[], [1], []]);
});

test('a date of service that is no range is not found by day, and keeps its text', () => {
  const store = openTestStore();
  store.ingest('claims', [
    { id: 1, date_of_service: '2025-09-15' },
    { id: 2, date_of_service: null },
    { id: 3 },
  ]);
  expect(
    store.list({
      entity: 'claims',
      conditions: [{ field: 'date_of_service', operator: 'between', values: ['0001-01-01', '9999-12-31'] }],
    }),
  ).toEqual([]);
  expect(store.texts('claims', [1])[0]).toContain('"date_of_service":"2025-09-15"');
});
