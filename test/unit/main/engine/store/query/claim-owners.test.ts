import { expect, test } from 'vitest';
import { type ExportColumn, findExportColumn } from '../../../../../../src/contract/export-columns.ts';
import { openTable } from '../../../../../../src/main/engine/export/read-table.ts';
import { checkRecords } from '../../../../../../src/main/engine/store/maintenance/check-records.ts';
import { createListOperations } from '../../../../../../src/main/engine/store/query/list-operations.ts';
import type { Entity } from '../../../../../../src/rules/list-fields.ts';
import type { Condition, Operator } from '../../../../../../src/rules/query.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

const acme = { id: 70, name: 'Acme' };
const globex = { id: 80, name: 'Globex' };
const margaret = { id: 1, first_name: 'Margaret', last_name: 'Edwards', employer: acme };
const aaron = { id: 2, first_name: 'Aaron', last_name: 'Young', employer: globex };
const claims = [
  { id: 1, members: [aaron], amount_billed: 1, policy_holder: { id: 500, first_name: 'A', last_name: 'Y' } },
  { id: 2, members: [margaret, aaron], amount_billed: 2, policy_holder: { id: 600 } },
  { id: 3, members: [margaret], amount_billed: 4, type: { type_id: 1, name: 'medical' } },
  { id: 4, members: [], amount_billed: 8 },
  { id: 5, members: [{ id: 3, first_name: ' Cher\t', last_name: null, employer: { id: 90, name: '' } }] },
].map((claim) => ({
  ...claim,
  claim_medical_lines: [{ id: claim.id * 10, amount_billed: claim.amount_billed }],
}));

function givenClaims() {
  const store = openTestStore();
  store.ingest('claims', claims);
  /** Groups from whole columns, as for large lists. */
  const inMemory = createListOperations(store.readerConnection, { maxBytes: 1 << 28, fewRows: -1 });
  return { ...store, inMemory };
}
const everything = { order: 'value' as const, isDescending: false, offset: 0, limit: 100 };
const where = (entity: Entity, field: string, operator: Operator, ...values: Condition['values']) => ({
  entity,
  conditions: [{ field, operator, values }],
});

test('claims and lines show their members, employers and type; several by the first, in the order sent', () => {
  const { read } = givenClaims();
  const fields = ['members.name', 'members.employer.name', 'type.name'];
  const cellsOf = (entity: Entity, keys: number[]) =>
    read.readRows({ entity, keys, fields }).map((row) => fields.map((path) => row[path]));
  const expected = [
    ['Aaron Young', 'Globex', null],
    ['Margaret Edwards\nAaron Young', 'Acme\nGlobex', null],
    ['Margaret Edwards', 'Acme', 'medical'],
    [null, null, null],
    ['Cher', null, null],
  ];
  expect(cellsOf('claims', [1, 2, 3, 4, 5])).toEqual(expected);
  expect(cellsOf('lines', [1, 2, 3, 4, 5])).toEqual(expected);
});

test('members sort by last name, several by the first one; claims without a member come last', () => {
  const { list } = givenClaims();
  const query = { entity: 'claims' as const, sort: [{ field: 'members.name', direction: 'asc' as const }] };
  expect(list(query)).toEqual([5, 3, 2, 1, 4]);
});

test.each<[string, Operator, Condition['values'], number[]]>([
  ['members.name', 'is', ['Aaron Young'], [1, 2]],
  ['members.name', 'isNot', ['Aaron Young'], [3, 4, 5]],
  ['members.name', 'isOneOf', ['Aaron Young', 'Cher'], [1, 2, 5]],
  ['members.name', 'contains', ['ret edw'], [2, 3]],
  ['members.name', 'startsWith', ['aar'], [1, 2]],
  ['members.name', 'startsWith', ['edw'], []],
  ['members.name', 'isEmpty', [], [4]],
  ['members.employer.name', 'is', ['Globex'], [1, 2]],
  ['members.employer.name', 'contains', ['CM'], [2, 3]],
  ['members.employer.name', 'isNotEmpty', [], [1, 2, 3]],
])('%s %s %j finds claims %j, and their lines', (field, operator, values, expected) => {
  const { list } = givenClaims();
  for (const entity of ['claims', 'lines'] as const) {
    const query = where(entity, field, operator, ...values);
    expect(list(query)).toEqual(expected);
  }
});

test('a group counts a claim of two members in each of them, while the totals count it once', () => {
  const { lists, inMemory, list } = givenClaims();
  for (const operations of [lists, inMemory]) {
    const { groups } = operations.groupList({
      query: { entity: 'claims' },
      by: 'members.name',
      options: everything,
    });
    expect(groups.map(({ value, totals }) => [value, totals.count, totals.billed])).toEqual([
      ['Aaron Young', 2, 30_000],
      ['Cher', 1, null],
      ['Margaret Edwards', 2, 60_000],
      [null, 1, 80_000],
    ]);
    for (const { conditions, totals } of groups)
      expect(list({ entity: 'claims', conditions })).toHaveLength(totals.count);
    expect(operations.makeList({ entity: 'claims' }).totals).toMatchObject({ count: 5, billed: 150_000 });
  }
});

test('two members with the same name are two groups, of claims and of lines, by SQLite and in memory', () => {
  const { lists, inMemory, list, ingest } = givenClaims();
  const namesake = { ...margaret, id: 4 };
  ingest('claims', [
    ...claims,
    { id: 6, members: [namesake], claim_medical_lines: [{ id: 60 }, { id: 61 }] },
  ]);
  const countsOf = { claims: [2, 2, 1, 1, 1], lines: [2, 2, 1, 2, 1] };
  for (const entity of ['claims', 'lines'] as const) {
    for (const operations of [lists, inMemory]) {
      const { groups } = operations.groupList({ query: { entity }, by: 'members.id', options: everything });
      expect(groups.map(({ value }) => value)).toEqual([1, 2, 3, 4, null]);
      expect(groups.map(({ label }) => label?.trim() ?? null)).toEqual([
        'Margaret Edwards',
        'Aaron Young',
        'Cher',
        'Margaret Edwards',
        null,
      ]);
      expect(groups.map(({ totals }) => totals.count)).toEqual(countsOf[entity]);
      for (const { conditions, totals } of groups) {
        expect(list({ entity, conditions })).toHaveLength(totals.count);
        expect(operations.makeList({ entity, conditions }).keys).toHaveLength(totals.count);
      }
    }
  }
});

test('two employers with the same name are two groups, of claims and of lines, by SQLite and in memory', () => {
  const { lists, inMemory, list, ingest } = givenClaims();
  const elsewhere = { ...aaron, id: 5, employer: { id: 71, name: 'Acme' } };
  ingest('claims', [
    ...claims,
    { id: 6, members: [elsewhere], claim_medical_lines: [{ id: 60 }, { id: 61 }] },
  ]);
  for (const [entity, counts] of [
    ['claims', [2, 1, 2]],
    ['lines', [2, 2, 2]],
  ] as const) {
    for (const operations of [lists, inMemory]) {
      const by = 'members.employer.id';
      const { groups } = operations.groupList({ query: { entity }, by, options: everything });
      const named = groups.filter(({ label }) => label === 'Acme' || label === 'Globex');
      expect(named.map(({ value, label }) => [value, label])).toEqual([
        [70, 'Acme'],
        [71, 'Acme'],
        [80, 'Globex'],
      ]);
      expect(named.map(({ totals }) => totals.count)).toEqual(counts);
      for (const { conditions, totals } of named)
        expect(list({ entity, conditions })).toHaveLength(totals.count);
    }
  }
});

test('the values of a column of several names are the individual names, found by a part', () => {
  const { lists, inMemory } = givenClaims();
  for (const { listValues } of [lists, inMemory]) {
    expect(listValues({ entity: 'claims', field: 'members.name', search: 'EDW', limit: 10 })).toEqual({
      values: [{ value: 'Margaret Edwards', count: 2 }],
      total: 1,
    });
  }
});

test('counts within a list leave out what its other filters leave out, the most frequent first', () => {
  const { lists, inMemory } = givenClaims();
  const within = { conditions: [{ field: 'amount_billed', operator: 'atLeast' as const, values: ['2'] }] };
  for (const { listValues } of [lists, inMemory]) {
    const asked = { entity: 'claims' as const, search: '', limit: 1, order: 'count' as const, within };
    expect(listValues({ ...asked, field: 'members.name' })).toEqual({
      values: [{ value: 'Margaret Edwards', count: 2 }],
      total: 2,
    });
    expect(() =>
      listValues({
        ...asked,
        field: 'members.name',
        within: { conditions: [{ field: 'x', operator: 'is', values: ['x'] }] },
      }),
    ).toThrow(expect.objectContaining({ code: 'query.invalid', details: { field: 'x' } }));
  }
});

test('carriers come from the connections that were read: shown, filtered, grouped, exported, and blank otherwise', () => {
  const { write, read, list, lists, inMemory, ingest, database } = givenClaims();
  // A record with an unknown field is read another way for files.
  ingest('claims', [{ ...claims[0], id: 90, unheard_of: true }]);
  const carrierOf = (): unknown[] =>
    read.readRows({ entity: 'claims', keys: [1, 2, 3], fields: ['carrier'] }).map((row) => row.carrier);
  const versionNow = (): number => inMemory.makeList({ entity: 'claims' }).version;
  expect(carrierOf()).toEqual([null, null, null]);
  const before = versionNow();
  write.writeCarriers([{ policyHolderId: 500, carrier: 'Aetna' }]);
  expect(carrierOf()).toEqual(['Aetna', null, null]);
  expect(versionNow()).toBe(before + 1);
  write.writeCarriers([{ policyHolderId: 500, carrier: 'Aetna' }]);
  expect(versionNow()).toBe(before + 1);
  for (const entity of ['claims', 'lines'] as const) {
    const query = where(entity, 'carrier', 'contains', 'aet');
    expect(list(query)).toEqual(entity === 'claims' ? [1, 90] : [1, 6]);
    const source = { kind: 'list' as const, query: { entity } };
    const columns = [findExportColumn(source, 'carrier') as ExportColumn];
    const table = openTable(database, {
      source,
      columns,
      isSsnShown: false,
      userData: null,
      workspaceId: '',
    });
    const shown = read.readRows({ entity, keys: list({ entity }), fields: ['carrier'] });
    expect([...table.batches()].flat().map(([carrier]) => carrier)).toEqual(
      shown.map(({ carrier }) => carrier),
    );
    for (const operations of [lists, inMemory]) {
      const { groups } = operations.groupList({ query: { entity }, by: 'carrier', options: everything });
      expect(groups.map(({ value, totals }) => [value, totals.count])).toEqual([
        ['Aetna', 2],
        [null, 4],
      ]);
    }
  }
});

test('names are not part of the record, follow its changes, and are checked with it', () => {
  const { ingest, read, texts, database } = givenClaims();
  expect(JSON.parse(texts('claims', [1])[0] as string)).toEqual(claims[0]);
  const married = { ...margaret, last_name: 'Ames' };
  ingest('claims', [{ ...claims[2], members: [married] }]);
  expect(read.readRows({ entity: 'claims', keys: [3], fields: ['members.name'] })[0]).toMatchObject({
    'members.name': 'Margaret Ames',
  });
  expect(checkRecords(database, true)).toMatchObject({ isSound: true });
  database.prepare("UPDATE claims SET member_names='Nobody' WHERE id=3").run();
  expect(checkRecords(database, true)).toMatchObject({ isSound: false, problems: 1 });
});
