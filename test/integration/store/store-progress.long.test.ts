import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreProgress } from '../../../src/contract/store.ts';
import { createCount } from '../../../src/main/engine/store/maintenance/count-progress.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench('--members', '20', '--claims', '60', '--seed', '5');
});
afterAll(() => bench.close());

test('checks, previews and removals report their progress', async () => {
  const session = await bench.open(await bench.newProfile());
  await bench.sync(session);
  const workspaceId = (await session.findWorkspace()).id;
  const told: StoreProgress[] = [];
  (await session.getEngine()).subscribe((event) => {
    if (event.name === 'store:progress') told.push(event.payload);
  });
  const took = () => told.splice(0).filter(({ doing }) => doing !== 'checkingFile');

  await session.call('store:check', { workspaceId, isFull: false });
  expect(told[0]).toMatchObject({ doing: 'checkingFile', done: 0 });
  expect(told.every(({ done, of }) => done < of)).toBe(true);
  expect(took(), 'a quick check reads no record').toEqual([]);

  await session.call('store:check', { workspaceId, isFull: true });
  expect(took()).toEqual([{ workspaceId, doing: 'checkingRecords', done: 0, of: 80 }]);

  const removal = { kind: 'claimsBefore', date: '2024-01-01' } as const;
  await session.call('data:planRemoval', { workspaceId, removal });
  expect(took()).toEqual([{ workspaceId, doing: 'countingRecords', done: 0, of: 60 }]);

  await session.call('data:remove', { workspaceId, removal, typed: removal.date });
  const [counting, finding, findingClaims, copying, ...building] = took();
  expect([finding?.doing, findingClaims?.doing]).toEqual(['findingRecords', 'findingRecords']);
  expect([counting, copying]).toEqual([
    { workspaceId, doing: 'countingRecords', done: 0, of: 60 },
    { workspaceId, doing: 'copyingRecords', done: 0, of: 80 },
  ]);
  expect(building).toEqual(
    building.map((_index, done) => ({ workspaceId, doing: 'buildingIndexes', done, of: building.length })),
  );
  expect(building.length).toBeGreaterThan(9);
  await session.close();
});

test('with many records, every two thousandth is reported', () => {
  const told: number[] = [];
  const count = createCount(({ done }) => told.push(done), 'copyingRecords', 5_000);
  for (let record = 0; record < 5_000; record += 1) count();
  expect(told).toEqual([0, 2_000, 4_000]);
});
