import { expect, test } from 'vitest';
import { queueList } from '../../../../../src/main/engine/lists/list-queue.ts';
import { createSnapshots } from '../../../../../src/main/engine/lists/snapshots.ts';
import { createSerialQueue } from '../../../../../src/main/lib/serial-queue.ts';

const madeOf = (...keys: number[]) => ({ keys: Float64Array.from(keys), totals: null, version: 1 });
const snapshotOf = (...keys: number[]) => ({
  workspaceId: 'a',
  entity: 'claims' as const,
  query: { entity: 'claims' as const },
  list: { made: Promise.resolve(madeOf(...keys)), drop() {} },
  first: null,
});
const isExpired = expect.objectContaining({ code: 'snapshot.expired' });

test('a list stays as it was made until it is closed', async () => {
  const snapshots = createSnapshots();
  const id = snapshots.add(snapshotOf(3, 1, 2));
  expect(await snapshots.get('a', id).list.made).toEqual(madeOf(3, 1, 2));
  snapshots.remove(id);
  expect(() => snapshots.get('a', id)).toThrow(isExpired);
});

test('a list of one workspace is not available in another', async () => {
  const snapshots = createSnapshots();
  const id = snapshots.add(snapshotOf(1));
  expect(() => snapshots.get('b', id)).toThrow(isExpired);
  expect(() => snapshots.get('a', 'made-up')).toThrow(isExpired);
  expect(await snapshots.get('a', id).list.made).toEqual(madeOf(1));
});

test('beyond the limit, the least recently used list is closed', async () => {
  const snapshots = createSnapshots();
  const add = () => snapshots.add(snapshotOf(1));
  const first = add();
  const second = add();
  for (let count = 2; count < 24; count += 1) add();
  snapshots.get('a', first);
  add();
  expect(() => snapshots.get('a', second)).toThrow(isExpired);
  expect(await snapshots.get('a', first).list.made).toEqual(madeOf(1));
});

test('beyond the size limit, the least recently used list is closed, never the one just made', async () => {
  const snapshots = createSnapshots({ count: 10, bytes: 100 });
  const first = snapshots.add(snapshotOf(...Array(6).keys()));
  const second = snapshots.add(snapshotOf(...Array(6).keys()));
  await snapshots.get('a', second).list.made;
  const third = snapshots.add(snapshotOf(...Array(40).keys()));
  await snapshots.get('a', third).list.made;
  await Promise.resolve();
  expect(() => snapshots.get('a', first)).toThrow(isExpired);
  expect(() => snapshots.get('a', second)).toThrow(isExpired);
  expect((await snapshots.get('a', third).list.made).keys).toHaveLength(40);
});

test('a list that can’t be made rejects for its callers', async () => {
  const snapshots = createSnapshots();
  const list = queueList(createSerialQueue(), () => Promise.reject(new Error('no')));
  const id = snapshots.add({ ...snapshotOf(), list });
  await expect(snapshots.get('a', id).list.made).rejects.toThrow('no');
});

test('callers waiting for a list that is closed are rejected immediately', async () => {
  const snapshots = createSnapshots();
  const id = snapshots.add({
    ...snapshotOf(),
    list: queueList(createSerialQueue(), () => new Promise(() => undefined)),
  });
  const waiting = snapshots.get('a', id).list.made;
  snapshots.remove(id);
  await expect(waiting).rejects.toEqual(isExpired);
});
