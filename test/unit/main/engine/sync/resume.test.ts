import { expect, test } from 'vitest';
import type { Store } from '../../../../../src/main/engine/store/threads/store.ts';
import { sayMoment } from '../../../../../src/main/engine/sync/receipt.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import { createFakeClock } from '../../../../support/engine-service.ts';
import {
  createListService,
  givenStore,
  readAll,
  records,
  runOnce,
  syncOnce,
} from '../../../../support/engine-sync.ts';

const hour = 3_600_000;

/** Breaks off while the claims are read the second time. */
async function givenInterrupted() {
  const store = givenStore();
  const clock = createFakeClock();
  const service = createListService({ members: records(1, 5), claims: records(1, 50), maxPerPage: 10 });
  let reads = 0;
  service.before = ({ kind, page }) => {
    if (kind === 'claims' && page === 1) reads += 1;
    return reads === 2 && page === 3 ? new DeskError('service.unreachable') : undefined;
  };
  await syncOnce(store, service, { clock, syncId: 'run-1' });
  service.before = null;
  service.requests.length = 0;
  return { store, clock, service };
}

test('a sync that continues within hours reads only what is left', async () => {
  const { store, clock, service } = await givenInterrupted();
  clock.advance(11 * hour);
  const { receipt } = await syncOnce(store, service, { clock, syncId: 'run-2' });
  expect(receipt).toMatchObject({ outcome: 'complete', runId: 'run-2', passes: 4 });
  expect(service.requests[0]).toMatchObject({ kind: 'claims', page: 3 });
});

test('a sync that continues days later begins again: an old read does not verify today', async () => {
  const { store, clock, service } = await givenInterrupted();
  clock.advance(50 * hour);
  const { receipt } = await syncOnce(store, service, { clock, syncId: 'run-2' });
  expect(receipt).toMatchObject({ outcome: 'complete', passes: 4, pages: 12 });
  expect(service.requests[0]).toMatchObject({ kind: 'members', page: 1 });
  expect(Date.parse(receipt.reads[0]?.startedAt ?? '')).toBeGreaterThan(clock.now() - hour);
  expect(await readAll(store, 'claims')).toEqual(service.claims);
});

test('a paused sync keeps its position and writes no receipt; it continues when started again', async () => {
  const store = givenStore();
  const service = createListService({ members: records(1, 5), claims: records(1, 50), maxPerPage: 10 });
  const pausing = new AbortController();
  service.before = ({ kind, page }) => {
    if (kind === 'claims' && page === 4) pausing.abort();
    return undefined;
  };
  expect(await runOnce(store, service, { pausing: pausing.signal })).toEqual({ receipt: null, error: null });
  expect((await store.read('readReceipts', null)).last).toBeNull();
  const run = await store.read('readSyncState', null);
  expect(run).toMatchObject({ isPaused: true, kind: 'claims' });
  service.before = null;
  service.requests.length = 0;
  const { receipt } = await syncOnce(store, service, { syncId: 'run-2' });
  expect(receipt).toMatchObject({ outcome: 'complete', claims: 50 });
  expect(service.requests[0]).toMatchObject({ kind: 'claims', page: run?.nextPage });
});

test('a cancel beats a pause', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 50), maxPerPage: 10 });
  const [pausing, canceling] = [new AbortController(), new AbortController()];
  service.before = ({ kind, page }) => {
    if (kind === 'claims' && page === 2) {
      pausing.abort();
      canceling.abort();
    }
    return undefined;
  };
  const end = await runOnce(store, service, { pausing: pausing.signal, signal: canceling.signal });
  expect(end.error?.code).toBe('sync.canceled');
});

test('the receipt lists the requests that failed in all attempts, at most fifty', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 600), maxPerPage: 10 });
  const failed = new Set<number>();
  service.before = ({ kind, page }) => {
    if (kind !== 'claims' || failed.has(page)) return undefined;
    failed.add(page);
    return page === 40
      ? new DeskError('service.unreachable')
      : { status: 503, headers: { 'x-request-id': `req-${page}` } };
  };
  let { receipt } = await syncOnce(store, service);
  if (receipt.outcome !== 'complete') ({ receipt } = await syncOnce(store, service, { syncId: 'run-2' }));
  expect(receipt.outcome).toBe('complete');
  expect(receipt.failedRequests).toBe(60);
  expect(receipt.failures).toHaveLength(50);
  expect(receipt.failures.at(-1)).toMatchObject({ code: 'service.fault', requestId: 'req-60' });
});

test('the receipt describes each read, and in plain words what was verified', async () => {
  const store = givenStore();
  const service = createListService({ members: records(1, 3), claims: records(1, 25), maxPerPage: 10 });
  const { receipt } = await syncOnce(store, service);
  expect(
    receipt.reads.map(({ list, pass, pages, ids, total }) => ({ list, pass, pages, ids, total })),
  ).toEqual([
    { list: 'members', pass: 1, pages: 1, ids: 3, total: 3 },
    { list: 'claims', pass: 1, pages: 3, ids: 25, total: 25 },
    { list: 'members', pass: 2, pages: 1, ids: 3, total: 3 },
    { list: 'claims', pass: 2, pages: 3, ids: 25, total: 25 },
  ]);
  expect(receipt.lists).toEqual([
    { list: 'members', isProven: true, reason: null },
    { list: 'claims', isProven: true, reason: null },
  ]);
  const noon = sayMoment('2026-06-01T12:00:00.000Z');
  expect(receipt.coverage).toBe(
    `Two full reads of 3 members and 25 claims matched each other and the source totals. The first read began ${noon}; the last ended ${noon}. This covers the members and claims that this account can see. Later changes arrive with the next sync.`,
  );
});

test('a verification says that records were removed here on purpose', async () => {
  const store = givenStore();
  const service = createListService({ members: records(1, 3), claims: records(1, 5) });
  expect((await syncOnce(store, service)).receipt.coverage).not.toContain('on purpose');
  const read: Store['read'] = async (name, input) =>
    name === 'readLeavingRules'
      ? ({ claimsBefore: '2020-01-01', memberIds: [], employerIds: [], isEverything: false } as never)
      : store.read(name, input);
  const { receipt } = await syncOnce({ ...store, read }, service);
  expect(receipt.coverage).toContain('removed from this computer on purpose were read and not kept');
});

test('if one list is verified and the other is not, the receipt says which', async () => {
  const store = givenStore();
  const service = createListService({ members: records(1, 3), claims: records(1, 25) });
  service.changeEnvelope = (envelope, { kind }) =>
    kind === 'claims' ? { ...envelope, total: 26 } : envelope;
  const { receipt } = await syncOnce(store, service);
  expect(receipt).toMatchObject({ outcome: 'notProven', lists: [{ isProven: true }, { isProven: false }] });
  expect(receipt.coverage).toContain('Two full reads of 3 members matched');
  expect(receipt.coverage).toContain('The claims are not verified.');
});
