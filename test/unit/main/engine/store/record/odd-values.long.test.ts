import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { migrate } from '../../../../../../src/main/engine/store/file/migrate.ts';
import { checkRecords } from '../../../../../../src/main/engine/store/maintenance/check-records.ts';
import { namesOfClaim } from '../../../../../../src/main/engine/store/record/claim-names.ts';
import { compose, decompose } from '../../../../../../src/main/engine/store/record/decompose.ts';
import type { JsonObject } from '../../../../../../src/main/engine/store/record/json.ts';
import { openRecords } from '../../../../../../src/main/engine/store/record/open-records.ts';
import { claimShape } from '../../../../../../src/main/engine/store/record/record-columns.ts';
import { digestRecord } from '../../../../../../src/main/engine/store/record/record-digest.ts';
import { amountOfCell } from '../../../../../../src/rules/money/amounts.ts';
import { openStoreAt, openTestStore } from '../../../../../support/engine-store.ts';
import { testBytes } from '../../../../../support/seeds.ts';
import { makeTempFolder } from '../../../../../support/temp-folder.ts';

const line = { id: 7, procedure_code: '99213', amount_billed: 10 };
const member = { id: 5, first_name: 'Ann', last_name: 'Lee', employer: { id: 3, name: 'Acme' } };

/** The lists of a claim as a service may send them, and what of them are records. */
const oddLists: [name: string, claim: JsonObject, lines: number, members: number][] = [
  ['a null among lines', { claim_medical_lines: [line, null, line], members: [member] }, 2, 1],
  ['a line that is a number', { claim_medical_lines: [5, line] }, 1, 0],
  ['a line that is a list', { claim_medical_lines: [[line], line] }, 1, 0],
  ['nothing but odd lines', { claim_medical_lines: [null, 'x', true] }, 0, 0],
  ['lines that are one line', { claim_medical_lines: line }, 1, 0],
  ['lines that are a text', { claim_medical_lines: 'none' }, 0, 0],
  ['a null among members', { members: [null, member], claim_medical_lines: [line] }, 1, 1],
  ['members that are one member', { members: member, claim_medical_lines: [line] }, 1, 1],
  ['members that are a text', { members: 'Ann Lee', claim_medical_lines: [line] }, 1, 0],
  ['members that are a number', { members: 5, claim_medical_lines: [line] }, 1, 0],
  ['lists that are null', { members: null, claim_medical_lines: null }, 0, 0],
  ['empty lists', { members: [], claim_medical_lines: [] }, 0, 0],
];

test.each(oddLists)(
  '%s: the records are kept, and the claim is read as received',
  (_name, lists, lines, members) => {
    const store = openTestStore();
    const claim = { id: 1, status: 'Processed', ...lists };
    store.ingest('claims', [claim]);
    expect(JSON.parse(store.texts('claims', [1])[0] ?? '')).toEqual(claim);
    expect(store.list({ entity: 'lines' })).toHaveLength(lines);
    const ofMember = { field: 'members.id', operator: 'is' as const, values: [5] };
    const ofEmployer = { field: 'members.employer.id', operator: 'is' as const, values: [3] };
    expect(store.list({ entity: 'claims', conditions: [ofMember, ofEmployer] })).toHaveLength(members);
    expect(namesOfClaim(claim as JsonObject)).toEqual(members === 0 ? [null, null] : ['Lee\nAnn', 'Acme']);
    expect(store.list({ entity: 'claims', search: 'ann lee' })).toHaveLength(members);
    expect(checkRecords(store.database, true).isSound).toBe(true);
    // Sent again it is the same, and without what was odd nothing of that is left.
    expect(store.ingest('claims', [claim])).toMatchObject({ added: 0, changed: 0 });
    store.ingest('claims', [{ id: 1, members: [member], claim_medical_lines: [line] }]);
    expect(store.list({ entity: 'lines' })).toHaveLength(1);
  },
);

test('odd dependents are set aside, and the others are found', () => {
  const store = openTestStore();
  const record = { id: 1, dependents: [null, { id: 2, first_name: 'Bo' }, 'x', { id: 3, first_name: 'Cy' }] };
  store.ingest('members', [record]);
  expect(JSON.parse(store.texts('members', [1])[0] ?? '')).toEqual(record);
  const found = store.list({ entity: 'dependents', search: 'cy' });
  expect(store.read.readRows({ entity: 'dependents', keys: found, fields: ['id'] })).toMatchObject([
    { id: 3 },
  ]);
});

const totalsOf = (store: ReturnType<typeof openTestStore>, entity: 'claims' | 'lines') =>
  store.lists.makeList({ entity }).totals;

test('amounts sent as text count as numbers, finer ones are rounded to four decimals, and others are counted separately', () => {
  const store = openTestStore();
  const billed: unknown[] = ['200.50', 0.00006, '0.0001', '1e2', 'abc', '', true, null, { a: 1 }, '$1,000'];
  store.ingest(
    'claims',
    billed.map((amount_billed, id) => ({ id, amount_billed, claim_medical_lines: [{ amount_billed }] })),
  );
  const expected = { billed: 13_005_002, notCounted: { billed: 3 } };
  expect(totalsOf(store, 'claims')).toMatchObject(expected);
  expect(totalsOf(store, 'lines')).toMatchObject(expected);
  const { groups } = store.lists.groupList({
    query: { entity: 'claims' },
    by: 'status',
    options: { order: 'billed', isDescending: true, offset: 0, limit: 10 },
  });
  expect(groups).toMatchObject([{ totals: expected }]);
  const is = (values: (string | number)[]) =>
    store.list({ entity: 'claims', conditions: [{ field: 'amount_billed', operator: 'atLeast', values }] });
  expect(is(['200.50'])).toEqual([0, 9]);
  for (const entity of ['claims', 'lines'] as const) {
    const odd = { field: 'not_counted', operator: 'isNotEmpty' as const, values: [] };
    const keys = store.list({ entity, conditions: [odd] });
    expect(keys).toHaveLength(3);
    const named = store.read.readRows({ entity, keys, fields: ['not_counted'] });
    expect(named.map((row) => row.not_counted)).toEqual(['Billed', 'Billed', 'Billed']);
  }
  // What is an amount is ten-thousandths, what is none is shown as sent.
  const rows = store.read.readRows({ entity: 'claims', keys: [0, 4, 6, 8], fields: ['amount_billed'] });
  expect(rows.map((row) => row.amount_billed)).toEqual([2_005_000, 'abc', 'true', '{"a":1}']);
  // Corrected, nothing is left of what was told.
  store.ingest(
    'claims',
    billed.map((_sent, id) => ({ id, amount_billed: 1, claim_medical_lines: [{ amount_billed: 1 }] })),
  );
  expect(totalsOf(store, 'claims')).toEqual({
    ...{ count: 10, billed: 100_000, allowed: null, paid: null, patientResponsibility: null },
  });
  expect(store.database.prepare('SELECT count(*) FROM unread_amounts').pluck().get()).toBe(0);
});

const oddAmount = fc.oneof(
  fc.constantFrom<unknown>(null, '', 'abc', '1e2', '200.50', true, 0.000001, -0.0000049, '$1,234.567891', []),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
  fc.integer().map((units) => (units / 1_000_000).toFixed(6)),
);
const amounts = fc.record({ amount_billed: oddAmount, patient_responsibility: oddAmount });
const itemsOf = (item: fc.Arbitrary<unknown>) =>
  fc.oneof(
    fc.array(fc.oneof({ weight: 3, arbitrary: item }, { weight: 1, arbitrary: fc.jsonValue() })),
    item,
  );

test('any odd claims are read back as received, and their sums are those of their rows', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(amounts, itemsOf(amounts), itemsOf(fc.constant(member))), { maxLength: 6 }),
      (sent) => {
        const store = openTestStore();
        // The claims are as JSON has them: without -0.
        const claims = JSON.parse(
          JSON.stringify(
            sent.map(([own, lines, members], id) => ({ id, ...own, claim_medical_lines: lines, members })),
          ),
        ) as JsonObject[];
        store.ingest('claims', claims);
        const keys = claims.map(({ id }) => id as number);
        expect(store.texts('claims', keys).map((text) => JSON.parse(text ?? ''))).toEqual(claims);
        for (const entity of ['claims', 'lines'] as const) {
          const rows = store.read.readRows({
            entity,
            keys: store.list({ entity }),
            fields: ['amount_billed'],
          });
          const counted = rows.map((row) => amountOfCell(row.amount_billed)).filter((one) => one !== null);
          const billed = totalsOf(store, entity)?.billed ?? null;
          expect(billed === null ? null : BigInt(billed)).toBe(
            counted.length === 0 ? null : counted.reduce((sum, one) => sum + BigInt(one), 0n),
          );
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('a record is split and joined again without a store, too', () => {
  const claim: JsonObject = { claim_medical_lines: [null, { id: 1 }, 'x'], amount_billed: '5', odd: 1 };
  const { values, extra, markers, lists, unreadAmounts, unknown } = decompose(claimShape, claim);
  expect({ extra, unreadAmounts, unknown }).toEqual({
    extra: {
      amount_billed: '5',
      odd: 1,
      claim_medical_lines: [
        [0, null],
        [2, 'x'],
      ],
    },
    unreadAmounts: [],
    unknown: ['odd'],
  });
  const back = compose(claimShape, {
    ...{ values, extra, markers, shared: new Map() },
    lists: new Map(lists.map(({ list, items }) => [list.key, items])),
  });
  expect(back).toEqual(claim);
});

/** A claim as version 0.2 stored it: odd lists and amounts whole beside the columns. */
function givenOldClaim(claim: JsonObject) {
  const folder = makeTempFolder();
  const [path, key] = [join(folder, 'records.db'), testBytes(32)];
  const connection = openRecords(path, key);
  migrate(connection, 'records', { target: 15 });
  const { id, ...kept } = claim;
  const { markers } = decompose(claimShape, { id: id as number });
  const absent = JSON.stringify(markers.filter((marker) => !Object.hasOwn(kept, marker)));
  connection.prepare('INSERT INTO record_shapes (id, markers) VALUES (1, ?)').run(absent);
  connection
    .prepare('INSERT INTO claims (id, digest, extra, shape_id, gone_since) VALUES (?, ?, ?, 1, ?)')
    .run(id, digestRecord(claim), JSON.stringify(kept), '2026-01-01T00:00:00.000Z');
  connection.exec('DELETE FROM changed_claims');
  connection.close();
  return openStoreAt(path, key);
}

test('a claim of an older version is rewritten, and is still the same claim', () => {
  const claim = {
    id: 1,
    amount_billed: '200.50',
    members: [null, member],
    claim_medical_lines: [line, 5],
    x: 1,
  };
  const store = givenOldClaim(claim);
  const all = { entity: 'claims' as const, includesMissing: true };
  expect(store.lists.makeList(all).totals).toMatchObject({ billed: null });
  const { digest } = store.database.prepare('SELECT digest FROM claims').get() as { digest: Buffer };
  while (store.write.writeAgain(null));
  expect(store.lists.makeList(all).totals).toMatchObject({ billed: 2_005_000 });
  expect(store.list({ entity: 'lines', includesMissing: true })).toHaveLength(1);
  expect(JSON.parse(store.texts('claims', [1])[0] ?? '')).toEqual(claim);
  expect(store.database.prepare('SELECT digest, gone_since FROM claims').raw().get()).toEqual([
    digest,
    '2026-01-01T00:00:00.000Z',
  ]);
  expect(store.database.prepare('SELECT DISTINCT id FROM changed_claims').pluck().all()).toEqual([1]);
  expect(store.read.listUnknownFields({ list: 'claims' })).toEqual(['x']);
  expect(checkRecords(store.database, true).isSound).toBe(true);
  expect(store.write.writeAgain(null)).toBe(false);
});

test('a damaged claim is not rewritten, so that the full check reports it', () => {
  const store = givenOldClaim({ id: 1, amount_billed: '1' });
  store.database.exec('UPDATE claims SET extra=\'{"amount_billed":"2"}\'');
  while (store.write.writeAgain(null));
  expect(checkRecords(store.database, true).isSound).toBe(false);
});
