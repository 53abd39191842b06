import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newestVersionOf } from '../../../src/main/engine/store/file/migration-list.ts';
import { openRecords } from '../../../src/main/engine/store/record/open-records.ts';
import { openStore, type Store } from '../../../src/main/engine/store/threads/store.ts';
import { loadThreadsAhead } from '../../../src/main/engine/store/threads/store-thread.ts';
import { testBytes } from '../../support/seeds.ts';
import { makeTempFolder } from '../../support/temp-profile.ts';

async function open(filePath: string, key: Uint8Array, isReadOnly = false): Promise<Store> {
  const store = await openStore({ filePath, key: Uint8Array.from(key), isReadOnly, readers: 1 });
  onTestFinished(() => store.close());
  return store;
}

const page = (text: string) => ({
  kind: 'claims' as const,
  body: Buffer.from(text),
  pass: 1,
  page: 1,
  seenAt: '2026-01-01T00:00:00.000Z',
  requestId: null,
  isPartOfPass: false,
});

test('what was written can be read with the same key, even by a process that may not write', async () => {
  const filePath = join(makeTempFolder(), 'deep', 'records.db');
  const key = testBytes(32);
  const store = await open(filePath, key);
  await store.write('ingestPage', page('{"data":[{"id":1,"patient_name":"Planted Name Xyzzy"}]}'));
  const reader = await open(filePath, key, true);
  expect(await reader.read('countRecords', null)).toMatchObject({ claims: 1 });
  await expect(reader.write('writeSyncState', null)).rejects.toMatchObject({ code: 'profile.busy' });
  // While both are open: the file, its log and its index.
  for (const name of await readdir(join(filePath, '..'))) {
    const bytes = await readFile(join(filePath, '..', name));
    for (const encoding of ['utf8', 'utf16le'] as const)
      expect(bytes.includes(Buffer.from('Planted', encoding)), name).toBe(false);
    expect(bytes.subarray(0, 15).toString('latin1')).not.toBe('SQLite format 3');
  }
});

test('another key is store.wrongKey, and the file is unchanged', async () => {
  const filePath = join(makeTempFolder(), 'records.db');
  const key = testBytes(32);
  const store = await open(filePath, key);
  await store.write('ingestPage', page('{"data":[{"id":1}]}'));
  await store.close();
  const before = await readFile(filePath);
  await expect(open(filePath, testBytes(32, 2))).rejects.toMatchObject({ code: 'store.wrongKey' });
  const reader = await open(filePath, testBytes(32, 2), true);
  await expect(reader.read('countRecords', null)).rejects.toMatchObject({ code: 'store.wrongKey' });
  expect((await readFile(filePath)).equals(before)).toBe(true);
  expect(await (await open(filePath, key)).read('countRecords', null)).toMatchObject({ claims: 1 });
});

test.each([0, 16, 31, 33, 64])('a key of %i bytes never creates a file', async (length) => {
  const folder = makeTempFolder();
  expect(() => openRecords(join(folder, 'records.db'), testBytes(length))).toThrow(
    expect.objectContaining({ code: 'internal.fault' }),
  );
  expect(await readdir(folder)).toEqual([]);
});

test('sorts and temporary tables stay in memory on every connection', async () => {
  const filePath = join(makeTempFolder(), 'records.db');
  const key = testBytes(32);
  for (const isReadOnly of [false, true]) {
    const connection = openRecords(filePath, key, { isReadOnly });
    onTestFinished(() => void connection.close());
    expect(connection.pragma('temp_store', { simple: true })).toBe(2);
    expect(connection.pragma('journal_mode', { simple: true })).toBe('wal');
  }
});

test('a plain file, or one that is not a database, is refused', async () => {
  const filePath = join(makeTempFolder(), 'records.db');
  await writeFile(filePath, 'this is no database, whatever its name says. '.repeat(200));
  await expect(open(filePath, testBytes(32, 2))).rejects.toMatchObject({ code: 'store.wrongKey' });
});

test('a file of a newer Claimdesk is refused', async () => {
  const filePath = join(makeTempFolder(), 'records.db');
  const key = testBytes(32);
  await (await open(filePath, key)).close();
  const connection = openRecords(filePath, key);
  connection.pragma(`user_version=${newestVersionOf('records') + 1}`);
  connection.close();
  await expect(open(filePath, key)).rejects.toMatchObject({ code: 'store.newer' });
});

test('if nothing was synced, reading is store.empty, and no file is created', async () => {
  const folder = makeTempFolder();
  await expect(open(join(folder, 'records.db'), testBytes(32, 2), true)).rejects.toMatchObject({
    code: 'store.empty',
  });
  expect(await readdir(folder)).toEqual([]);
});

test('calls after the end are engine.gone, and do not wait forever', async () => {
  const store = await open(join(makeTempFolder(), 'records.db'), testBytes(32));
  await store.write('ingestPage', page('{"data":[{"id":1}]}'));
  await store.close();
  await expect(store.write('writeSyncState', null)).rejects.toMatchObject({ code: 'engine.stopped' });
});

test('an error of a thread arrives with its code and the request ID', async () => {
  const store = await open(join(makeTempFolder(), 'records.db'), testBytes(32));
  const broken = { ...page('<html>'), requestId: 'req-55' };
  await expect(store.write('ingestPage', broken)).rejects.toMatchObject({
    code: 'service.badReply',
    requestId: 'req-55',
  });
  await expect(
    store.read('listKeys', { entity: 'claims', conditions: [{ field: 'x', operator: 'is', values: [1] }] }),
  ).rejects.toMatchObject({ code: 'query.invalid', details: { field: 'x' } });
});

test('threads that were loaded ahead open what is requested first, one file each', async () => {
  const filePath = join(makeTempFolder(), 'records.db');
  const key = testBytes(32);
  const started: unknown[] = [];
  const note = (message: unknown) => void started.push(message);
  loadThreadsAhead(3);
  subscribe('worker_threads', note);
  onTestFinished(() => void unsubscribe('worker_threads', note));
  const store = await open(filePath, key);
  await store.write('ingestPage', page('{"data":[{"id":1}]}'));
  expect(await store.read('countRecords', null)).toMatchObject({ claims: 1 });
  // The third is refused, as a new one would be.
  const reader = await open(filePath, testBytes(32, 2), true);
  await expect(reader.read('countRecords', null)).rejects.toMatchObject({ code: 'store.wrongKey' });
  expect(started).toHaveLength(0);
  await (await open(filePath, key, true)).read('countRecords', null);
  expect(started).toHaveLength(1);
});
