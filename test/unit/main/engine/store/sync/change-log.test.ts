import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../../src/main/engine/store/record/json.ts';
import { maxChangesOfSync } from '../../../../../../src/main/engine/store/sync/change-log.ts';
import {
  diffRecords,
  maxFields,
  maxValue,
  mergeFields,
} from '../../../../../../src/main/engine/store/sync/diff-records.ts';
import { anyClaim } from '../../../../../support/engine-records.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';
import { fuzzRuns } from '../../../../../support/seeds.ts';

const source = (syncId: string, keepsNew = true) => ({ changes: { syncId, keepsNew } });

test('records are logged as new or changed field by field, and both combined within one sync', () => {
  const { ingest, read } = openTestStore();
  const changed = { id: 1, status: 'Processed', amount_paid: 12.5, type: { name: 'rx', type_id: 3 } };
  ingest('claims', [{ ...changed, status: 'In Process' }], source('run-0', false));
  expect(read.listChanges({ syncId: 'run-0', offset: 0, limit: 10 })).toMatchObject({
    counts: { new: 1 },
    total: 0,
  });
  ingest('claims', [{ ...changed, amount_paid: null }, { id: 2 }], source('run-1'));
  ingest('claims', [changed, { id: 2, status: 'x' }], source('run-1'));
  const { changes, counts, total } = read.listChanges({ syncId: null, offset: 0, limit: 10 });
  expect(total).toBe(2);
  expect(counts).toEqual({ new: 1, changed: 1, missing: 0, confirmed: 0, returned: 0 });
  expect(changes).toMatchObject([
    {
      list: 'claims',
      id: 1,
      change: 'changed',
      isCut: false,
      fields: [{ path: 'status', before: '"In Process"', after: '"Processed"' }],
    },
    { id: 2, change: 'new', fields: [] },
  ]);
});

test('the syncs that changed anything are listed newest first, and changes of one kind alone', () => {
  const { ingest, read } = openTestStore();
  ingest('claims', [{ id: 1, status: 'a' }], source('run-1', false));
  ingest('claims', [{ id: 1, status: 'b' }, { id: 2 }], source('run-2'));
  const all = read.listChanges({ syncId: null, offset: 0, limit: 10 });
  expect(all.syncs).toMatchObject([
    { syncId: 'run-2', counts: { new: 1, changed: 1 } },
    { syncId: 'run-1', counts: { new: 1, changed: 0 } },
  ]);
  const changed = read.listChanges({ syncId: null, change: 'changed', offset: 0, limit: 10 });
  expect(changed).toMatchObject({ total: 1, changes: [{ id: 1, change: 'changed' }], counts: { new: 1 } });
  expect(read.listChanges({ syncId: 'run-1', change: 'new', offset: 0, limit: 10 })).toMatchObject({
    total: 0,
    counts: { new: 1 },
  });
});

test('claims that one user decided come first, then those of others, open ones, and members, each by amount', () => {
  const { ingest, read, database } = openTestStore();
  const claimsOf = (amounts: readonly number[]) =>
    amounts.map((amount, at) => ({ id: at + 1, patient_responsibility: amount }));
  ingest('claims', claimsOf([10, 10, 10, 10, 10]), source('run-1', false));
  ingest('members', [{ id: 9, first_name: 'Ana' }], source('run-2'));
  ingest(
    'claims',
    [...claimsOf([15, 90, 12, 700, 9]), { id: 6, patient_responsibility: 50 }],
    source('run-2'),
  );
  const decide = database.prepare(
    "INSERT INTO claim_reviews (claim_id, state, outcome, reviewed_by) VALUES (?, 'done', 'eligible', ?)",
  );
  decide.run(1, 'you@example.com');
  decide.run(2, 'other@example.com');
  decide.run(3, 'you@example.com');
  const { changes } = read.listChanges({ syncId: 'run-2', offset: 0, limit: 10, person: 'you@example.com' });
  expect(changes.map(({ id, decidedBy }) => [id, decidedBy])).toEqual([
    [1, 'you@example.com'],
    [3, 'you@example.com'],
    [2, 'other@example.com'],
    [4, null],
    [6, null],
    [5, null],
    [9, null],
  ]);
});

test('a record that changes and changes back within one sync did not change', () => {
  const { ingest, read } = openTestStore();
  ingest('claims', [{ id: 1, status: 'a' }]);
  ingest('claims', [{ id: 1, status: 'b' }], source('run-1'));
  ingest('claims', [{ id: 1, status: 'a' }], source('run-1'));
  expect(read.listChanges({ syncId: 'run-1', offset: 0, limit: 10 })).toMatchObject({
    total: 0,
    counts: { changed: 0 },
  });
});

test('beyond the limit changes are counted and not logged individually', () => {
  const { ingest, read } = openTestStore();
  const many = Array.from({ length: maxChangesOfSync + 5 }, (_none, index) => ({ id: index + 1 }));
  ingest('claims', many, source('run-1'));
  const { total, counts } = read.listChanges({ syncId: 'run-1', offset: 0, limit: 1 });
  expect([total, counts.new]).toEqual([maxChangesOfSync, maxChangesOfSync + 5]);
});

test('an interrupted sync’s changes belong to the sync that continues it', () => {
  const { ingest, read, write } = openTestStore();
  ingest('claims', [{ id: 1 }], source('run-1'));
  write.renameChanges({ from: 'run-1', to: 'run-2' });
  ingest('claims', [{ id: 2 }], source('run-2'));
  expect(read.listChanges({ syncId: 'run-2', offset: 0, limit: 10 })).toMatchObject({
    total: 2,
    counts: { new: 2 },
  });
  expect(read.readChangeCounts({ syncId: 'run-1' }).new).toBe(0);
});

test('a change that fails with its page leaves nothing', () => {
  const { database, ingest, read } = openTestStore();
  database.exec(`CREATE TEMP TRIGGER fail BEFORE INSERT ON claims WHEN NEW.id=3
    BEGIN SELECT RAISE(ABORT, 'on purpose'); END`);
  expect(() => ingest('claims', [{ id: 1 }, { id: 3 }], source('run-1'))).toThrow();
  expect(read.listChanges({ syncId: 'run-1', offset: 0, limit: 10 })).toMatchObject({
    total: 0,
    counts: { new: 0 },
  });
});

test('no SSN can be read in a change, at any depth', () => {
  const before = { id: 1, ssn: '111-22-3333', dependents: [{ id: 2, ssn: '111223344' }] };
  const after = { id: 1, ssn: '999-22-3333', dependents: [{ id: 2 }, { id: 3, ssn: '123456789' }] };
  const { fields } = diffRecords(before, after, 'members');
  expect(fields).toEqual([
    { path: 'dependents[0].ssn', before: '"***-**-3344"', after: null },
    { path: 'dependents[1]', before: null, after: '{"id":3,"ssn":"***-**-6789"}' },
    { path: 'ssn', before: '"***-**-3333"', after: '"***-**-3333"' },
  ]);
});

test('long values and many fields are cut, and marked so', () => {
  const long = { id: 1, remarks: 'x'.repeat(maxValue * 2) };
  const cut = diffRecords({ id: 1, remarks: 'y' }, long, 'claims');
  expect([cut.isCut, cut.fields[0]?.after?.length]).toEqual([true, maxValue]);
  const wide = Object.fromEntries(Array.from({ length: maxFields + 1 }, (_none, at) => [`f${at}`, at]));
  const many = diffRecords({ id: 1 }, { id: 1, ...wide }, 'claims');
  expect([many.isCut, many.fields.length]).toEqual([true, maxFields]);
});

test('records that are equal as JSON have no differences; others have some', () => {
  fc.assert(
    fc.property(anyClaim, anyClaim, (left, right) => {
      expect(diffRecords(left as JsonObject, structuredClone(left) as JsonObject, 'claims').fields).toEqual(
        [],
      );
      const { fields } = diffRecords(left as JsonObject, right as JsonObject, 'claims');
      const isSame = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
      if (!isSame) expect(fields.length).toBeGreaterThan(0);
      expect(
        mergeFields(fields, diffRecords(right as JsonObject, left as JsonObject, 'claims').fields),
      ).toEqual([]);
    }),
    { numRuns: fuzzRuns(50) },
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
