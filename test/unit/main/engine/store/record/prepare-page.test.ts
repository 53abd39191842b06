import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  openPage,
  packPage,
  prepareItem,
  unpackPage,
} from '../../../../../../src/main/engine/store/record/prepare-page.ts';
import { claimShape, flatColumnsOf } from '../../../../../../src/main/engine/store/record/record-columns.ts';
import { anyClaim, anyJson, anyMember } from '../../../../../support/engine-records.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const id = fc.nat().map((value) => ({ id: value }));
const item = fc.oneof(
  fc.tuple(anyClaim, id).map(([record, withId]) => ({ ...record, ...withId })),
  fc.tuple(anyMember, id).map(([record, withId]) => ({ ...record, ...withId })),
  anyJson,
);

test('a page passed between threads has every record as prepared', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 4 }), fc.boolean(), (items, isOne) => {
      // One object in place of a list is not told apart by its bytes.
      const data = isOne ? (items[0] ?? null) : items;
      const body = Buffer.from(JSON.stringify({ data, page: 1, has_next: false }));
      for (const kind of ['claims', 'members'] as const) {
        const page = openPage(body, null);
        const passed = unpackPage(packPage({ kind, body, requestId: null }).packed);
        expect(passed).toMatchObject({ hash: page.hash, facts: page.facts });
        for (let index = 0; index < page.facts.records; index += 1) {
          expect(passed.next()).toEqual(prepareItem(page, kind, index));
        }
      }
    }),
    { numRuns: fuzzRuns(300) },
  );
});

test('a page larger than earlier ones is passed completely, and so is a small one after it', () => {
  const pack = (count: number, remarks: string) => {
    const data = Array.from({ length: count }, (_none, index) => ({ id: index, remarks }));
    const body = Buffer.from(JSON.stringify({ data }));
    const passed = unpackPage(packPage({ kind: 'claims', body, requestId: null }).packed);
    return Array.from({ length: count }, () => passed.next()?.search.split(/\s/));
  };
  // A script of three bytes a letter, whose words are indexed as they are.
  const long = 'ก'.repeat(20_000);
  expect(pack(300, long).at(-1)).toEqual([long, '299']);
  expect(pack(2, 'short')).toEqual([
    ['short', '0'],
    ['short', '1'],
  ]);
});

const claimsOf = (items: string) => openPage(Buffer.from(`{"data":[${items}],"total":NaN,"page":1}`), null);

test('NaN in one record is an odd value of that record, and the page is read', () => {
  const page = claimsOf(
    '{"id":1,"amount_billed":NaN,"amount_allowed":-Infinity,"remarks":"NaN \\" Infinity"},{"id":2,"amount_billed":12.5}',
  );
  expect(page.facts).toMatchObject({ records: 2, total: null, page: 1 });
  const [odd, plain] = [0, 1].map((index) => prepareItem(page, 'claims', index));
  expect(odd?.id).toBe(1);
  expect(odd?.row.unreadAmounts).toEqual(expect.arrayContaining(['amount_billed', 'amount_allowed']));
  expect(page.readAt(0)).toMatchObject({ remarks: 'NaN " Infinity' });
  expect(plain?.row.unreadAmounts).toBeUndefined();
});

test('one object instead of a list is read with NaN as well', () => {
  const page = openPage(Buffer.from('{"data":{"id":7,"amount_billed":NaN}}'), null);
  expect(prepareItem(page, 'claims', 0)?.id).toBe(7);
});

test.each(['nan', 'Nan', 'NaNs', 'undefined', "'a'"])('%s is still no JSON', (word) => {
  expect(() => claimsOf(`{"id":1,"amount_billed":${word}}`).readAt(0)).toThrow();
});

test('an ID sent as text is read as its number, and the record stays as sent', () => {
  const page = claimsOf(
    '{"id":"42","members":[{"id":"7"}],"policy_holder":{"id":"9"},"claim_medical_lines":[{"id":"5"}]}',
  );
  expect(page.idAt(0)).toBe(42);
  const claim = prepareItem(page, 'claims', 0);
  expect(claim?.id).toBe(42);
  const idAt = flatColumnsOf(claimShape).findIndex(({ column }) => column === 'id');
  expect(claim?.row.values[idAt]).toBe(42);
  expect(JSON.parse(claim?.row.extra ?? '{}')).toMatchObject({ id: '42' });
  expect(claim?.row.lists.flat()).toContainEqual(expect.objectContaining({ id: 7 }));
  expect(page.readAt(0)).toMatchObject({ id: '42', members: [{ id: '7' }] });
});

test.each(['""', '"A1"', '"1.5"', '"-3"', '" 1"', '"1234567890123456"', 'NaN', 'true'])(
  'an ID of %s is invalid',
  (id) => {
    const page = claimsOf(`{"id":${id}}`);
    expect(prepareItem(page, 'claims', 0)).toBeNull();
    expect(page.idAt(0)).toBeNull();
  },
);
