import { expect, test } from 'vitest';
import { answerLoss } from '../../../../../src/main/engine/sync/run-sync.ts';
import { createFakeClock } from '../../../../support/engine-service.ts';
import {
  createListService,
  givenStore,
  readAll,
  records,
  syncOnce,
} from '../../../../support/engine-sync.ts';

/** A store that knows 100 claims, of which the service then returns this many. */
async function givenLoss(left: number) {
  const store = givenStore();
  const clock = createFakeClock();
  const service = createListService({ members: records(1, 3), claims: records(1, 100) });
  await syncOnce(store, service, { clock });
  service.claims = service.claims.slice(0, left);
  return { store, clock, service };
}

test('what a verified sync does not return is missing; the next verified one confirms it; it is kept', async () => {
  const { store, clock, service } = await givenLoss(98);
  expect(await store.read('readMissingSince', { kind: 'claims', id: 99 })).toBeNull();
  const first = await syncOnce(store, service, { clock, syncId: 'run-2' });
  expect(first.receipt).toMatchObject({ outcome: 'complete', claims: 98, changes: { missing: 2 } });
  const since = await store.read('readMissingSince', { kind: 'claims', id: 99 });
  expect(since).toMatchObject({ since: expect.stringContaining('2026'), confirmedAt: null });
  expect(await readAll(store, 'claims')).toHaveLength(98);
  expect(Array.from(await store.read('listKeys', { entity: 'claims', includesMissing: true }))).toHaveLength(
    100,
  );

  clock.advance(3_600_000);
  service.claims = [...service.claims, ...records(100, 1)];
  const second = await syncOnce(store, service, { clock, syncId: 'run-3' });
  expect(second.receipt.changes).toEqual({ new: 0, changed: 0, missing: 0, confirmed: 1, returned: 1 });
  const confirmed = await store.read('readMissingSince', { kind: 'claims', id: 99 });
  expect(confirmed?.since).toBe(since?.since);
  expect(confirmed?.confirmedAt).toContain('2026');
  expect(await store.read('readMissingSince', { kind: 'claims', id: 100 })).toBeNull();
  const third = await syncOnce(store, service, { clock, syncId: 'run-4' });
  expect(third.receipt.changes).toEqual({ new: 0, changed: 0, missing: 0, confirmed: 0, returned: 0 });
});

test('a sync that is not verified neither marks nor confirms', async () => {
  const { store, clock, service } = await givenLoss(98);
  service.changeEnvelope = (envelope) => ({ ...envelope, total: null });
  const { receipt } = await syncOnce(store, service, { clock, syncId: 'run-2' });
  expect(receipt).toMatchObject({ outcome: 'notProven', claims: 100, changes: { missing: 0 } });
});

test('a sudden loss marks nothing, keeps what was read and asks', async () => {
  const { store, clock, service } = await givenLoss(10);
  const { receipt, error } = await syncOnce(store, service, { clock, syncId: 'run-2' });
  expect(error).toMatchObject({
    code: 'sync.suddenLoss',
    details: { list: 'claims', here: 100, missing: 90 },
  });
  expect(receipt).toMatchObject({ outcome: 'failed', claims: 100 });
  expect((await store.read('readSyncState', null))?.lossQuestion).toMatchObject({
    losses: [{ list: 'claims', here: 100, missing: 90 }],
  });
});

test('an accepted loss is a complete sync that says who accepted it', async () => {
  const { store, clock, service } = await givenLoss(10);
  await syncOnce(store, service, { clock, syncId: 'run-2' });
  clock.advance(60_000);
  const asked = service.requests.length;
  const receipt = await answerLoss({ store, clock }, 'accept');
  expect(service.requests).toHaveLength(asked);
  expect(receipt).toMatchObject({
    runId: 'run-2',
    outcome: 'complete',
    claims: 10,
    changes: { missing: 90 },
  });
  expect(receipt?.coverage).toContain('It was confirmed that 90 claims are no longer in the service.');
  expect(await store.read('readSyncState', null)).toBeNull();
  expect((await store.read('readReceipts', null)).lastComplete?.runId).toBe('run-2');
  await expect(answerLoss({ store, clock }, 'accept')).rejects.toMatchObject({ code: 'sync.noLossQuestion' });
  const next = await syncOnce(store, service, { clock, syncId: 'run-3' });
  expect(next.receipt).toMatchObject({ outcome: 'complete', changes: { confirmed: 90 } });
});

test('a declined loss marks nothing, and the next sync reads everything again and asks again', async () => {
  const { store, clock, service } = await givenLoss(10);
  await syncOnce(store, service, { clock, syncId: 'run-2' });
  expect(await answerLoss({ store, clock }, 'decline')).toBeNull();
  expect(await readAll(store, 'claims')).toHaveLength(100);
  service.requests.length = 0;
  expect((await syncOnce(store, service, { clock })).error?.code).toBe('sync.suddenLoss');
  expect(service.requests).toHaveLength(4);
});

test('a question that was not answered for half a day is no longer open; a new sync asks again', async () => {
  const { store, clock, service } = await givenLoss(10);
  await syncOnce(store, service, { clock, syncId: 'run-2' });
  clock.advance(13 * 3_600_000);
  await expect(answerLoss({ store, clock }, 'accept')).rejects.toMatchObject({ code: 'sync.noLossQuestion' });
  expect(await readAll(store, 'claims')).toHaveLength(100);
  expect((await syncOnce(store, service, { clock, syncId: 'run-3' })).error?.code).toBe('sync.suddenLoss');
  service.claims = records(1, 100);
  expect((await syncOnce(store, service, { clock, syncId: 'run-4' })).receipt.outcome).toBe('complete');
});

test('odd records that were fixed are no longer set aside after verification', async () => {
  const store = givenStore();
  const odd = { id: '6a', remarks: 'odd' } as unknown as { id: number };
  const other = { id: null } as unknown as { id: number };
  const service = createListService({ claims: [...records(1, 5), odd, other] });
  expect((await syncOnce(store, service)).receipt.setAside).toBe(2);
  service.claims = [...records(1, 5), { id: 6, remarks: 'odd' }, other];
  expect((await syncOnce(store, service)).receipt).toMatchObject({ setAside: 1, claims: 6 });
});
