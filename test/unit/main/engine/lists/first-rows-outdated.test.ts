import { expect, test } from 'vitest';
import { createOpenLists, readSnapshot } from '../../../../../src/main/engine/lists/open-lists.ts';
import { recordHandlers } from '../../../../../src/main/engine/lists/record-handlers.ts';
import { createSearchAudit } from '../../../../../src/main/engine/lists/search-audit.ts';
import type { EngineState } from '../../../../../src/main/engine/state/engine-state.ts';
import type { Entity } from '../../../../../src/rules/list-fields.ts';

/** Open lists over a store whose first rows are 7, 8 and 9, and whose list is made later, of other keys. */
function givenLists(keys: readonly number[], version = 2, entity: Entity = 'claims') {
  const made = { keys: Float64Array.from(keys), totals: null, version };
  const store = {
    read: async () => ({ rows: [7, 8, 9].map((key) => ({ $key: key })), version: 1 }),
    list: () => new Promise((resolve) => setTimeout(resolve, 5, made)),
  };
  const state = { getStore: async () => store } as unknown as EngineState;
  const lists = createOpenLists(state, createSearchAudit(state));
  const begin = () =>
    recordHandlers['records:begin'](lists, { workspaceId: 'w', query: { entity }, limit: 100 });
  const count = (snapshotId: string) =>
    recordHandlers['records:getCount'](lists, { workspaceId: 'w', snapshotId });
  const findRanges = (snapshotId: string, places: [number, number][], inSnapshotId: string) =>
    recordHandlers['records:findRanges'](lists, { workspaceId: 'w', snapshotId, places, inSnapshotId });
  return { lists, begin, count, findRanges };
}

test.each([
  ['begins with its first rows', [7, 8, 9, 10], 1, true],
  ['has got a row before them', [6, 7, 8, 9, 10], 2, false],
  ['has them in another order, as reviews may have changed', [8, 7, 9, 10], 1, false],
  ['was made of newer records', [7, 8, 9, 10], 2, false],
])('a list that %s', async (_what, keys, version, isSame) => {
  const { lists, begin, count } = givenLists(keys, version);
  const { snapshotId, total } = await begin();
  expect(total).toBeNull();
  const counted = await count(snapshotId);
  expect(counted.total).toBe(keys.length);
  expect(counted.snapshotId === snapshotId).toBe(isSame);
  // Places mean the rows that the user saw there; all rows are those of the list.
  const seen = await readSnapshot(lists, 'w', snapshotId);
  expect([...seen.shown].slice(0, 3)).toEqual([7, 8, 9]);
  expect([...seen.keys]).toEqual(keys);
  expect([...(await readSnapshot(lists, 'w', counted.snapshotId)).shown]).toEqual(keys);
});

test('records are found in a list made of newer records, except those it lacks', async () => {
  const { begin, count, findRanges } = givenLists([6, 8, 5, 9, 4, 7]);
  const { snapshotId } = await begin();
  const whole = (await count(snapshotId)).snapshotId;
  expect(await findRanges(snapshotId, [[0, 2]], whole)).toEqual({
    places: [
      [1, 1],
      [3, 3],
      [5, 5],
    ],
  });
  expect(
    await findRanges(
      snapshotId,
      [
        [1, 1],
        [40, 60],
      ],
      whole,
    ),
  ).toEqual({ places: [[1, 1]] });
  expect(await findRanges(whole, [[0, 1]], snapshotId)).toEqual({ places: [[0, 1]] });
});

test('parts of records, which a sync may renumber, are not found', async () => {
  const { begin, count, findRanges } = givenLists([6, 7, 8, 9], 2, 'lines');
  const { snapshotId } = await begin();
  const whole = (await count(snapshotId)).snapshotId;
  expect(await findRanges(snapshotId, [[0, 2]], whole)).toEqual({ places: null });
});
