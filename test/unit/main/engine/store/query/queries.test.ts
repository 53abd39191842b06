import { expect, test } from 'vitest';
import {
  buildFrom,
  buildKeys,
  buildSelection,
} from '../../../../../../src/main/engine/store/query/build-query.ts';
import { parseTenThousandths } from '../../../../../../src/main/engine/store/query/conditions.ts';
import {
  type Entity,
  entities,
  fieldsOf,
  isSortable,
  linkFieldsOf,
} from '../../../../../../src/rules/list-fields.ts';
import {
  type Condition,
  type ListQuery,
  type Operator,
  operators,
} from '../../../../../../src/rules/query.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

const claims = [
  {
    id: 1,
    status: 'Rejected',
    amount_billed: 10.5,
    is_incomplete: true,
    dataobject_id: 12,
    eob_date: '2025-09-14',
  },
  {
    id: 2,
    status: 'rejected',
    amount_billed: -3,
    is_incomplete: false,
    dataobject_id: 123,
    eob_date: '2025-09-15',
  },
  {
    id: 3,
    status: '',
    amount_billed: 0,
    is_incomplete: null,
    dataobject_id: null,
    eob_date: '2025-09-15T23:59:59.999Z',
  },
  { id: 4, status: null, amount_billed: null, dataobject_id: -5, eob_date: '2025-09-15T00:00:00+00:00' },
  { id: 5, status: '50%_\\off', amount_billed: 10.4999, dataobject_id: 0, eob_date: '2025-09-16' },
  { id: 6, status: "O'Brien", amount_billed: 99_999_999.9999, is_incomplete: true, eob_date: null },
];
const lines = [
  { id: 1, quantity: 1.5 },
  { id: 2, quantity: 30 },
  { id: 3, quantity: null },
];

function givenClaims() {
  const store = openTestStore();
  store.ingest(
    'claims',
    claims.map((claim) => (claim.id === 1 ? { ...claim, claim_medical_lines: lines } : claim)),
  );
  return store;
}
const where = (field: string, operator: Operator, ...values: Condition['values']): ListQuery => ({
  entity: 'claims',
  conditions: [{ field, operator, values }],
});

test.each<[string, Operator, Condition['values'], number[]]>([
  ['status', 'is', ['Rejected'], [1]],
  ['status', 'isNot', ['Rejected'], [2, 3, 4, 5, 6]],
  ['status', 'isOneOf', ['Rejected', 'rejected', 'no'], [1, 2]],
  ['status', 'contains', ['EJECT'], [1, 2]],
  ['status', 'contains', ['%'], [5]],
  ['status', 'contains', ['_'], [5]],
  ['status', 'contains', ['\\'], [5]],
  ['status', 'contains', ["O'B"], [6]],
  ['status', 'startsWith', ['50%'], [5]],
  ['status', 'startsWith', ['0%'], []],
  ['status', 'isEmpty', [], [3, 4]],
  ['status', 'isNotEmpty', [], [1, 2, 5, 6]],
  ['status', 'atLeast', ['Rejected'], [1, 2]],
  ['status', 'lessThan', ['O'], [3, 5]],
  ['status', 'between', ['O', 'S'], [1, 6]],
  ['amount_billed', 'is', [10.5], [1]],
  ['amount_billed', 'is', ['10.50'], [1]],
  ['amount_billed', 'is', ['$10.5'], [1]],
  ['amount_billed', 'isNot', ['0'], [1, 2, 4, 5, 6]],
  ['amount_billed', 'isOneOf', ['-3', '0.0000'], [2, 3]],
  ['amount_billed', 'atLeast', ['10.5'], [1, 6]],
  ['amount_billed', 'moreThan', ['10.4999'], [1, 6]],
  ['amount_billed', 'atMost', ['0'], [2, 3]],
  ['amount_billed', 'lessThan', ['0'], [2]],
  ['amount_billed', 'between', ['-3', '10.4999'], [2, 3, 5]],
  ['amount_billed', 'is', ['99999999.9999'], [6]],
  ['amount_billed', 'isEmpty', [], [4]],
  ['amount_billed', 'isNotEmpty', [], [1, 2, 3, 5, 6]],
  ['is_incomplete', 'is', [true], [1, 6]],
  ['is_incomplete', 'is', ['false'], [2]],
  ['is_incomplete', 'isNot', ['true'], [2, 3, 4, 5]],
  ['is_incomplete', 'isEmpty', [], [3, 4, 5]],
  ['dataobject_id', 'is', ['123'], [2]],
  ['dataobject_id', 'is', [-5], [4]],
  ['dataobject_id', 'contains', ['12'], [1, 2]],
  ['dataobject_id', 'startsWith', ['123'], [2]],
  ['dataobject_id', 'between', [0, 12], [1, 5]],
  ['dataobject_id', 'isEmpty', [], [3, 6]],
  ['id', 'isOneOf', [6, '2'], [2, 6]],
  ['eob_date', 'is', ['2025-09-15'], [2, 3, 4]],
  ['eob_date', 'isNot', ['2025-09-15'], [1, 5, 6]],
  ['eob_date', 'isOneOf', ['2025-09-15', '2025-09-16'], [2, 3, 4, 5]],
  ['eob_date', 'between', ['2025-09-14', '2025-09-15'], [1, 2, 3, 4]],
  ['eob_date', 'atLeast', ['2025-09-15'], [2, 3, 4, 5]],
  ['eob_date', 'moreThan', ['2025-09-15'], [5]],
  ['eob_date', 'atMost', ['2025-09-15'], [1, 2, 3, 4]],
  ['eob_date', 'lessThan', ['2025-09-15'], [1]],
  ['eob_date', 'startsWith', ['2025-09-1'], [1, 2, 3, 4, 5]],
  ['eob_date', 'contains', ['T23'], [3]],
  ['eob_date', 'isEmpty', [], [6]],
  ['eob_date', 'atMost', ['2025-09-15T00:00:00+00:00'], [1, 2, 4]],
])('%s %s %j finds %j', (field, operator, values, expected) => {
  expect(givenClaims().list(where(field, operator, ...values))).toEqual(expected);
});

test('a number that is not an amount is compared as a number', () => {
  const store = givenClaims();
  const query = (operator: Operator, ...values: Condition['values']): number =>
    store.list({ entity: 'lines', conditions: [{ field: 'quantity', operator, values }] }).length;
  expect([query('is', '1.5'), query('atLeast', 1.5), query('isEmpty'), query('lessThan', '30')]).toEqual([
    1, 2, 1, 1,
  ]);
});

test.each<[string, Operator, Condition['values']]>([
  ['nothing', 'is', ['x']],
  ['status; DROP TABLE claims', 'is', ['x']],
  ['c.status', 'is', ['x']],
  ['__proto__', 'is', ['x']],
  ['toString', 'is', ['x']],
  ['digest', 'is', ['x']],
  ['extra', 'contains', ['x']],
  ['gone_since', 'isEmpty', []],
  ['status', 'is', []],
  ['status', 'is', ['a', 'b']],
  ['status', 'isEmpty', ['x']],
  ['status', 'isOneOf', []],
  ['status', 'between', ['a']],
  ['status', 'contains', []],
  ['status', 'contains', ['a', 'b']],
  ['amount_billed', 'is', ['ten']],
  ['amount_billed', 'is', ['1,000']],
  ['amount_billed', 'is', ['1e3']],
  ['amount_billed', 'is', ['10.12345']],
  ['amount_billed', 'is', [Number.NaN]],
  ['amount_billed', 'is', [true]],
  ['amount_billed', 'is', ['']],
  ['amount_billed', 'is', ['999999999999']],
  ['amount_billed', 'contains', ['1']],
  ['amount_billed', 'startsWith', ['1']],
  ['is_incomplete', 'is', ['yes']],
  ['is_incomplete', 'is', [1]],
  ['is_incomplete', 'contains', ['t']],
  ['id', 'is', ['']],
  ['id', 'is', [' ']],
  ['id', 'is', ['0x10']],
  ['id', 'is', ['1e3']],
  ['id', 'is', ['one']],
  ['id', 'is', [true]],
  ['id', 'is', [Number.POSITIVE_INFINITY]],
  ['eob_date', 'is', ['yesterday']],
  ['eob_date', 'is', ['2025-9-1']],
  ['eob_date', 'is', ['2025-02-30']],
  ['eob_date', 'is', ['2025-13-01']],
  ['eob_date', 'is', ["2025-09-15' OR 1=1"]],
  ['eob_date', 'is', ['15/09/2025']],
  ['date_of_service', 'contains', ['2025-09-15']],
  ['date_of_service', 'is', ['2025-09-15', '2025-09-16']],
  ['date_of_service', 'between', ['2025-09-15']],
  ['date_of_service', 'isOneOf', ['2025-09-15']],
  ['date_of_service', 'is', ['2025-02-30']],
  ['date_of_service', 'isEmpty', ['2025-09-15']],
  ['members.id', 'is', ['x']],
  ['members.names', 'is', ['x']],
])('%s %s %j is query.invalid and names the field', (field, operator, values) => {
  expect(() => givenClaims().list(where(field, operator, ...values))).toThrow(
    expect.objectContaining({ code: 'query.invalid', details: { field } }),
  );
});

test('sorting by what is not a column is query.invalid', () => {
  for (const field of [
    'nothing',
    'date_of_service.month',
    'members.id',
    'id; DROP TABLE claims',
    'c.id DESC --',
  ]) {
    expect(() => buildKeys({ entity: 'claims', sort: [{ field, direction: 'asc' }] })).toThrow(
      expect.objectContaining({ code: 'query.invalid', details: { field } }),
    );
  }
});

test.each([
  "'",
  '"',
  "x' OR '1'='1",
  '; DROP TABLE claims; --',
  '\u0000',
  'a\\',
  '%',
  '*',
  '" OR body:"x',
  'NEAR(a b)',
])('no value and no search breaks out of its place: %j', (text) => {
  const store = givenClaims();
  for (const operator of ['is', 'contains', 'startsWith', 'isOneOf', 'atLeast'] as const) {
    const found = store.list(where('status', operator, text));
    expect(found.every((id) => id >= 1 && id <= 6)).toBe(true);
    if (operator === 'is') expect(found).toEqual([]);
  }
  store.list({ entity: 'claims', search: text });
  expect(store.read.countRecords(null).claims).toBe(6);
});

test('values are never in the statement', () => {
  const secret = 'Xq7';
  for (const entity of entities) {
    for (const spec of [...fieldsOf[entity], ...linkFieldsOf[entity]]) {
      for (const operator of operators) {
        try {
          const { text, values } = buildFrom({
            entity,
            search: secret,
            conditions: [{ field: spec.path, operator, values: [secret] }],
          });
          expect(text).not.toContain(secret);
          expect(text.split('?').length - 1).toBe(values.length);
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'query.invalid' });
        }
      }
    }
  }
});

test('every column of every list can be shown, filtered and, except SSNs, sorted by', () => {
  const store = givenClaims();
  store.ingest('members', [{ id: 1, last_name: 'A', dependents: [{ id: 5 }] }]);
  for (const entity of entities) {
    for (const spec of fieldsOf[entity].filter(isSortable)) {
      const query: ListQuery = {
        entity,
        conditions: [{ field: spec.path, operator: 'isEmpty', values: [] }],
        sort: [{ field: spec.path, direction: 'desc' }],
      };
      const all = store.list({ entity, sort: [{ field: spec.path, direction: 'asc' }] });
      const empty = store.list(query);
      const filled = store.list({
        entity,
        conditions: [{ field: spec.path, operator: 'isNotEmpty', values: [] }],
      });
      expect([...empty, ...filled].sort(), `${entity} ${spec.path}`).toEqual([...all].sort());
    }
    expect(store.read.readRows({ entity, keys: store.list({ entity }) }).length).toBeGreaterThan(0);
  }
});

test('nulls are where they are requested, last by default, and ties follow the direction of the last sort', () => {
  const store = openTestStore();
  store.ingest('claims', [
    { id: 4, network: null },
    { id: 3, network: 'IN' },
    { id: 2 },
    { id: 1, network: 'OUT' },
    { id: 5, network: 'IN' },
  ]);
  const sorted = (direction: 'asc' | 'desc', nulls?: 'first' | 'last'): number[] =>
    store.list({
      entity: 'claims',
      sort: [{ field: 'network', direction, ...(nulls === undefined ? {} : { nulls }) }],
    });
  expect(sorted('asc')).toEqual([3, 5, 1, 2, 4]);
  expect(sorted('desc')).toEqual([1, 5, 3, 4, 2]);
  expect(sorted('asc', 'last')).toEqual(sorted('asc'));
  expect(sorted('asc', 'first')).toEqual([2, 4, 3, 5, 1]);
  expect(sorted('desc', 'first')).toEqual([4, 2, 1, 5, 3]);
});

test('several sorts and several conditions apply together', () => {
  const store = openTestStore();
  store.ingest('claims', [
    { id: 1, network: 'IN', amount_paid: 1 },
    { id: 2, network: 'OUT', amount_paid: 3 },
    { id: 3, network: 'IN', amount_paid: 2 },
    { id: 4, network: 'OUT', amount_paid: 4 },
  ]);
  const sort: ListQuery['sort'] = [
    { field: 'network', direction: 'desc' },
    { field: 'amount_paid', direction: 'desc' },
  ];
  expect(store.list({ entity: 'claims', sort })).toEqual([4, 2, 3, 1]);
  const conditions: Condition[] = [
    { field: 'network', operator: 'is', values: ['IN'] },
    { field: 'amount_paid', operator: 'moreThan', values: [1] },
  ];
  expect(store.list({ entity: 'claims', conditions })).toEqual([3]);
});

test('archived members are left out by default', () => {
  const store = openTestStore();
  store.ingest('members', [
    { id: 1, archived: true },
    { id: 2, archived: false },
    { id: 3 },
    { id: 4, archived: null },
  ]);
  expect(store.list({ entity: 'members' })).toEqual([2, 3, 4]);
  expect(store.list({ entity: 'members', includesArchived: true })).toEqual([1, 2, 3, 4]);
});

test('claims are found by their owner, and by having none', () => {
  const store = openTestStore();
  store.ingest('claims', [
    {
      id: 1,
      members: [
        { id: 7, employer: { id: 70 } },
        { id: 8, employer: { id: 80 } },
      ],
    },
    { id: 2, members: [{ id: 8, employer: { id: 80 } }] },
    { id: 3, members: [] },
    { id: 4 },
    { id: 5, members: [{ id: null, employer: null }] },
  ]);
  const find = (field: string, operator: Operator, ...values: Condition['values']): number[] =>
    store.list(where(field, operator, ...values));
  expect(find('members.id', 'is', 8)).toEqual([1, 2]);
  expect(find('members.id', 'isOneOf', 7, 9)).toEqual([1]);
  expect(find('members.id', 'isNot', 7)).toEqual([2, 3, 4, 5]);
  expect(find('members.id', 'isEmpty')).toEqual([3, 4, 5]);
  expect(find('members.id', 'isNotEmpty')).toEqual([1, 2]);
  expect(find('members.employer.id', 'is', 80)).toEqual([1, 2]);
  expect(find('members.employer.id', 'isNot', 80)).toEqual([3, 4, 5]);
  expect(find('members.employer.id', 'isEmpty')).toEqual([3, 4, 5]);
  expect(find('members.employer.id', 'isNotEmpty')).toEqual([1, 2]);
});

test.each<[string | number, number]>([
  ['0', 0],
  ['-12.5', -125000],
  ['$1', 10000],
  [' 7.0001 ', 70001],
  [0.1, 1000],
  ['99999999999.9999', 999999999999999],
])('%j is %i ten-thousandths', (value, expected) => {
  expect(parseTenThousandths(value, 'amount_paid')).toBe(expected);
});

/** How SQLite will go about a list. */
function planOf(query: ListQuery): string {
  const { database } = openTestStore();
  const { text, values } = buildKeys(query);
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(values) as { detail: string }[];
  return steps.map(({ detail }) => detail).join(' | ');
}

const sortedBy = (entity: Entity, field: string, direction: 'asc' | 'desc'): ListQuery => ({
  entity,
  sort: [{ field, direction }],
});

test.each<[ListQuery, string]>([
  [where('status', 'is', 'Rejected'), 'SEARCH c USING INDEX claims_by_status'],
  [where('status', 'isOneOf', 'Rejected', 'Adjusted'), 'SEARCH c USING INDEX claims_by_status'],
  [where('patient_name', 'is', 'A'), 'SEARCH c USING INDEX claims_by_patient'],
  [where('service_provider', 'is', 'A'), 'SEARCH c USING INDEX claims_by_provider'],
  [where('amount_billed', 'is', '5'), 'SEARCH c USING INDEX claims_by_billed'],
  [where('amount_billed', 'between', '5', '6'), 'SEARCH c USING INDEX claims_by_billed'],
  [where('date_of_service.first_day', 'is', '2025-09-15'), 'SEARCH c USING INDEX claims_by_service_days'],
  [where('date_of_service.first_day', 'between', '2025-09-15', '2025-10-15'), 'claims_by_service_days'],
  [where('id', 'is', 5), 'SEARCH c USING INTEGER PRIMARY KEY'],
  [where('members.id', 'is', 5), 'claim_members_by_member (member_id=?)'],
  [sortedBy('claims', 'date_of_service', 'asc'), 'SCAN c USING INDEX claims_by_service_days'],
  [sortedBy('claims', 'date_of_service', 'desc'), 'SCAN c USING INDEX claims_by_service_days'],
  [sortedBy('claims', 'amount_billed', 'desc'), 'SCAN c USING INDEX claims_by_billed'],
  [sortedBy('claims', 'patient_name', 'asc'), 'SCAN c USING INDEX claims_by_patient'],
  [sortedBy('claims', 'service_provider', 'asc'), 'SCAN c USING INDEX claims_by_provider'],
  [sortedBy('claims', 'status', 'asc'), 'SCAN c USING INDEX claims_by_status'],
  [sortedBy('members', 'last_name', 'asc'), 'SCAN m USING INDEX members_by_name'],
  [{ entity: 'claims', search: 'garcia' }, 'claims_text VIRTUAL TABLE INDEX'],
  [
    { entity: 'members', conditions: [{ field: 'last_name', operator: 'is', values: ['A'] }] },
    'SEARCH m USING INDEX members_by_name',
  ],
  [{ entity: 'dependents', conditions: [{ field: 'id', operator: 'is', values: [5] }] }, 'dependents_by_id'],
  [
    { entity: 'dependents', conditions: [{ field: '$member_id', operator: 'is', values: [5] }] },
    '(parent=?)',
  ],
  [{ entity: 'lines', conditions: [{ field: '$claim_id', operator: 'is', values: [5] }] }, '(parent=?)'],
  [where('policy_holder.id', 'is', 5), 'SEARCH c USING INDEX claims_by_policy_holder (policy_holder_ref=?)'],
  [where('policy_holder.last_name', 'contains', 'x'), 'claims_by_policy_holder (policy_holder_ref=?)'],
  [where('members.employer.id', 'is', 5), 'SEARCH c USING INTEGER PRIMARY KEY (rowid=?)'],
  [where('members.employer.name', 'is', 'A'), 'claim_members_by_ref (ref=?)'],
  [where('members.tenant.id', 'is', 5), 'claim_members_by_member (member_id=?)'],
  [where('date_of_service.month', 'is', '2025-03'), 'claims_by_service_days (<expr>>? AND <expr><?)'],
  [
    { entity: 'members', conditions: [{ field: 'employer.name', operator: 'is', values: ['A'] }] },
    'SEARCH m USING INDEX members_by_employer (employer_ref=?)',
  ],
  [
    { entity: 'members', conditions: [{ field: 'ssn', operator: 'is', values: ['123-45-6789'] }] },
    'members_by_ssn (<expr>=?)',
  ],
])('the plan of %j has %s', (query, expected) => {
  expect(planOf(query).replaceAll('COVERING INDEX', 'INDEX')).toContain(expected);
});

test.each([
  'date_of_service',
  'amount_billed',
  'patient_name',
  'service_provider',
  'status',
  'id',
  'members.name',
  'members.employer.name',
])('a list by %s is read from its index in either direction, without sorting', (field) => {
  for (const direction of ['asc', 'desc'] as const) {
    expect(planOf(sortedBy('claims', field, direction))).not.toContain('TEMP B-TREE');
  }
});

test.each<ListQuery>([
  { entity: 'claims' },
  where('status', 'is', 'Rejected'),
  where('patient_name', 'is', 'A'),
])('an index alone finds which rows %j has', (query) => {
  const { text, values } = buildSelection(query);
  const plan = givenClaims().database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(values) as {
    detail: string;
  }[];
  expect(plan[0]?.detail).toMatch(/^(SCAN|SEARCH) c USING COVERING INDEX claims_by_/);
});
