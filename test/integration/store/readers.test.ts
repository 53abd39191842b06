import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/main/engine/store/threads/store.ts';
import { makeTempFolder } from '../../support/temp-folder.ts';

const countThreads = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort').length;

/** How many readers a store with at most three has after each of these bursts of reads; its writer is ready before. */
async function countReaders(...bursts: number[]): Promise<number[]> {
  const filePath = join(makeTempFolder(), 'records.db');
  const store = await openStore({ filePath, key: Buffer.alloc(32, 7), isReadOnly: false, readers: 3 });
  const before = countThreads();
  const counts: number[] = [];
  for (const reads of bursts) {
    await Promise.all(Array.from({ length: reads }, () => store.read('readReceipts', null)));
    counts.push(countThreads() - before);
  }
  await store.close();
  return counts;
}

test('a burst of reads starts one more reader, up to the limit', async () => {
  const many = 20_000;
  expect(await countReaders(1, many, many, many)).toEqual([1, 2, 3, 3]);
});

test('a read that waits briefly starts none', async () => {
  const counts: number[] = [];
  // On a busy machine a read may last longer than that moment.
  while (!counts.includes(1) && counts.length < 5) counts.push((await countReaders(1, 2))[1] ?? 0);
  expect(counts).toContain(1);
});
