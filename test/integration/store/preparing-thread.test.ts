import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/main/engine/store/threads/store.ts';
import { makeSharedFolder } from '../../support/temp-folder.ts';

const folder = makeSharedFolder();

const countThreads = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort').length;
const page = (): Uint8Array =>
  Uint8Array.from(
    Buffer.from('{"data":[{"id":1}],"page":1,"per_page":1,"pages":1,"total":1,"has_next":false}'),
  );

test('the thread that prepares pages ends with the first read, and another page starts a new one', async () => {
  const filePath = join(folder, 'records.db');
  const store = await openStore({ filePath, key: Buffer.alloc(32, 7), isReadOnly: false, readers: 1 });
  const before = countThreads();
  const first = await store.prepare('claims', page(), null);
  expect(countThreads()).toBeGreaterThan(before);
  await store.endPreparing();
  expect(countThreads()).toBe(before);
  expect((await store.prepare('claims', page(), null)).packed).toEqual(first.packed);
  await store.close();
});
