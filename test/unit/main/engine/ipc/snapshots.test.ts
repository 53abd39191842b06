import { expect, test } from 'vitest';
import { createSnapshots } from '../../../../../src/main/engine/ipc/snapshots.ts';

const keysOf = (...keys: number[]) => Float64Array.from(keys);

test('a list stays as it was made until it is closed', () => {
  const snapshots = createSnapshots();
  const id = snapshots.add({ workspaceId: 'a', entity: 'claims', keys: keysOf(3, 1, 2) });
  expect(snapshots.get('a', id)).toEqual({ workspaceId: 'a', entity: 'claims', keys: keysOf(3, 1, 2) });
  snapshots.remove(id);
  expect(() => snapshots.get('a', id)).toThrow(expect.objectContaining({ code: 'snapshot.gone' }));
});

test('a list of one workspace is not had from another', () => {
  const snapshots = createSnapshots();
  const id = snapshots.add({ workspaceId: 'a', entity: 'claims', keys: keysOf(1) });
  expect(() => snapshots.get('b', id)).toThrow(expect.objectContaining({ code: 'snapshot.gone' }));
  expect(() => snapshots.get('a', 'made-up')).toThrow(expect.objectContaining({ code: 'snapshot.gone' }));
  expect(snapshots.get('a', id).keys).toEqual(keysOf(1));
});

test('of too many lists the one used longest ago goes', () => {
  const snapshots = createSnapshots();
  const add = () => snapshots.add({ workspaceId: 'a', entity: 'claims', keys: keysOf(1) });
  const first = add();
  const second = add();
  for (let count = 2; count < 24; count += 1) add();
  snapshots.get('a', first);
  add();
  expect(() => snapshots.get('a', second)).toThrow(expect.objectContaining({ code: 'snapshot.gone' }));
  expect(snapshots.get('a', first).keys).toEqual(keysOf(1));
});
