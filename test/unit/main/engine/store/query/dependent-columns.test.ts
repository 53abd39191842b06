import { expect, test } from 'vitest';
import { createListOperations } from '../../../../../../src/main/engine/store/query/list-operations.ts';
import type { Condition, Operator } from '../../../../../../src/rules/query.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

const members = [
  {
    id: 1,
    first_name: 'Margaret',
    last_name: 'Edwards',
    full_name_derived: 'Margaret Edwards',
    dependents: [
      { id: 11, first_name: 'Robert', relationship: 'spouse' },
      { id: 12, first_name: 'Ana', relationship: 'child' },
    ],
  },
  { id: 2, first_name: 'Aaron', last_name: 'Young', dependents: [{ id: 21, relationship: 'child' }] },
  { id: 3, dependents: [{ id: 31, relationship: { code: 'child' } }, { id: 32 }] },
];

function givenDependents() {
  const store = openTestStore();
  store.ingest('members', members);
  const options = { maxBytes: 1 << 28, fewRows: -1 };
  const inMemory = createListOperations(store.readerConnection, options);
  const idsOf = (keys: ArrayLike<number>) =>
    store.read
      .readRows({ entity: 'dependents', keys: Array.from(keys), fields: ['id'] })
      .map((row) => row?.id);
  return { ...store, inMemory, idsOf };
}

test('dependents show their member by name and the relationship that the service sent', () => {
  const { read, list } = givenDependents();
  const keys = list({ entity: 'dependents', sort: [{ field: 'id', direction: 'asc' }] });
  const rows = read.readRows({ entity: 'dependents', keys, fields: ['id', 'member.name', 'relationship'] });
  expect(rows.map((row) => Object.values(row ?? {}))).toEqual([
    expect.arrayContaining([11, 'Margaret Edwards', 'spouse']),
    expect.arrayContaining([12, 'Margaret Edwards', 'child']),
    expect.arrayContaining([21, 'Aaron Young', 'child']),
    expect.arrayContaining([31, null]),
    expect.arrayContaining([32, null]),
  ]);
  // A value that is no text is part of the record, not of the column.
  expect(rows.map((row) => row?.relationship)).toEqual(['spouse', 'child', 'child', null, null]);
});

test('they sort, filter and group by both, by SQLite and in memory', () => {
  const { list, lists, inMemory, idsOf } = givenDependents();
  const sort = [
    { field: 'member.name', direction: 'asc' as const },
    { field: 'id', direction: 'asc' as const },
  ];
  expect(idsOf(list({ entity: 'dependents', sort }))).toEqual([21, 11, 12, 31, 32]);
  expect(idsOf(inMemory.makeList({ entity: 'dependents', sort }).keys)).toEqual([21, 11, 12, 31, 32]);
  const cases: [string, Operator, Condition['values'], number[]][] = [
    ['member.name', 'contains', ['edw'], [11, 12]],
    ['relationship', 'is', ['child'], [12, 21]],
    ['relationship', 'isEmpty', [], [31, 32]],
  ];
  for (const [field, operator, values, ids] of cases) {
    const query = {
      entity: 'dependents' as const,
      conditions: [{ field, operator, values }],
      sort: [{ field: 'id', direction: 'asc' as const }],
    };
    expect(idsOf(list(query))).toEqual(ids);
    expect(idsOf(inMemory.makeList(query).keys)).toEqual(ids);
  }
  const options = { order: 'value' as const, isDescending: false, offset: 0, limit: 10 };
  for (const operations of [lists, inMemory]) {
    const { groups } = operations.groupList({
      query: { entity: 'dependents' },
      by: 'relationship',
      options,
    });
    expect(groups.map(({ value, totals }) => [value, totals.count])).toEqual([
      ['child', 2],
      ['spouse', 1],
      [null, 2],
    ]);
  }
});
