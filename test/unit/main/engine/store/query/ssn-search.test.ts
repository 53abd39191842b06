import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asksForSsn, buildKeys } from '../../../../../../src/main/engine/store/query/build-query.ts';
import { createSsnHash, normalizeSsn } from '../../../../../../src/main/engine/store/record/ssn-hash.ts';
import type { Condition, ListQuery } from '../../../../../../src/rules/query.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

function givenPeople() {
  const store = openTestStore();
  store.ingest('members', [
    { id: 1, ssn: '123-45-6789', dependents: [{ id: 11, ssn: '987 65 4321' }] },
    { id: 2, ssn: '123456780' },
    { id: 3, ssn: '***-**-6789' },
    { id: 4, ssn: null, partner_key: '123456789' },
    { id: 5, ssn: '12345678' },
  ]);
  return store;
}
const asks = (operator: Condition['operator'], ...values: Condition['values']): ListQuery => ({
  entity: 'members',
  conditions: [{ field: 'ssn', operator, values }],
});

test.each<[Condition['operator'], Condition['values'], number[]]>([
  ['is', ['123-45-6789'], [1]],
  ['is', ['123456789'], [1]],
  ['is', ['123 45 6789'], [1]],
  ['is', ['123-45-6780'], [2]],
  ['is', ['000-00-0000'], []],
  ['isOneOf', ['123-45-6789', '123-45-6780'], [1, 2]],
  ['isNot', ['123-45-6789'], [2, 3, 4, 5]],
  ['isEmpty', [], [4]],
  ['isNotEmpty', [], [1, 2, 3, 5]],
])('ssn %s %j finds %j', (operator, values, expected) => {
  const store = givenPeople();
  expect(store.list(asks(operator, ...values))).toEqual(expected);
});

test.each<[Condition['operator'], Condition['values']]>([
  ['is', ['6789']],
  ['is', ['***-**-6789']],
  ['is', ['123-456789']],
  ['is', ['1234567890']],
  ['is', [123456789.5]],
  ['isOneOf', []],
  ['isOneOf', ['123-45-6789', '6789']],
  ['isNot', ['']],
  ['contains', ['123-45-6789']],
  ['startsWith', ['123']],
  ['atLeast', ['123-45-6789']],
  ['lessThan', ['123-45-6789']],
  ['between', ['000-00-0000', '999-99-9999']],
])('ssn %s %j is query.invalid: no part of an SSN can be searched', (operator, values) => {
  expect(() => givenPeople().list(asks(operator, ...values))).toThrow(
    expect.objectContaining({ code: 'query.invalid', details: { field: 'ssn' } }),
  );
});

test('a search for a whole SSN finds its person, and others that its words find', () => {
  const store = givenPeople();
  expect(store.list({ entity: 'members', search: '123-45-6789' })).toEqual([1]);
  expect(store.list({ entity: 'members', search: ' 123456789 ' })).toEqual([1, 4]);
  expect(store.list({ entity: 'dependents', search: '987-65-4321' })).toHaveLength(1);
  expect(store.list({ entity: 'claims', search: '123-45-6789' })).toEqual([]);
});

test('a search for the four digits that lists show of an SSN finds its person', () => {
  const store = givenPeople();
  expect(store.list({ entity: 'members', search: '6789' })).toEqual([1]);
  expect(store.list({ entity: 'dependents', search: ' 4321 ' })).toHaveLength(1);
  for (const search of ['5678', '789', '45-6789', '4567'])
    expect(store.list({ entity: 'members', search }), search).toEqual([]);
  expect(store.list({ entity: 'claims', search: '6789' })).toEqual([]);
});

test('what changed or was removed is no longer found', () => {
  const store = givenPeople();
  store.ingest('members', [{ id: 1, ssn: '111-22-3333', dependents: [] }]);
  expect(store.list(asks('is', '123-45-6789'))).toEqual([]);
  expect(store.list(asks('is', '111-22-3333'))).toEqual([1]);
  expect(store.list({ entity: 'dependents', search: '987-65-4321' })).toEqual([]);
});

test('the plan uses the index of hashes', () => {
  const { readerConnection } = givenPeople();
  const planOf = (query: ListQuery): string => {
    const { text, values } = buildKeys(query);
    const steps = readerConnection.prepare(`EXPLAIN QUERY PLAN ${text}`).all(values) as { detail: string }[];
    return steps.map(({ detail }) => detail).join(' | ');
  };
  expect(planOf(asks('is', '123-45-6789'))).toContain('members_by_ssn (<expr>=?)');
  expect(planOf({ entity: 'members', search: '123-45-6789' })).toContain('members_by_ssn (<expr>=?)');
  expect(planOf({ entity: 'dependents', search: '123-45-6789' })).toContain('dependents_by_ssn (<expr>=?)');
});

test('a query is known to ask for an SSN', () => {
  expect(asksForSsn(asks('is', '123-45-6789'))).toBe(true);
  expect(asksForSsn({ entity: 'members', search: '123-45-6789' })).toBe(true);
  expect(asksForSsn(asks('isEmpty'))).toBe(false);
  expect(asksForSsn({ entity: 'members', search: '6789' })).toBe(false);
  expect(asksForSsn({ entity: 'claims', search: '123-45-6789' })).toBe(false);
});

test('only nine digits, plain or separated like an SSN, are one', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const digits = normalizeSsn(text);
      expect(digits === null || /^\d{9}$/.test(digits)).toBe(true);
      if (digits !== null) expect(text.replace(/\D/g, '')).toBe(digits);
    }),
  );
  expect([normalizeSsn('123-45-6789'), normalizeSsn('12-345-6789'), normalizeSsn('123-45 6789')]).toEqual([
    '123456789',
    null,
    null,
  ]);
});

test('hashes differ by key and number, and reveal nothing of either', () => {
  const [a, b] = [createSsnHash(new Uint8Array(32).fill(1)), createSsnHash(new Uint8Array(32).fill(2))];
  expect(a('123-45-6789')).toEqual(a('123456789'));
  expect(a('123-45-6789')).not.toEqual(a('123-45-6780'));
  expect(a('123-45-6789')).not.toEqual(b('123-45-6789'));
  expect(a('123-45-6789')).toHaveLength(16);
  expect(a('6789')).toBeNull();
});
