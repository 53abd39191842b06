import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { presetColumns } from '../../../../../../src/contract/export-columns.ts';
import { createListOperations } from '../../../../../../src/main/engine/store/query/list-operations.ts';
import { createRowReader, readRows } from '../../../../../../src/main/engine/store/query/read-rows.ts';
import { isLeftOut } from '../../../../../../src/main/engine/store/sync/retention.ts';
import { rangeOperators, writeDays } from '../../../../../../src/rules/date-range.ts';
import type { Condition, ListQuery } from '../../../../../../src/rules/query.ts';
import { type DateRangeCase, dateRangeCases, listDays } from '../../../../../support/date-range-cases.ts';

import { openTestStore } from '../../../../../support/engine-store.ts';
import { modelList } from '../../../../../support/list-model.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const asked = [
  '2024-02-29',
  '2025-07-31',
  '2025-08-13',
  '2025-08-19',
  '2025-08-20',
  '2025-09-15',
  '2025-11-15',
];
/** Every claim has the amount that is its number, so that sums tell which of them are in. */
const idOf = (index: number): number => index + 1;
const idsOf = (holds: (one: DateRangeCase) => boolean): number[] =>
  dateRangeCases.flatMap((one, index) => (holds(one) ? [idOf(index)] : []));

/** The cases as claims, and as the lines of one more claim, whose keys are in the same order. */
function givenCases() {
  const store = openTestStore();
  const claims = dateRangeCases.map(({ range }, index) => ({
    id: idOf(index),
    date_of_service: range,
    amount_billed: idOf(index),
  }));
  store.ingest('claims', claims);
  store.ingest('claims', [{ id: 900, status: 'of lines', claim_medical_lines: claims }]);
  /** Groups from whole columns, and from the rows themselves. */
  const sides = [-1, 1000].map((fewRows) =>
    createListOperations(store.readerConnection, { maxBytes: 1 << 28, fewRows }),
  );
  const withoutLast: Condition = { field: 'id', operator: 'lessThan', values: [900] };
  /** Ids of a list: of claims and of lines, which must agree. */
  const list = (query: Omit<ListQuery, 'entity'>): number[] => {
    const found = (['claims', 'lines'] as const).flatMap((entity) =>
      sides.map((side) => {
        const conditions = [...(query.conditions ?? []), ...(entity === 'claims' ? [withoutLast] : [])];
        const { keys } = side.makeList({ ...query, entity, conditions });
        return readRows(store.readerConnection, entity, [...keys], ['id']).map(({ id }) => Number(id));
      }),
    );
    for (const other of found) expect(other).toEqual(found[0]);
    return found[0] ?? [];
  };
  const where = (field: string, operator: Condition['operator'], ...values: string[]): number[] =>
    list({ conditions: [{ field, operator, values }] });
  return { store, sides, list, where, withoutLast };
}

test('a row has the first and the last day, and what was sent', () => {
  const { store } = givenCases();
  const fields = ['', '.first_day', '.last_day', '.start', '.end', '.bounds'].map(
    (part) => `date_of_service${part}`,
  );
  for (const entity of ['claims', 'lines'] as const) {
    const rows = readRows(
      store.readerConnection,
      entity,
      dateRangeCases.map((_one, index) => idOf(index)),
      fields,
    );
    for (const [index, { range, days }] of dateRangeCases.entries()) {
      expect(rows[index]).toMatchObject({
        date_of_service: days === null ? null : writeDays(days),
        'date_of_service.first_day': days?.first ?? null,
        'date_of_service.last_day': days?.last ?? null,
        'date_of_service.start': range.start ?? null,
        'date_of_service.end': range.end ?? null,
        'date_of_service.bounds': range.bounds ?? null,
      });
    }
  }
});

test('a file has the first and the last day, and start, end and bounds only on request', () => {
  const { store } = givenCases();
  for (const entity of ['claims', 'lines'] as const) {
    const columns = presetColumns({ kind: 'list', query: { entity } }, 'standard').filter((path) =>
      path.startsWith('date_of_service'),
    );
    expect(columns).toEqual(['date_of_service.first_day', 'date_of_service.last_day']);
    const read = createRowReader(store.readerConnection, entity, columns);
    for (const [index, { days }] of dateRangeCases.entries()) {
      const cells = read(idOf(index), { isSsnShown: false }) ?? [];
      expect(cells).toEqual([days?.first ?? null, days?.last ?? null]);
    }
  }
});

describe('sorting', () => {
  /** An open start before every day, an open end before every last day, none at the end. */
  const sorted = (direction: 1 | -1): number[] =>
    dateRangeCases
      .map(({ days }, index) => ({ days, id: idOf(index) }))
      .toSorted((one, other) => {
        if (one.days === null || other.days === null) {
          const order = Number(one.days === null) - Number(other.days === null);
          return order === 0 ? (one.id - other.id) * direction : order;
        }
        for (const part of ['first', 'last'] as const) {
          const [left, right] = [one.days[part] ?? '', other.days[part] ?? ''];
          if (left !== right) return left < right ? -direction : direction;
        }
        return (one.id - other.id) * direction;
      })
      .map(({ id }) => id);

  test.each(['asc', 'desc'] as const)('%s is by first day, then last day', (direction) => {
    const { list } = givenCases();
    expect(list({ sort: [{ field: 'date_of_service', direction }] })).toEqual(
      sorted(direction === 'asc' ? 1 : -1),
    );
  });

  test('by the first or the last day alone puts rows without it last', () => {
    const { list } = givenCases();
    for (const part of ['first', 'last'] as const) {
      const days = list({ sort: [{ field: `date_of_service.${part}_day`, direction: 'asc' }] }).map(
        (id) => dateRangeCases[id - 1]?.days?.[part] ?? null,
      );
      const there = days.filter((day) => day !== null);
      expect(days.slice(0, there.length)).toEqual(there.toSorted());
      expect(days.slice(there.length).every((day) => day === null)).toBe(true);
    }
  });
});

describe('filtering', () => {
  test('on a day, and not on it', () => {
    const { where } = givenCases();
    for (const day of asked) {
      const holds = (one: DateRangeCase): boolean => listDays(one, day, day).size > 0;
      expect(where('date_of_service', 'is', day), day).toEqual(idsOf(holds));
      expect(where('date_of_service', 'isNot', day), day).toEqual(idsOf((one) => !holds(one)));
    }
  });

  test('between two days finds what has a day in common with them', () => {
    const { where } = givenCases();
    for (const [index, from] of asked.entries()) {
      for (const to of asked.slice(index)) {
        expect(where('date_of_service', 'between', from, to), `${from} to ${to}`).toEqual(
          idsOf((one) => listDays(one, from, to).size > 0),
        );
      }
    }
  });

  test('before and after compare the last and the first day', () => {
    const { where } = givenCases();
    const first = (one: DateRangeCase): string => one.days?.first ?? '0000-00-00';
    const last = (one: DateRangeCase): string => (one.days === null ? '~' : (one.days.last ?? '~'));
    for (const day of asked) {
      expect(where('date_of_service', 'lessThan', day)).toEqual(idsOf((one) => last(one) < day));
      expect(where('date_of_service', 'atMost', day)).toEqual(idsOf((one) => last(one) <= day));
      expect(where('date_of_service', 'moreThan', day)).toEqual(idsOf((one) => first(one) > day));
      expect(where('date_of_service', 'atLeast', day)).toEqual(idsOf((one) => first(one) >= day));
      for (const part of ['first', 'last'] as const) {
        expect(where(`date_of_service.${part}_day`, 'is', day)).toEqual(
          idsOf(({ days }) => days?.[part] === day),
        );
      }
    }
  });

  test('blank finds ranges without a day', () => {
    const { where } = givenCases();
    expect(where('date_of_service', 'isEmpty')).toEqual(idsOf(({ days }) => days === null));
    expect(where('date_of_service', 'isNotEmpty')).toEqual(idsOf(({ days }) => days !== null));
  });
});

test('by month, each claim counts and sums in the month of its first day, and a group opens into its rows', () => {
  const { sides, list, withoutLast } = givenCases();
  const expected = new Map<string | null, number[]>();
  for (const [index, { days }] of dateRangeCases.entries()) {
    const month = days?.first?.slice(0, 7) ?? null;
    expected.set(month, [...(expected.get(month) ?? []), idOf(index)]);
  }
  for (const entity of ['claims', 'lines'] as const) {
    for (const side of sides) {
      const { groups } = side.groupList({
        query: { entity, conditions: entity === 'claims' ? [withoutLast] : [] },
        by: 'date_of_service.month',
        options: { order: 'value', isDescending: false, offset: 0, limit: 100 },
      });
      expect(groups.map(({ value }) => value)).toEqual([
        ...[...expected.keys()].filter((month) => month !== null).toSorted(),
        null,
      ]);
      for (const { value, totals, conditions } of groups) {
        const ids = expected.get(value as string | null) ?? [];
        const billed = ids.reduce((sum, id) => sum + id * 10_000, 0);
        expect(totals, String(value)).toMatchObject({ count: ids.length, billed });
        expect(list({ conditions })).toEqual(ids);
      }
    }
  }
});

test('a rule for old claims compares the last day, or the first if the end is open', () => {
  for (const { range, days } of dateRangeCases) {
    const claim = { id: 1, date_of_service: JSON.parse(JSON.stringify(range)) };
    for (const date of asked) {
      const day = days?.last ?? days?.first ?? null;
      expect(isLeftOut({ claimsBefore: date, memberIds: [] }, 'claims', claim)).toBe(
        day !== null && day < date,
      );
    }
  }
});

test('ranges with all bounds are found, sorted and grouped equally in memory and by SQLite', () => {
  const day = fc.integer({ min: 10, max: 28 }).map((number) => `2025-08-${number}`);
  const end = fc.oneof(day, fc.constantFrom(null, '', 'soon', '2025-08-20T00:00:00Z', '2025-08-20T10:00:00'));
  const range = fc.record({
    bounds: fc.constantFrom('[)', '[]', '(]', '()', null, '}{'),
    start: end,
    end,
  });
  fc.assert(
    fc.property(
      fc.array(range, { minLength: 1, maxLength: 30 }),
      fc.constantFrom(...rangeOperators),
      fc.constantFrom('asc' as const, 'desc' as const),
      fc.constantFrom('first' as const, 'last' as const),
      day,
      day,
      (ranges, operator, direction, nulls, one, other) => {
        const store = openTestStore();
        store.ingest(
          'claims',
          ranges.map((date_of_service, index) => ({ id: index + 1, date_of_service })),
        );
        const count = { between: 2, isEmpty: 0, isNotEmpty: 0 }[operator as string] ?? 1;
        const query: ListQuery = {
          entity: 'claims',
          conditions: [
            { field: 'date_of_service', operator, values: [one, other].toSorted().slice(0, count) },
          ],
          sort: [{ field: 'date_of_service', direction, nulls }],
        };
        expect(store.list(query)).toEqual(modelList(store.readerConnection, query).keys);
      },
    ),
    { numRuns: fuzzRuns(40) },
  );
});

test('an invalid date of service is not found by day, and keeps its text', () => {
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
