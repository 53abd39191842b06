import { expect, test, vi } from 'vitest';
import { readFirstKeys } from '../../../../../../src/main/engine/store/query/first-rows.ts';
import { columnOf } from '../../../../../../src/main/engine/store/query/list-tables.ts';
import { reviewsFromName } from '../../../../../../src/main/engine/store/record/claim-reviews.ts';
import { writeCarriers } from '../../../../../../src/main/engine/store/sync/connection-carriers.ts';
import type { Condition, ListQuery, Sort } from '../../../../../../src/rules/query.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

const claims = 9_000;

/** More claims than are walked along an index, so that every way of finding the first rows is gone. */
function givenClaims() {
  const store = openTestStore();
  store.ingest(
    'claims',
    Array.from({ length: claims }, (_none, id) => ({
      id,
      status: id % 3 === 0 ? 'Rejected' : 'Processed',
      network: id % 7 === 0 ? null : `N${id % 5}`,
      patient_name: id < 40 ? 'Garcia Ann' : `Person ${id % 977}`,
      amount_billed: id % 11 === 0 ? null : (id * 7919) % 5000,
      date_of_service: {
        bounds: '[]',
        start: id % 300 === 1 ? null : `2025-0${1 + (id % 9)}-10`,
        end: id % 4 === 0 ? '2025-12-31' : null,
      },
      members: [{ id: id % 50 }],
      policy_holder:
        id % 17 === 0 ? null : { id: 1 + (id % 60), last_name: id % 60 < 5 ? null : `Holder ${id % 7}` },
    })),
  );
  writeCarriers(
    store.database,
    Array.from({ length: 40 }, (_none, index) => ({
      policyHolderId: 1 + index,
      carrier: index === 39 ? 'Bluestem' : (['Lakeshore', 'Northern', 'Summit'][index % 3] as string),
    })),
  );
  return store;
}

const store = { current: null as ReturnType<typeof givenClaims> | null };

const sorts: (Sort[] | undefined)[] = [
  undefined,
  [{ field: 'date_of_service', direction: 'desc' }],
  [{ field: 'amount_billed', direction: 'asc' }],
  [{ field: 'amount_billed', direction: 'asc', nulls: 'first' }],
  [{ field: 'network', direction: 'desc' }],
  [{ field: 'date_of_service.first_day', direction: 'asc' }],
  [{ field: 'date_of_service.first_day', direction: 'desc' }],
  [{ field: 'date_of_service.last_day', direction: 'asc' }],
  [{ field: 'date_of_service.last_day', direction: 'desc' }],
  [
    { field: 'status', direction: 'asc' },
    { field: 'network', direction: 'desc' },
  ],
];
const filters: Omit<ListQuery, 'entity' | 'sort'>[] = [
  {},
  { conditions: [{ field: 'status', operator: 'is', values: ['Rejected'] }] },
  { conditions: [{ field: 'status', operator: 'is', values: ['nobody'] }] },
  { conditions: [{ field: 'members.id', operator: 'is', values: [7] }] },
  { conditions: [{ field: 'network', operator: 'is', values: ['N1'] }] },
  { conditions: [{ field: 'network', operator: 'is', values: ['none'] }] },
  {
    conditions: [
      { field: 'amount_billed', operator: 'between', values: [100, 300] },
      { field: 'network', operator: 'isNotEmpty', values: [] },
    ],
  },
  { conditions: [{ field: 'date_of_service', operator: 'between', values: ['2025-02-01', '2025-04-30'] }] },
  { search: 'garcia' },
  { search: 'per', conditions: [{ field: 'status', operator: 'isNot', values: ['Rejected'] }] },
  { search: 'nobody at all' },
  { search: 'g' },
  { search: 'P 1' },
  { search: 'person 9 r' },
  { search: 'é z' },
];

test('the whole list begins with the first rows', () => {
  store.current = givenClaims();
  const { database, readerConnection, list } = store.current;
  database.prepare("UPDATE claims SET gone_since='2026-01-01' WHERE id%13=4").run();
  for (const filter of filters) {
    for (const sort of sorts) {
      const query: ListQuery = { entity: 'claims', ...filter, ...(sort === undefined ? {} : { sort }) };
      expect(readFirstKeys(readerConnection, query, 50), JSON.stringify(query)).toEqual(
        list(query).slice(0, 50),
      );
    }
  }
});

test('the first rows by carrier or subscriber are those of the list', () => {
  const { readerConnection, list } = givenClaims();
  const onCarriers: Omit<ListQuery, 'entity' | 'sort'>[] = [
    { conditions: [{ field: 'carrier', operator: 'is', values: ['Bluestem'] }] },
    { conditions: [{ field: 'carrier', operator: 'isNot', values: ['Northern'] }] },
    { conditions: [{ field: 'carrier', operator: 'contains', values: ['ER'] }] },
    { conditions: [{ field: 'carrier', operator: 'isEmpty', values: [] }] },
    { conditions: [{ field: 'carrier', operator: 'isNotEmpty', values: [] }] },
    { conditions: [{ field: 'patient_name', operator: 'is', values: ['Garcia Ann'] }] },
    { includesMissing: true },
  ];
  const sorts = ['carrier', 'policy_holder.id', 'policy_holder.last_name'].flatMap((field): Sort[] => [
    { field, direction: 'asc' },
    { field, direction: 'desc' },
  ]);
  for (const filter of [...filters, ...onCarriers]) {
    for (const sort of sorts) {
      const query: ListQuery = { entity: 'claims', ...filter, sort: [sort] };
      const whole = list(query);
      for (const limit of [50, 5_000]) {
        expect(readFirstKeys(readerConnection, query, limit), JSON.stringify(query)).toEqual(
          whole.slice(0, limit),
        );
      }
    }
  }
});

/**
 * Every second claim has an amount among its facts, every third a year; many have another amount, but none in the
 * network N1; every tenth is reviewed.
 */
function givenFactsAndReviews() {
  const { database, ...rest } = givenClaims();
  database.exec(`
    INSERT INTO claim_facts (id, open, plan_year, line_difference)
      SELECT id, iif(id%2=0, (id*31)%700, NULL), iif(id%3=0, '202'||(id%4), NULL), iif(id%5<>1, id%100, NULL)
      FROM claims WHERE id%5<>0;
    INSERT INTO claim_reviews (claim_id, state, reviewed_at)
      SELECT id, CASE id%40 WHEN 0 THEN 'decided' WHEN 10 THEN 'waiting' WHEN 20 THEN 'todo' END, '2026-0'||(id%9)
      FROM claims WHERE id%10=0;
    INSERT OR REPLACE INTO sync_state (name, value) VALUES ('${reviewsFromName}', '2025-04-01');
    UPDATE claims SET gone_since='2026-01-01' WHERE id%13=4`);
  return { database, ...rest };
}

const fieldsBeside = ['facts.open', 'facts.plan_year', 'facts.line_difference', 'review.at', 'review.state'];

test('the first rows by a column in another table are read from there', () => {
  const { readerConnection, list } = givenFactsAndReviews();
  const prepare = vi.spyOn(readerConnection, 'prepare');
  for (const field of fieldsBeside) {
    const own: typeof filters = [
      { includesMissing: true },
      { conditions: [{ field, operator: 'isEmpty', values: [] }] },
      { conditions: [{ field, operator: 'isNotEmpty', values: [] }] },
    ];
    for (const filter of [...filters.filter(({ search }) => search === undefined), ...own]) {
      for (const direction of ['asc', 'desc'] as const) {
        const query: ListQuery = { entity: 'claims', ...filter, sort: [{ field, direction }] };
        const whole = list(query);
        prepare.mockClear();
        for (const limit of [50, 5_000]) {
          expect(readFirstKeys(readerConnection, query, limit), JSON.stringify(query)).toEqual(
            whole.slice(0, limit),
          );
        }
        if (filter.conditions !== undefined) continue;
        prepare.mockClear();
        readFirstKeys(readerConnection, query, 50);
        const sorting = prepare.mock.calls.filter(
          ([sql]) =>
            sql.includes(`ORDER BY ${columnOf('claims', field)}`) &&
            !/json_each|policy_holder_ref IN|IS NOT NULL|IN \(SELECT c\.id/.test(sql),
        );
        expect(sorting, field).toEqual([]);
      }
    }
  }
  prepare.mockRestore();
});

/** How the last statement that finds the first rows reads claims. */
function planOf(query: ListQuery): string[] {
  const { readerConnection } = givenClaims();
  const prepare = vi.spyOn(readerConnection, 'prepare');
  const found = readFirstKeys(readerConnection, query, 5_000);
  expect(found.length).toBeLessThan(5_000);
  const [last = ''] = prepare.mock.lastCall ?? [];
  prepare.mockRestore();
  const values = Array.from({ length: last.split('?').length - 1 }, () => 'none');
  const plan = readerConnection.prepare(`EXPLAIN QUERY PLAN ${last}`).all(values) as { detail: string }[];
  return plan.map(({ detail }) => detail);
}

test('a filter that few rows match reads the table once, and along an index only if it contains the column', () => {
  const conditions = (field: string, value: string): Condition[] => [
    { field, operator: 'is', values: [value] },
  ];
  const sort: Sort[] = [{ field: 'date_of_service', direction: 'desc' }];
  expect(planOf({ entity: 'claims', conditions: conditions('network', 'none'), sort })).toContain('SCAN c');
  const inMonths: Condition[] = [
    { field: 'date_of_service.first_day', operator: 'between', values: ['2025-01-01', '2025-05-31'] },
  ];
  expect(planOf({ entity: 'claims', conditions: inMonths, sort }).join()).toContain(
    'SCAN c USING INDEX claims_by_service_days',
  );
});

test('people and lines have first rows, too', () => {
  const people = openTestStore();
  people.ingest('members', [
    {
      id: 1,
      last_name: 'B',
      ssn: '123-45-6789',
      dependents: [
        { id: 5, first_name: 'Z' },
        { id: 6, first_name: 'A' },
      ],
    },
    { id: 2, last_name: 'A', archived: true },
    { id: 3, last_name: null, employer: { id: 7, name: 'Acme' } },
  ]);
  const first = (query: ListQuery) => readFirstKeys(people.readerConnection, query, 2);
  expect(first({ entity: 'members', sort: [{ field: 'last_name', direction: 'asc' }] })).toEqual([1, 3]);
  expect(first({ entity: 'members', sort: [{ field: 'employer.name', direction: 'desc' }] })).toEqual([3, 1]);
  expect(first({ entity: 'members', search: '123-45-6789' })).toEqual([1]);
  expect(first({ entity: 'dependents', sort: [{ field: 'first_name', direction: 'asc' }] })).toHaveLength(2);
  expect(() => first({ entity: 'lines', conditions: [{ field: 'x', operator: 'is', values: [1] }] })).toThrow(
    expect.objectContaining({ code: 'query.invalid' }),
  );
});
