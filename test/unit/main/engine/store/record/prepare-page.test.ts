import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  openPage,
  packPage,
  prepareItem,
  unpackPage,
} from '../../../../../../src/main/engine/store/record/prepare-page.ts';
import { anyClaim, anyJson, anyMember } from '../../../../../support/engine-records.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const id = fc.nat().map((value) => ({ id: value }));
const item = fc.oneof(
  fc.tuple(anyClaim, id).map(([record, withId]) => ({ ...record, ...withId })),
  fc.tuple(anyMember, id).map(([record, withId]) => ({ ...record, ...withId })),
  anyJson,
);

test('a page that passed between threads has every record as it was prepared', () => {
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

test('a page larger than those before is passed whole, and so is a small one after it', () => {
  const pack = (count: number, remarks: string) => {
    const data = Array.from({ length: count }, (_none, index) => ({ id: index, remarks }));
    const body = Buffer.from(JSON.stringify({ data }));
    const passed = unpackPage(packPage({ kind: 'claims', body, requestId: null }).packed);
    return Array.from({ length: count }, () => passed.next()?.search.split(/\s/));
  };
  const long = '名'.repeat(20_000);
  expect(pack(300, long).at(-1)).toEqual([long, '299']);
  expect(pack(2, 'short')).toEqual([
    ['short', '0'],
    ['short', '1'],
  ]);
});
