import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../../../../../../src/main/engine/store/file/connection.ts';
import { checkRecords } from '../../../../../../src/main/engine/store/maintenance/check-records.ts';
import { copyRecords } from '../../../../../../src/main/engine/store/maintenance/copy-records.ts';
import { openRecords } from '../../../../../../src/main/engine/store/record/open-records.ts';
import { digestRecord } from '../../../../../../src/main/engine/store/record/record-digest.ts';
import { createRecordReader } from '../../../../../../src/main/engine/store/record/record-reader.ts';
import { createWriteOperations } from '../../../../../../src/main/engine/store/threads/operations.ts';
import { openStoreAt, openTestStore } from '../../../../../support/engine-store.ts';
import { copyOldRecords, type OldRecords } from '../../../../../support/old-records.ts';

/** A store that version 0.1 wrote, opened by this one: 244 claims, 59 members, of both some that are missing. */
function givenOldStore() {
  const { filePath, key, sent, remove } = copyOldRecords('lakeside');
  onTestFinished(remove);
  const store = openStoreAt(filePath, key);
  const count = (sql: string): number => store.connection.prepare(sql).pluck().get() as number;
  const idAt = (place: number): number => count(`SELECT id FROM claims ORDER BY id LIMIT 1 OFFSET ${place}`);
  const missing = count('SELECT count(*) FROM claims WHERE gone_since IS NOT NULL');
  return { ...store, sent, count, idAt, missing };
}

type Store = ReturnType<typeof openTestStore>;
const begin = '-9007199254740992';
const listLeft = ({ connection }: Store): unknown[] =>
  connection
    .prepare("SELECT substr(name, 12), value FROM sync_state WHERE name LIKE 'oldDigests.%' ORDER BY name")
    .raw()
    .all();
const isSound = ({ connection }: Store): boolean => checkRecords(connection, true).isSound;

/** Records whose digest is not that of the record. */
function countOld({ connection }: Store): number {
  const reader = createRecordReader(connection);
  let old = 0;
  for (const kind of ['members', 'claims'] as const) {
    const rows = connection.prepare(`SELECT id, digest FROM ${kind}`).raw().all() as [number, Buffer][];
    for (const [id, digest] of rows) {
      if (!digest.equals(digestRecord(reader[kind](id)?.record ?? {}))) old += 1;
    }
  }
  return old;
}

test('a renewed digest is no change of a claim: duplicates and worklists are not looked at again', () => {
  const store = givenOldStore();
  const noted = (): number => store.count('SELECT count(DISTINCT id) FROM changed_claims');
  expect(noted()).toBe(store.sent.claims.length);
  store.connection.exec(
    'DELETE FROM changed_claims WHERE id NOT IN (SELECT id FROM claims ORDER BY id LIMIT 3)',
  );
  while (store.write.renewDigests(null));
  expect(countOld(store)).toBe(0);
  expect(noted()).toBe(3);
});

test('a record that is equal as JSON is not changed, and has a digest of its own from then on', () => {
  const store = givenOldStore();
  const { members, claims } = store.sent;
  expect(countOld(store)).toBe(members.length + claims.length);
  const changes = { runId: 'r', keepsNew: true };
  for (const kind of ['members', 'claims'] as const) {
    expect(store.ingest(kind, store.sent[kind], { changes })).toMatchObject({ added: 0 });
  }
  // What had been missing comes back as it was.
  expect(store.missing).toBeGreaterThan(0);
  const counts = { new: 0, changed: 0, missing: 0, confirmed: 0, returned: store.missing + 1 };
  expect(store.read.readChangeCounts({ runId: 'r' })).toEqual(counts);
  expect(countOld(store)).toBe(0);
});

test('a record that did change is changed, with what changed', () => {
  const store = givenOldStore();
  const [first, second] = store.sent.claims.filter(
    ({ id }) => store.read.readMissingMark({ kind: 'claims', id }) === null,
  );
  const { x_nothing: _absent, ...without } = second ?? { id: 0 };
  const changes = { runId: 'r', keepsNew: true };
  const sent = [{ ...first, x_object: { nested: 1 } }, without];
  expect(store.ingest('claims', sent, { changes })).toMatchObject({ added: 0, changed: 2 });
  expect(store.read.listChanges({ runId: 'r', offset: 0, limit: 9 }).changes).toMatchObject([
    { id: first?.id, fields: [{ path: 'x_object.nested', before: '{"deeply":"é"}', after: '1' }] },
    { id: second?.id, fields: [{ path: 'x_nothing', before: 'null', after: null }] },
  ]);
});

test('the digests are made again step by step, and a later opening goes on where the last one was', () => {
  const store = givenOldStore();
  expect(listLeft(store)).toEqual([
    ['claims', begin],
    ['members', begin],
  ]);
  expect(store.write.renewDigests(null)).toBe(true);
  expect(listLeft(store)).toEqual([['claims', begin]]);
  expect(store.write.renewDigests(null)).toBe(true);
  expect(listLeft(store)).toEqual([['claims', String(store.idAt(199))]]);
  expect(countOld(store)).toBe(store.sent.claims.length - 200);

  const again = createWriteOperations(store.connection);
  store.ingest('claims', store.sent.claims.slice(0, 20));
  expect(again.renewDigests(null)).toBe(true);
  expect(again.renewDigests(null)).toBe(false);
  expect(listLeft(store)).toEqual([]);
  expect(countOld(store)).toBe(0);
  expect(isSound(store)).toBe(true);
});

test('a new file has no old digests', () => {
  const store = openTestStore();
  store.ingest('claims', [{ id: 1 }]);
  expect(listLeft(store)).toEqual([]);
  expect(store.write.renewDigests(null)).toBe(false);
  expect(countOld(store)).toBe(0);
});

test('the full check passes over digests that are still old, and over nothing else', () => {
  const store = givenOldStore();
  const change = (id: number) =>
    store.connection.prepare("UPDATE claims SET remarks='other' WHERE id=?").run(id);
  expect(isSound(store)).toBe(true);
  store.write.renewDigests(null);
  store.write.renewDigests(null);
  expect(isSound(store)).toBe(true);
  change(store.idAt(200));
  expect(isSound(store)).toBe(true);
  change(store.idAt(199));
  expect(isSound(store)).toBe(false);
});

test('a record that cannot be read whole is passed over, and found by the full check', () => {
  const store = givenOldStore();
  store.connection.prepare("UPDATE claims SET extra='{' WHERE id=?").run(store.idAt(5));
  expect(isSound(store)).toBe(false);
  while (store.write.renewDigests(null));
  expect(listLeft(store)).toEqual([]);
  expect(countRenewed(store)).toBe(store.sent.members.length + store.sent.claims.length - 1);
  expect(checkRecords(store.connection, true)).toMatchObject({ isSound: false, problems: 1 });
});

/** Records whose digest is no longer that of the file as it came. */
function countRenewed(store: ReturnType<typeof givenOldStore>): number {
  const untouched = givenOldStore();
  return (['members', 'claims'] as const).reduce((sum, kind) => {
    const read = ({ connection }: Store) =>
      connection.prepare(`SELECT hex(digest) FROM ${kind} ORDER BY id`).pluck().all() as string[];
    const before = read(untouched);
    return sum + read(store).filter((digest, index) => digest !== before[index]).length;
  }, 0);
}

test('records are copied with their old digests, none lost; the copy has none', () => {
  const store = givenOldStore();
  store.write.renewDigests(null);
  store.write.renewDigests(null);
  expectCopied(store.connection, store.sent);
});

test('so are those of a file that was not brought to this version', () => {
  const { filePath, key, sent, remove } = copyOldRecords('lakeside');
  const source = openRecords(filePath, key);
  onTestFinished(() => {
    source.close();
    remove();
  });
  expectCopied(source, sent);
});

function expectCopied(source: Connection, { members, claims }: OldRecords['sent']): void {
  const copy = openTestStore();
  // Nobody else has the file of a copy open.
  copy.readerConnection.close();
  const outcome = copyRecords(source, copy.connection, null);
  expect(outcome).toMatchObject({ members: members.length, claims: claims.length, lost: [] });
  expect(listLeft(copy)).toEqual([]);
  expect(countOld(copy)).toBe(0);
  expect(isSound(copy)).toBe(true);
}
