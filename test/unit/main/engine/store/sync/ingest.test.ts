import { expect, test } from 'vitest';
import { createChangeLog } from '../../../../../../src/main/engine/store/sync/change-log.ts';
import { createIngest } from '../../../../../../src/main/engine/store/sync/ingest.ts';
import { createPassPages } from '../../../../../../src/main/engine/store/sync/pass-pages.ts';
import type { SyncState } from '../../../../../../src/main/engine/store/sync/sync-state.ts';
import { openTestStore } from '../../../../../support/engine-store.ts';

const beginRun = (changes: Partial<SyncState> = {}): SyncState => ({
  runId: 'run-1',
  startedAt: '2026-01-01T00:00:00.000Z',
  kind: 'claims',
  pass: 1,
  nextPage: 1,
  perPage: 1000,
  passes: [],
  passStartedAt: '2026-01-01T00:00:00.000Z',
  total: null,
  isSteady: true,
  pages: 0,
  failedRequests: 0,
  failures: [],
  isFirst: false,
  isPaused: false,
  lossQuestion: null,
  ...changes,
});

test('counts what a page contained', () => {
  const { ingest, write } = openTestStore();
  write.beginPass(beginRun());
  const page = { isPartOfPass: true };
  const first = ingest('claims', [{ id: 1, status: 'Rejected' }, { id: 2 }, 'no record'], page);
  expect(first).toMatchObject({ records: 3, fresh: 3, added: 2, changed: 0, setAside: 1 });
  const again = ingest('claims', [{ id: 1, status: 'Processed' }, { id: 2 }, 'no record'], page);
  expect(again).toMatchObject({ records: 3, fresh: 0, added: 0, changed: 1, setAside: 1 });
});

test('paging facts are used if they are whole numbers, and null if they are odd', () => {
  const { ingest } = openTestStore();
  const envelope = { page: 2, per_page: 10, pages: 3, total: 25, has_next: true, data: [] };
  expect(ingest('claims', JSON.stringify(envelope))).toMatchObject({
    page: 2,
    perPage: 10,
    pages: 3,
    total: 25,
    hasNext: true,
  });
  const odd = { page: '2', per_page: 1.5, pages: null, total: [], has_next: 'yes', data: [] };
  expect(ingest('claims', JSON.stringify(odd))).toMatchObject({
    page: null,
    perPage: null,
    pages: null,
    total: null,
    hasNext: null,
  });
});

test.each([
  ['an object in place of a list', '{"data":{"id":5}}', 1],
  ['null', '{"data":null}', 0],
  ['an empty list', '{"data":[]}', 0],
])('data that is %s is read', (_name, body, records) => {
  expect(openTestStore().ingest('claims', body).records).toBe(records);
});

test.each([
  ['cut short', '{"data":[{"id":1}'],
  ['a list without an envelope', '[{"id":1}]'],
  ['without data', '{"message":"hello"}'],
  ['HTML', '<!doctype html>'],
  ['empty', ''],
])('a body that is %s is service.badReply with the request id', (_name, body) => {
  const { ingest } = openTestStore();
  expect(() => ingest('claims', body, { requestId: 'req-77' })).toThrow(
    expect.objectContaining({ code: 'service.badReply', requestId: 'req-77' }),
  );
});

test('bytes that are not UTF-8 are service.badReply, not question marks', () => {
  const { write } = openTestStore();
  const body = Buffer.concat([
    Buffer.from('{"data":[{"id":1,"remarks":"'),
    Buffer.from([0xc3, 0x28]),
    Buffer.from('"}]}'),
  ]);
  const page = {
    kind: 'claims' as const,
    body,
    pass: 1,
    page: 1,
    seenAt: '',
    requestId: null,
    isPartOfPass: false,
  };
  expect(() => write.ingestPage(page)).toThrow(expect.objectContaining({ code: 'service.badReply' }));
});

test.each([[null], ['A7'], [1.5], [true], [{}], [undefined]])(
  'a record whose ID is %j is set aside with the reason and the rest of the page is kept',
  (id) => {
    const { ingest, read } = openTestStore();
    ingest('claims', [{ id: 1 }, { id, status: 'Rejected' }, { id: 2 }]);
    expect(read.countRecords(null)).toMatchObject({ claims: 2, setAside: 1 });
    expect(read.listSetAside(null)).toEqual([
      {
        kind: 'claims',
        reason: 'The id is missing or is not a whole number.',
        recordId: id === undefined ? null : JSON.stringify(id),
        seenAt: '2026-01-02T03:04:05.000Z',
      },
    ]);
  },
);

test('an ID beyond 2^53 is set aside with its digits', () => {
  const { ingest, read } = openTestStore();
  ingest('claims', '{"data":[{"id":9007199254740993}]}');
  expect(read.listSetAside(null)).toMatchObject([{ recordId: '9007199254740993' }]);
});

test('an ID of minus zero is zero, however often it arrives', () => {
  const { ingest, read, texts } = openTestStore();
  ingest('claims', '{"data":[{"id":-0,"remarks":"a"}]}');
  ingest('claims', '{"data":[{"id":0,"remarks":"b"}]}');
  ingest('claims', '{"data":[{"id":-0,"remarks":"c"}]}');
  expect(read.countRecords(null)).toMatchObject({ claims: 1, setAside: 0 });
  expect(JSON.parse(texts('claims', [0])[0] ?? '')).toEqual({ id: 0, remarks: 'c' });
});

test('the same odd record counts once, however often it arrives', () => {
  const { ingest, read } = openTestStore();
  ingest('claims', ['odd', { remarks: 'no id' }]);
  ingest('claims', [{ remarks: 'no id' }, 'odd']);
  expect(read.countRecords(null).setAside).toBe(2);
});

test('an unchanged record is not written again, whatever the order of its keys', () => {
  const { ingest } = openTestStore();
  ingest('claims', '{"data":[{"id":1,"status":"Rejected","type":{"name":"rx","type_id":3}}]}');
  const outcome = ingest(
    'claims',
    '{"data":[{"type":{"type_id":3,"name":"rx"},"id":1,"status":"Rejected"}]}',
  );
  expect(outcome).toMatchObject({ added: 0, changed: 0 });
});

test('a record marked missing is back when it is received again, even unchanged', () => {
  const { ingest, write, read } = openTestStore();
  ingest('claims', [{ id: 1 }, { id: 2 }]);
  write.beginPass(beginRun());
  ingest('claims', [{ id: 2 }], { isPartOfPass: true });
  expect(write.countUnseen({ kind: 'claims', pass: 1 })).toEqual({ here: 2, unseen: 1 });
  const changes = { syncId: 'run-1', keepsNew: true };
  expect(write.markMissing({ kind: 'claims', pass: 1, at: '2026-02-01T00:00:00.000Z', changes })).toBe(1);
  expect(read.countRecords(null).claims).toBe(1);
  expect(ingest('claims', [{ id: 1 }])).toMatchObject({ added: 0, changed: 1 });
  expect(read.countRecords(null).claims).toBe(2);
});

test('rows and position are written together: a failing page leaves neither', () => {
  const { database, ingest, write, read } = openTestStore();
  write.beginPass(beginRun());
  ingest('claims', [{ id: 1 }], { isPartOfPass: true, page: 1 });
  database.exec(`CREATE TEMP TRIGGER fail BEFORE INSERT ON claims WHEN NEW.id=3
    BEGIN SELECT RAISE(ABORT, 'on purpose'); END`);
  const withNewObjects = [
    {
      id: 2,
      policy_holder: { id: 9, first_name: 'New' },
      members: [{ id: 4, employer: { id: 8, name: 'N' } }],
    },
    { id: 3 },
  ];
  expect(() => ingest('claims', withNewObjects, { isPartOfPass: true, page: 2 })).toThrow('on purpose');
  expect(read.countRecords(null).claims).toBe(1);
  expect(read.readSyncState(null)?.nextPage).toBe(2);
  expect(database.prepare('SELECT count(*) FROM policy_holders').pluck().get()).toBe(0);

  // The objects of the failed page are made again, not remembered by IDs that were rolled back.
  database.exec('DROP TRIGGER fail');
  ingest('claims', withNewObjects, { isPartOfPass: true, page: 2 });
  expect(database.pragma('foreign_key_check')).toEqual([]);
  expect(read.readSyncState(null)?.nextPage).toBe(3);
});

test('after a failing page, every shared object and shape is right', () => {
  const { database, ingest, texts } = openTestStore();
  const member = (id: number, name: string) => ({
    id,
    employer: { id, name, payers: [{ id, name: `payer ${name}` }], eligible_payers: null },
    tenant: { id, name, vendor_tenants: [{ id, label: name, vendor: { id, code: name, name } }] },
    vendor_members: [{ key: name, vendor_tenant: { id, label: name, vendor: { id, code: name, name } } }],
    accounts: [{ id, name }],
  });
  database.exec(`CREATE TEMP TRIGGER fail BEFORE INSERT ON members WHEN NEW.id=99
    BEGIN SELECT RAISE(ABORT, 'on purpose'); END`);
  expect(() => ingest('members', [member(1, 'lost'), { id: 99 }])).toThrow('on purpose');
  const others = [member(2, 'other'), { id: 3, employer: { archived: null } }, member(1, 'lost')];
  ingest('members', others);
  expect(texts('members', [2, 3, 1]).map((text) => JSON.parse(text ?? ''))).toEqual(others);
});

test('a narrow fetch does not change the position or what the pass has received', () => {
  const { ingest, write, read } = openTestStore();
  write.beginPass(beginRun());
  ingest('claims', [{ id: 1 }], { isPartOfPass: true });
  const before = write.digestPass({ kind: 'claims', pass: 1 });
  ingest('claims', [{ id: 2 }], { isPartOfPass: false, page: 9 });
  expect(write.digestPass({ kind: 'claims', pass: 1 })).toEqual(before);
  expect(read.readSyncState(null)?.nextPage).toBe(2);
});

test('a pass that continues knows what a killed pass had read about the total', () => {
  const { ingest, write, read } = openTestStore();
  write.beginPass(beginRun());
  const page = (number: number, total: number): void => {
    const body = JSON.stringify({ data: [{ id: number }], total, page: number });
    ingest('claims', body, { isPartOfPass: true, page: number });
  };
  page(1, 100);
  expect(read.readSyncState(null)).toMatchObject({ nextPage: 2, total: 100, isSteady: true, pages: 1 });
  page(2, 100);
  expect(read.readSyncState(null)).toMatchObject({ nextPage: 3, total: 100, isSteady: true, pages: 2 });
  page(3, 101);
  expect(read.readSyncState(null)).toMatchObject({ nextPage: 4, total: 101, isSteady: false, pages: 3 });
  page(4, 101);
  expect(read.readSyncState(null)).toMatchObject({ nextPage: 5, total: 101, isSteady: false, pages: 4 });
});

test('two lists with the same page size are distinguished by the digest of their pass', () => {
  const { ingest, write } = openTestStore();
  const digestOf = (pass: number, data: unknown[]): unknown => {
    write.beginPass(beginRun({ pass }));
    ingest('claims', data, { isPartOfPass: true, pass });
    return write.digestPass({ kind: 'claims', pass });
  };
  const first = digestOf(1, [{ id: 1, remarks: 'a' }, { id: 2 }]);
  expect(digestOf(2, [{ id: 2 }, { remarks: 'a', id: 1 }])).toEqual(first);
  expect(digestOf(3, [{ id: 1, remarks: 'b' }, { id: 2 }])).not.toEqual(first);
  expect(digestOf(4, [{ id: 1, remarks: 'a' }, { id: 3 }])).not.toEqual(first);
  expect(digestOf(5, [{ id: 1, remarks: 'a' }, { id: 2 }, 'odd'])).not.toEqual(first);
});

test('the writer can be created again on a file that has rows', () => {
  const { database, ingest, texts } = openTestStore();
  ingest('members', [{ id: 1, employer: { id: 5, name: 'A' } }]);
  const again = createIngest(database, createPassPages(database), createChangeLog(database));
  const body = Buffer.from('{"data":[{"id":2,"employer":{"name":"A","id":5}}]}');
  again({ kind: 'members', body, pass: 1, page: 1, seenAt: '', requestId: null, isPartOfPass: false });
  expect(database.prepare('SELECT count(*) FROM employers').pluck().get()).toBe(1);
  expect(JSON.parse(texts('members', [2])[0] ?? '')).toEqual({ id: 2, employer: { id: 5, name: 'A' } });
});

/** Reads these pages as one pass; the texts are what the service sends. */
function readPass(store: ReturnType<typeof openTestStore>, pass: number, pages: readonly unknown[][]) {
  store.write.beginPass(beginRun({ pass }));
  const outcomes = pages.map((data, index) =>
    store.ingest('claims', data, { isPartOfPass: true, pass, page: index + 1 }),
  );
  return { outcomes, ...store.write.digestPass({ kind: 'claims', pass }) };
}

test('a page that is byte for byte that of the previous pass is not written again, and counts', () => {
  const store = openTestStore();
  const pages = [[{ id: 1 }, 'odd'], [{ id: 2 }]];
  const first = readPass(store, 1, pages);
  const second = readPass(store, 2, pages);
  expect({ ...second, outcomes: [] }).toEqual({ ...first, outcomes: [] });
  expect(first.count).toBe(3);
  expect(second.outcomes).toMatchObject([
    { records: 2, fresh: 2, added: 0, changed: 0, setAside: 1 },
    { records: 1, fresh: 1, added: 0, changed: 0, setAside: 0 },
  ]);
});

test('the digest of a pass matches what is stored, though pages contradict each other', () => {
  const old = { id: 1, status: 'In Process' };
  const renewed = { id: 1, status: 'Processed' };
  const others = [[{ id: 2 }], [{ id: 3 }]];
  const statusOf = (store: ReturnType<typeof openTestStore>): unknown =>
    (JSON.parse(store.texts('claims', [1])[0] ?? '') as { status: string }).status;

  // Seen on two pages of the first pass, and as it was on the first of them afterwards.
  const moved = openTestStore();
  readPass(moved, 1, [[old], [renewed]]);
  const second = readPass(moved, 2, [[old], [{ id: 2 }]]);
  const third = readPass(moved, 3, [[old], [{ id: 2 }]]);
  expect(third.digest).toBe(second.digest);
  expect(statusOf(moved)).toBe('In Process');

  // Renewed on an earlier page, while the page on which it was is answered by a server that lags behind.
  const lagging = openTestStore();
  readPass(lagging, 1, [others[0] as unknown[], [old]]);
  readPass(lagging, 2, [[renewed], [old]]);
  readPass(lagging, 3, [others[0] as unknown[], [old]]);
  readPass(lagging, 4, [others[0] as unknown[], [old]]);
  expect(statusOf(lagging)).toBe('In Process');
});

test('after a narrow fetch wrote something, an equal page is read again', () => {
  const store = openTestStore();
  readPass(store, 1, [[{ id: 1, status: 'Processed' }]]);
  store.ingest('claims', [{ id: 1, status: 'Rejected' }]);
  const second = readPass(store, 2, [[{ id: 1, status: 'Processed' }]]);
  expect(second.outcomes).toMatchObject([{ changed: 1 }]);
  expect(JSON.parse(store.texts('claims', [1])[0] ?? '')).toEqual({ id: 1, status: 'Processed' });
});

test('the newest receipt is the one written last, even if the clock of this computer was set back', () => {
  const store = openTestStore();
  const receipt = (runId: string, finishedAt: string) =>
    ({ runId, finishedAt, outcome: 'complete' }) as Parameters<typeof store.write.writeReceipt>[0];
  store.write.writeReceipt(receipt('first', '2026-03-01T00:00:00.000Z'));
  store.write.writeReceipt(receipt('second', '2026-02-01T00:00:00.000Z'));
  expect(store.read.readReceipts(null)).toMatchObject({
    last: { runId: 'second' },
    lastComplete: { runId: 'second' },
  });
});

test('the search texts of a page are written to the index at once, not separately for each claim', () => {
  const store = openTestStore();
  const claimOf = (id: number) => ({ id, patient_name: `Name ${id}`, policy_holder: { id } });
  store.ingest(
    'claims',
    Array.from({ length: 50 }, (_none, index) => claimOf(index + 1)),
  );
  const segments = store.database.prepare('SELECT count(DISTINCT segid) FROM claims_text_idx').pluck();
  expect(segments.get()).toBe(1);
  expect(store.list({ entity: 'claims', search: 'name 17' })).toEqual([17]);
});

test('a record with the same bytes as last time is not parsed, in whichever page it is', () => {
  const store = openTestStore();
  const texts = [1, 2, 3].map((id) => `{"id":${id},"status":"Processed","remarks":"${'x'.repeat(40)}"}`);
  store.ingest('claims', `{"data":[${texts.join()}]}`);
  // Were the second one parsed, it would be written again: its stored digest is another now.
  store.database.prepare("UPDATE claims SET digest=x'00' WHERE id=2").run();
  expect(store.ingest('claims', `{"data":[${texts[2]},${texts[1]}]}`)).toMatchObject({
    records: 2,
    changed: 0,
  });
  expect(store.ingest('claims', `{"data":[${texts[1]?.replace('{', '{ ')}]}`)).toMatchObject({ changed: 1 });
});

test('other bytes of the same record change nothing, and are known from then on', () => {
  const store = openTestStore();
  const read = store.database.prepare('SELECT hex(bytes_hash) FROM claims').pluck();
  store.ingest('claims', '{"data":[{"id":1,"status":"Processed"}]}');
  const first = read.get();
  expect(store.ingest('claims', '{"data":[{"status":"Processed","id":1}]}')).toMatchObject({ changed: 0 });
  expect(read.get()).not.toBe(first);
  // An object in place of a list is not told apart by its bytes.
  expect(store.ingest('claims', '{"data":{"id":1,"status":"Rejected"}}')).toMatchObject({ changed: 1 });
  expect(read.get()).toBe('');
  expect(store.ingest('claims', '{"data":[{"id":1,"status":"Processed"}]}')).toMatchObject({ changed: 1 });
  expect(read.get()).toBe(first);
});

test('a record that returns with the bytes of last time is no longer missing', () => {
  const store = openTestStore();
  store.ingest('claims', '{"data":[{"id":1}]}');
  store.database.prepare("UPDATE claims SET gone_since='2026-01-01' WHERE id=1").run();
  expect(store.ingest('claims', '{"data":[{"id":1}]}')).toMatchObject({ changed: 1 });
  expect(store.list({ entity: 'claims' })).toEqual([1]);
});
