import { expect, test } from 'vitest';
import type { Database } from '../../../../../../src/main/engine/store/file/database.ts';
import { parseJson, toPlainJson } from '../../../../../../src/main/engine/store/record/json.ts';
import { createReadOperations } from '../../../../../../src/main/engine/store/threads/operations.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

/** The same connection, with something that happens before each statement like this one is run. */
function interrupt(database: Database, pattern: RegExp, happen: () => void): Database {
  return new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name !== 'prepare') return typeof value === 'function' ? value.bind(target) : value;
      return (sql: string) => {
        const statement = target.prepare(sql);
        if (!pattern.test(sql)) return statement;
        const all = statement.all.bind(statement);
        statement.all = (...values: unknown[]) => {
          happen();
          return all(...values);
        };
        return statement;
      };
    },
  });
}

test('a record and its lines are from one moment, though a page is written in between', () => {
  const store = openTestStore();
  const version = (number: number) => ({
    id: 1,
    remarks: `v${number}`,
    claim_medical_lines: [{ id: 1, procedure_name: `v${number}` }],
  });
  store.ingest('claims', [version(1)]);
  let number = 1;
  const read = createReadOperations(
    interrupt(store.readerConnection, /FROM claim_lines WHERE parent/, () => {
      number += 1;
      store.ingest('claims', [version(number)]);
    }),
  );
  for (const expected of [1, 2, 3]) {
    const [text] = read.readRecords({ entity: 'claims', keys: [1], isSsnShown: false });
    expect(JSON.parse(text ?? '')).toEqual(version(expected));
  }
  expect(number).toBe(4);
});

test('missing records are null, and the others are read', () => {
  const store = openTestStore();
  store.ingest('claims', [{ id: 2 }]);
  expect(store.texts('claims', [1, 2, 3])).toEqual([null, '{"id":2}', null]);
  expect(store.read.readRows({ entity: 'claims', keys: [1, 2], fields: ['id'] })).toEqual([
    { $key: 1, $isMissing: true },
    { $key: 2, id: 2 },
  ]);
});

test('rows have cells of their columns’ kinds, SSNs masked, odd values unchanged', () => {
  const store = openTestStore();
  store.ingest('members', [
    { id: 1, ssn: '123-45-6789', archived: true, employer: { id: 5, name: 'Acme' }, unread_count: null },
    { id: 2, ssn: 123456789, archived: 'no', unread_count: 12.5, last_name: { given: 'x' } },
  ]);
  const fields = ['id', 'ssn', 'archived', 'employer.name', 'unread_count', 'last_name'];
  expect(store.read.readRows({ entity: 'members', keys: [1, 2], fields })).toEqual([
    {
      $key: 1,
      id: 1,
      ssn: '***-**-6789',
      archived: true,
      'employer.name': 'Acme',
      unread_count: null,
      last_name: null,
    },
    {
      $key: 2,
      id: 2,
      ssn: '***-**-6789',
      archived: 'no',
      'employer.name': null,
      unread_count: 12.5,
      last_name: '{"given":"x"}',
    },
  ]);
});

test('digits beyond a double reach a cell, and a window, as text', () => {
  const store = openTestStore();
  const text =
    '{"id":1,"dataobject_id":12345678901234567890,"amount_paid":0.12345678901234567891,"x":[1e400]}';
  store.ingest('claims', `{"data":[${text}]}`);
  const fields = ['dataobject_id', 'amount_paid'];
  expect(store.read.readRows({ entity: 'claims', keys: [1], fields })).toEqual([
    { $key: 1, dataobject_id: '12345678901234567890', amount_paid: '0.12345678901234567891' },
  ]);
  expect(toPlainJson(parseJson(store.texts('claims', [1])[0] ?? ''))).toEqual({
    id: 1,
    dataobject_id: '12345678901234567890',
    amount_paid: '0.12345678901234567891',
    x: ['1e400'],
  });
});

test('a column that a list lacks is export.unknownColumn', () => {
  const store = openTestStore();
  expect(() => store.read.readRows({ entity: 'claims', keys: [1], fields: ['digest'] })).toThrow(
    expect.objectContaining({ code: 'export.unknownColumn' }),
  );
});

test('dependents and lines are found by the service’s ID', () => {
  const store = openTestStore();
  store.ingest('members', [{ id: 1, dependents: [{ id: 70, first_name: 'A' }] }]);
  store.ingest('claims', [{ id: 1, claim_medical_lines: [{ id: 80 }] }]);
  const dependent = store.read.findDependent({ id: 70 });
  expect(store.texts('dependents', [dependent ?? 0])).toEqual(['{"id":70,"first_name":"A","member_id":1}']);
  expect(store.read.findDependent({ id: 71 })).toBeNull();
});

test('a row that the service no longer returns shows since when, and so do its parts', () => {
  const store = openTestStore();
  store.ingest('claims', [{ id: 1, claim_medical_lines: [{ id: 11 }] }, { id: 2 }]);
  store.ingest('members', [{ id: 3, dependents: [{ id: 31 }] }, { id: 4 }]);
  const at = '2026-02-01T00:00:00.000Z';
  for (const kind of ['claims', 'members']) {
    store.database.prepare(`UPDATE ${kind} SET gone_since=? WHERE id IN (1, 3)`).run(at);
  }
  const readAll = (entity: 'claims' | 'lines' | 'members' | 'dependents') =>
    store.read
      .readRows({ entity, keys: store.list({ entity, includesMissing: true }), fields: ['id'] })
      .map(({ id, $missingSince }) => [id, $missingSince]);
  expect(readAll('claims')).toEqual([
    [1, at],
    [2, undefined],
  ]);
  expect(readAll('lines')).toEqual([[11, at]]);
  expect(readAll('members')).toEqual([
    [3, at],
    [4, undefined],
  ]);
  expect(readAll('dependents')).toEqual([[31, at]]);
  expect(store.list({ entity: 'claims' })).toEqual([2]);
});
