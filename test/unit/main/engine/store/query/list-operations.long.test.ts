import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { readFirstKeys } from '../../../../../../src/main/engine/store/query/first-rows.ts';
import { createListOperations } from '../../../../../../src/main/engine/store/query/list-operations.ts';
import type { GroupOptions } from '../../../../../../src/main/engine/store/query/shape-groups.ts';
import {
  type Entity,
  entities,
  fieldsOf,
  isSortable,
  linkFieldsOf,
} from '../../../../../../src/rules/list-fields.ts';
import {
  type Condition,
  type Group,
  type ListQuery,
  operators,
  type Sort,
} from '../../../../../../src/rules/query.ts';
import { anyClaim, anyMember } from '../../../../../support/engine-records.ts';
import { type OpenedStore, openTestStore } from '../../../../../support/engine-store.ts';
import { modelList } from '../../../../../support/list-model.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const everything: GroupOptions = { order: 'value', isDescending: false, offset: 0, limit: 100_000 };

/** Lists and groups as of many rows, from orders and columns of the whole table, as of few, and as of either. */
const openLists = (store: OpenedStore) => ({
  ofColumns: createListOperations(store.readerConnection, { maxBytes: 1 << 28, fewRows: -1 }),
  ofRows: createListOperations(store.readerConnection, { maxBytes: 0, fewRows: 1000 }),
  ofEither: createListOperations(store.readerConnection, { maxBytes: 1 << 28, fewRows: 2 }),
});

const outcome = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (thrown) {
    return { code: (thrown as { code?: string }).code, details: (thrown as { details?: unknown }).details };
  }
};

const plainList = ({ keys, totals }: { keys: Iterable<number>; totals: unknown }) => ({
  keys: [...keys],
  totals,
});

/** Claims alike enough that values repeat, ties are common, and a few are odd. */
const claimSpec = fc.record(
  {
    status: fc.constantFrom('Rejected', 'rejected', 'Processed', 'In Process', '', null, 7),
    network: fc.constantFrom('IN', 'OUT', 'TIER1', null),
    patient_name: fc.constantFrom('Ann', 'ann lee', 'José', 'Zoë Ümlaut', '名前', '50%_\\', '', null),
    amount_billed: fc.constantFrom(0, -3, 10.5, 10.4999, 0.1, -214_748.3648, 99_999_999.9999, null, 'odd'),
    amount_paid: fc.constantFrom(0.1, 0.2, -0.0001, 1e-9, null),
    dataobject_id: fc.constantFrom(1, 12, 123, -5, 0, null),
    is_incomplete: fc.constantFrom(true, false, null),
    eob_date: fc.constantFrom('2025-09-14', '2025-09-15', '2025-09-15T23:59:59.999Z', 'soon', null),
    type: fc.constantFrom(null, { type_id: 1, name: 'medical' }, { type_id: 2, name: 'rx' }),
    policy_holder: fc.constantFrom(
      null,
      { id: 4, first_name: 'A', last_name: 'B' },
      { id: 5, first_name: null, last_name: 'C' },
    ),
    date_of_service: fc.oneof(
      fc.constant(null),
      fc.record({
        bounds: fc.constantFrom('[]', '[)', '()', '(]', null),
        start: fc.constantFrom('2025-09-14', '2025-09-15', '2025-10-01T08:00:00Z', '2025-1', '', null),
        end: fc.constantFrom('2025-09-15', '2025-09-16', '2025-10-02', null),
      }),
    ),
    members: fc.array(
      fc.record({
        id: fc.constantFrom(7, 8, 9, null),
        first_name: fc.constantFrom('Ann', ' ann\t', '', null),
        last_name: fc.constantFrom('Lee', 'de\nLee', null, 7),
        employer: fc.constantFrom(
          null,
          { id: 70, name: 'Acme' },
          { id: 70, name: 'Acme\tInc ' },
          { id: 80, name: '' },
        ),
      }),
      { maxLength: 3 },
    ),
    claim_medical_lines: fc.array(
      fc.record({
        id: fc.constantFrom(1, 2, 3, null),
        quantity: fc.constantFrom(1.5, 30, null),
        amount_billed: fc.constantFrom(1, 2.5, null),
        procedure_name: fc.constantFrom('MRI brain', 'Office visit', null),
        date_of_service: fc.constantFrom(null, { bounds: '[]', start: '2025-09-15', end: '2025-09-15' }),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);

const members = [7, 8, 9].map((id) => ({
  id,
  last_name: id === 9 ? null : `Name ${id}`,
  ssn: id === 7 ? '123-45-6789' : null,
  archived: id === 8 ? true : null,
  tenant: id === 9 ? null : { id: id * 100, name: `Tenant ${id}` },
  employer: { id: 70, name: 'Acme' },
  dependents: [{ id: id * 10, first_name: 'Léa', ssn: '987-65-4321' }],
}));

const someValue = fc.constantFrom<string | number | boolean>(
  'Rejected',
  'ann',
  'A',
  'é',
  '%',
  '',
  '10.5',
  '0',
  -3,
  12,
  7,
  8,
  70,
  700,
  true,
  'false',
  '2025-09-15',
  '2025-09',
  '2025-09-14T00:00:00Z',
  'Acme',
  'Tenant 7',
  '123-45-6789',
);

const conditionOf = (entity: Entity): fc.Arbitrary<Condition> =>
  fc
    .record({
      field: fc.constantFrom(...fieldsOf[entity], ...linkFieldsOf[entity]).map((spec) => spec.path),
      operator: fc.constantFrom(...operators),
      some: fc.array(someValue, { minLength: 2, maxLength: 3 }),
    })
    .map(({ field, operator, some }) => {
      const count = { isEmpty: 0, isNotEmpty: 0, between: 2, isOneOf: some.length }[operator as string] ?? 1;
      return { field, operator, values: some.slice(0, count) };
    });

const sortOf = (entity: Entity): fc.Arbitrary<Sort> =>
  fc.record(
    {
      field: fc.constantFrom(...fieldsOf[entity].filter(isSortable)).map((spec) => spec.path),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
      nulls: fc.constantFrom('first' as const, 'last' as const),
    },
    { requiredKeys: ['field', 'direction'] },
  );

const anyQuery: fc.Arbitrary<ListQuery> = fc.constantFrom(...entities).chain((entity) =>
  fc.record(
    {
      entity: fc.constant(entity),
      conditions: fc.array(conditionOf(entity), { maxLength: 3 }),
      sort: fc.array(sortOf(entity), { maxLength: 3 }),
      search: fc.constantFrom(
        'ann',
        'jose',
        'mri',
        'le',
        'a',
        'J 1',
        'ann l o',
        '123-45-6789',
        '987 65 4321',
        '!',
      ),
      includesArchived: fc.boolean(),
      includesMissing: fc.boolean(),
    },
    { requiredKeys: ['entity'] },
  ),
);

function givenRecords(claims: readonly object[]): OpenedStore {
  const store = openTestStore();
  store.ingest('members', members);
  store.ingest(
    'claims',
    claims.map((claim, index) => ({ id: index * 3 + 1, ...claim })),
  );
  store.database.prepare("UPDATE claims SET gone_since='2026-01-01' WHERE id%5=1").run();
  // Conditions take their values from one list, so the IDs of runs are among its texts.
  for (const [run, state] of [
    ['Rejected', 'recorded'],
    ['Acme', 'left'],
    ['ann', 'inOther'],
  ])
    store.database
      .prepare('INSERT INTO claim_runs SELECT ?, id, 0, ?, NULL FROM claims WHERE id%2=0')
      .run(run, state);
  return store;
}

test('a list has the rows, order, count and sums that checking every row gives', () => {
  fc.assert(
    fc.property(
      fc.array(claimSpec, { maxLength: 25 }),
      fc.array(anyQuery, { minLength: 12, maxLength: 12 }),
      (claims, queries) => {
        const store = givenRecords(claims);
        const lists = openLists(store);
        for (const query of queries) {
          const model = outcome(() => modelList(store.readerConnection, query));
          expect(outcome(() => plainList(lists.ofColumns.makeList(query)))).toEqual(model);
          expect(outcome(() => plainList(lists.ofRows.makeList(query)))).toEqual(model);
          expect(outcome(() => plainList(lists.ofEither.makeList(query)))).toEqual(model);
          const first = outcome(() => modelList(store.readerConnection, query).keys.slice(0, 4));
          expect(outcome(() => readFirstKeys(store.readerConnection, query, 4))).toEqual(first);
        }
      },
    ),
    { numRuns: fuzzRuns(40) },
  );
});

test('groups of columns in memory equal those of the rows, and each opens into exactly its rows', () => {
  const by = [
    'status',
    'network',
    'type.name',
    'service_provider',
    'patient_name',
    'is_incomplete',
    'amount_billed',
    'dataobject_id',
    'date_of_service.month',
    'members.id',
    'members.employer.id',
    'members.employer.name',
    'members.tenant.id',
    'members.tenant.name',
    'policy_holder.id',
  ];
  fc.assert(
    fc.property(
      fc.array(claimSpec, { maxLength: 20 }),
      fc.array(conditionOf('claims'), { maxLength: 1 }),
      (claims, conditions) => {
        const lists = openLists(givenRecords(claims));
        for (const path of by) {
          const query: ListQuery = { entity: 'claims', conditions };
          const found = outcome(() => lists.ofColumns.groupList({ query, by: path, options: everything }));
          expect(found).toEqual(
            outcome(() => lists.ofRows.groupList({ query, by: path, options: everything })),
          );
          for (const group of (found as { groups?: Group[] }).groups ?? []) {
            const opened = lists.ofRows.makeList({
              ...query,
              conditions: [...conditions, ...group.conditions],
            });
            expect(opened.totals, `${path} ${String(group.value)}`).toEqual(group.totals);
          }
          const counted = ((found as { groups?: Group[] }).groups ?? []).reduce(
            (sum, { totals }) => sum + totals.count,
            0,
          );
          const rows = outcome(() => lists.ofRows.makeList(query).keys.length);
          if (typeof rows === 'number') expect(counted, path).toBeGreaterThanOrEqual(rows);
        }
      },
    ),
    { numRuns: fuzzRuns(15) },
  );
});

test('any records, even odd ones, are listed equally by every column', () => {
  fc.assert(
    fc.property(
      fc.array(anyClaim, { maxLength: 5 }),
      fc.array(anyMember, { maxLength: 4 }),
      (claims, people) => {
        const store = openTestStore();
        store.ingest(
          'claims',
          claims.map((claim, id) => ({ ...claim, id })),
        );
        store.ingest(
          'members',
          people.map((member, id) => ({ ...member, id })),
        );
        const lists = createListOperations(store.readerConnection);
        for (const entity of entities) {
          for (const { path } of fieldsOf[entity].filter(isSortable)) {
            const query: ListQuery = { entity, sort: [{ field: path, direction: 'desc' }] };
            expect(plainList(lists.makeList(query))).toEqual(modelList(store.readerConnection, query));
          }
        }
      },
    ),
    { numRuns: fuzzRuns(8) },
  );
});

test('sums beyond 2^53 and beyond 2^63 are exact, and are sent as digits', () => {
  const store = openTestStore();
  const largest = 900_719_925_474.0991;
  store.ingest(
    'claims',
    Array.from({ length: 1100 }, (_none, id) => ({
      id,
      status: 'x',
      amount_billed: largest,
      amount_paid: id === 0 ? -0.0001 : null,
    })),
  );
  const cells = store.database
    .prepare('SELECT amount_billed FROM claims WHERE id=1')
    .pluck()
    .safeIntegers()
    .get() as bigint;
  const exact = String(cells * 1100n);
  expect(BigInt(exact) > 2n ** 63n).toBe(true);
  const lists = openLists(store);
  for (const list of Object.values(lists)) {
    expect(list.makeList({ entity: 'claims' }).totals).toMatchObject({
      count: 1100,
      billed: exact,
      paid: -1,
      allowed: null,
    });
    const { groups } = list.groupList({ query: { entity: 'claims' }, by: 'status', options: everything });
    expect(groups[0]?.totals).toMatchObject({ billed: exact });
  }
});

test('cached values are dropped when records or reviews change, and are limited', () => {
  const store = openTestStore();
  store.ingest('claims', [
    { id: 1, status: 'A', amount_billed: 1 },
    { id: 2, status: 'B', amount_billed: 2 },
  ]);
  const list = createListOperations(store.readerConnection, { maxBytes: 1 << 28, fewRows: -1 });
  const counted = (field = 'status') =>
    list
      .listValues({ entity: 'claims', field, search: '', limit: 9 })
      .values.map(({ value, count }) => `${value} ${count}`);
  const billed = () => list.makeList({ entity: 'claims' }).totals?.billed;
  const version = (): number => list.makeList({ entity: 'claims' }).version;
  expect([counted(), billed()]).toEqual([['A 1', 'B 1'], 30_000]);
  const first = version();
  store.ingest('claims', [{ id: 1, status: 'A', amount_billed: 1 }]);
  expect(version()).toBe(first);
  store.ingest('claims', [{ id: 1, status: 'C', amount_billed: 5 }]);
  expect([counted(), billed()]).toEqual([['B 1', 'C 1'], 70_000]);
  expect(counted('review.state')).toEqual(['notSelected 2']);
  store.database.prepare("INSERT INTO claim_reviews (claim_id, state) VALUES (1, 'done')").run();
  store.database.prepare("UPDATE record_versions SET version=version+1 WHERE kind='reviews'").run();
  expect(counted('review.state')).toEqual(['done 1', 'notSelected 1']);
  store.database.prepare("UPDATE claims SET gone_since='2026-01-01' WHERE id=1").run();
  expect([counted(), billed()]).toEqual([['B 1'], 20_000]);
  store.database.prepare('DELETE FROM claims WHERE id=2').run();
  expect(counted()).toEqual([]);
  expect(version()).toBeGreaterThan(first + 1);
  store.ingest(
    'claims',
    Array.from({ length: 500 }, (_none, id) => ({ id, uuid: `u${id}`, remarks: `r${id}` })),
  );
  const small = createListOperations(store.readerConnection, { maxBytes: 20_000, fewRows: -1 });
  for (const field of ['uuid', 'remarks', 'status', 'patient_name']) {
    small.groupList({ query: { entity: 'claims' }, by: field, options: everything });
    expect(small.measureColumns(null).bytes).toBeLessThan(80_000);
  }
});

test('values counted in columns in memory equal those of the rows, the most frequent or the first ones', () => {
  const fields = [
    'status',
    'network',
    'patient_name',
    'members.name',
    'members.employer.name',
    'carrier',
    'members.id',
    'policy_holder.id',
    'date_of_service.month',
    'amount_billed',
  ];
  fc.assert(
    fc.property(
      fc.array(claimSpec, { maxLength: 25 }),
      fc.record({
        field: fc.constantFrom(...fields),
        search: fc.constantFrom('', 'a', 'Ann', 'zz', '%'),
        limit: fc.constantFrom(1, 2, 3, 100),
        order: fc.constantFrom('value' as const, 'count' as const),
        within: fc.option(
          fc.record({
            conditions: fc.array(conditionOf('claims'), { maxLength: 2 }),
            includesMissing: fc.boolean(),
          }),
          { nil: undefined },
        ),
      }),
      (claims, asked) => {
        const lists = openLists(givenRecords(claims));
        const input = { entity: 'claims' as const, ...asked };
        expect(outcome(() => lists.ofColumns.listValues(input))).toEqual(
          outcome(() => lists.ofRows.listValues(input)),
        );
      },
    ),
    { numRuns: fuzzRuns(40) },
  );
});

test('the values of amounts are in dollars, and a filter by one finds the rows counted', () => {
  const store = givenRecords([{}, ...[12.5, 12.5, -0.01].map((amount) => ({ amount_billed: amount }))]);
  const list = createListOperations(store.database);
  const { values } = list.listValues({ entity: 'claims', field: 'amount_billed', search: '', limit: 9 });
  expect(values).toEqual([
    { value: '-0.01', count: 1 },
    { value: '12.5', count: 2 },
  ]);
  for (const { value, count } of values) {
    const conditions = [{ field: 'amount_billed', operator: 'isOneOf' as const, values: [value as string] }];
    expect(list.makeList({ entity: 'claims', conditions }).totals?.count).toBe(count);
  }
});

test('values of a column have counts, and are found by a part, in order', () => {
  const store = givenRecords([
    { patient_name: 'gone' },
    { patient_name: 'Bea' },
    { patient_name: 'bob' },
    { patient_name: 'Bea' },
    { patient_name: 'Al' },
    {},
  ]);
  const lists = openLists(store);
  for (const list of Object.values(lists)) {
    const values = (search: string, limit = 10) =>
      list.listValues({ entity: 'claims', field: 'patient_name', search, limit });
    expect(values('')).toEqual({
      values: [
        { value: 'Al', count: 1 },
        { value: 'Bea', count: 2 },
        { value: 'bob', count: 1 },
      ],
      total: 3,
    });
    expect(values('B')).toEqual({
      values: [
        { value: 'Bea', count: 2 },
        { value: 'bob', count: 1 },
      ],
      total: 2,
    });
    expect(values('EA')).toEqual({ values: [{ value: 'Bea', count: 2 }], total: 1 });
    expect(values('', 1)).toEqual({ values: [{ value: 'Al', count: 1 }], total: 3 });
    for (const [field, code] of [
      ['ssn', 'query.ssnOrder'],
      ['nothing', 'query.invalid'],
      ['eob_date', 'query.invalid'],
    ]) {
      expect(() =>
        list.listValues({ entity: 'members', field: field as string, search: '', limit: 1 }),
      ).toThrow(expect.objectContaining({ code, details: { field } }));
    }
  }
});

test.each(['members', 'dependents'] as const)('%s are neither sorted nor grouped by SSN', (entity) => {
  const store = openTestStore();
  store.ingest('members', [{ id: 1, ssn: '123-45-6789', dependents: [{ id: 2, ssn: '987-65-4321' }] }]);
  const query: ListQuery = {
    entity,
    sort: [
      { field: 'id', direction: 'asc' },
      { field: 'ssn', direction: 'asc' },
    ],
  };
  const refused = expect.objectContaining({ code: 'query.ssnOrder', details: { field: 'ssn' } });
  const options = { order: 'count', isDescending: true, offset: 0, limit: 1 } as const;
  expect(() => readFirstKeys(store.readerConnection, query, 4)).toThrow(refused);
  for (const list of Object.values(openLists(store))) {
    expect(() => list.makeList(query)).toThrow(refused);
    expect(() => list.groupList({ query: { entity }, by: 'ssn', options })).toThrow(refused);
  }
});

test('no row of a few is read for its amounts and position if both are in memory', () => {
  const { readerConnection } = givenRecords(
    Array.from({ length: 12 }, (_none, index) => ({
      status: index % 6 === 1 ? 'A' : 'B',
      amount_billed: index,
    })),
  );
  const list = createListOperations(readerConnection, { maxBytes: 1 << 28, fewRows: 2 });
  const sort: Sort[] = [{ field: 'amount_billed', direction: 'desc' }];
  list.makeList({ entity: 'claims', sort });
  const conditions: Condition[] = [{ field: 'status', operator: 'is', values: ['A'] }];
  const query: ListQuery = { entity: 'claims', sort, conditions };
  const uncached = createListOperations(readerConnection, { maxBytes: 0, fewRows: 2 });
  const expected = plainList(uncached.makeList(query));
  expect(expected.keys).not.toHaveLength(0);
  const prepare = vi.spyOn(readerConnection, 'prepare');
  expect(plainList(list.makeList(query))).toEqual(expected);
  const reads = prepare.mock.calls.filter(([text]) => /ORDER BY|amount_billed,/.test(text));
  expect(reads).toEqual([]);
});

test('the same values of a column are not counted again until records or reviews change', () => {
  const store = givenRecords([{ status: 'A' }, { status: 'B' }]);
  const list = createListOperations(store.readerConnection, { maxBytes: 1 << 28, fewRows: 1000 });
  const ask = (search = '') => list.listValues({ entity: 'claims', field: 'status', search, limit: 9 });
  const first = ask();
  expect(ask()).toBe(first);
  expect(ask('a')).not.toBe(first);
  expect(ask()).toEqual(first);
  const last = ask();
  store.database.prepare("UPDATE record_versions SET version=version+1 WHERE kind='reviews'").run();
  expect(ask()).not.toBe(last);
  store.ingest('claims', [{ id: 1, status: 'C' }]);
  expect(ask().values.map(({ value }) => value)).toContain('C');
});

test('the rows of a filter are read once for the letters of a search, corrected or not, and if reviews change', () => {
  const { database, readerConnection } = givenRecords([
    { patient_name: 'Ann Walker' },
    { patient_name: 'Bea Valley' },
  ]);
  const prepare = vi.spyOn(readerConnection, 'prepare');
  const list = createListOperations(readerConnection, { maxBytes: 1 << 28, fewRows: -1 });
  const present: ListQuery = { entity: 'claims' };
  const countReads = () =>
    prepare.mock.calls.filter(([text]) => /^SELECT c\.id FROM claims c .*NOT IN/.test(text)).length;
  list.makeList(present);
  for (const search of ['w', 'wa', 'wal', 'walker', 'valkey', 'v'])
    list.makeList({ ...present, search, findsSimilar: true });
  database.prepare("UPDATE record_versions SET version=version+1 WHERE kind='reviews'").run();
  expect(list.makeList({ ...present, search: 'valkey', findsSimilar: true }).keys).toHaveLength(1);
  expect(countReads()).toBe(1);
  const decided: Condition = { field: 'review.state', operator: 'is', values: ['decided'] };
  const ofReviews: ListQuery = { ...present, conditions: [decided] };
  expect(list.makeList(ofReviews).keys).toHaveLength(0);
  database.prepare("INSERT INTO claim_reviews (claim_id, state) VALUES (4, 'decided')").run();
  database.prepare("UPDATE record_versions SET version=version+1 WHERE kind='reviews'").run();
  expect([...list.makeList(ofReviews).keys]).toEqual([4]);
});

test('the open amount of a list is the sum of its claims, computed again once reviews change', () => {
  const amount = fc.option(fc.integer({ min: -(2 ** 46), max: 2 ** 46 }));
  fc.assert(
    fc.property(
      fc.array(fc.record({ status: fc.constantFrom('A', 'B'), open: amount }), {
        minLength: 1,
        maxLength: 12,
      }),
      (claims) => {
        const { database, ...store } = givenRecords(claims.map(({ status }) => ({ status })));
        const write = database.prepare('INSERT OR REPLACE INTO claim_facts (id, open) VALUES (?, ?)');
        const lists = openLists({ database, ...store });
        const condition: Condition = { field: 'status', operator: 'is', values: ['A'] };
        for (const factor of [1, 2]) {
          for (const [at, { open }] of claims.entries())
            write.run(at * 3 + 1, open === null ? null : open * factor);
          database.prepare("UPDATE record_versions SET version=version+1 WHERE kind='reviews'").run();
          for (const conditions of [[], [condition]]) {
            const query: ListQuery = { entity: 'claims', conditions };
            const keys = modelList(store.readerConnection, query).keys;
            const amounts = [...keys].map((id) => claims[(id - 1) / 3]?.open ?? null);
            const present = amounts.filter((open) => open !== null);
            const open = present.length === 0 ? null : present.reduce((sum, one) => sum + one * factor, 0);
            const expected = { open, notKnown: amounts.length - present.length };
            expect(lists.ofColumns.sumOpen(query)).toEqual(expected);
            expect(lists.ofRows.sumOpen(query)).toEqual(expected);
            expect(lists.ofEither.sumOpen(query)).toEqual(expected);
          }
        }
      },
    ),
    { numRuns: fuzzRuns(20) },
  );
});

test('open amounts are summed only for claims', () => {
  const store = givenRecords([{ status: 'A' }]);
  expect(() => openLists(store).ofColumns.sumOpen({ entity: 'lines' })).toThrow(
    expect.objectContaining({ code: 'query.invalid' }),
  );
});
