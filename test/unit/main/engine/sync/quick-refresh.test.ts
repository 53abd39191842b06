import { expect, test } from 'vitest';
import type { SyncReceipt } from '../../../../../src/contract/sync.ts';
import { describeQuickRefresh, runQuickRefresh } from '../../../../../src/main/engine/sync/quick-refresh.ts';
import { isRefreshDue } from '../../../../../src/main/engine/sync/refresh-due.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import {
  createListService,
  givenStore,
  type ListService,
  readAll,
  syncOnce,
  syncParts,
} from '../../../../support/engine-sync.ts';

const day = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 86_400_000).toISOString();
/** Claims of which the first is the newest. */
const newestFirst = (count: number, from = 1) =>
  Array.from({ length: count }, (_none, index) => ({
    id: from + count - 1 - index,
    createddate: day(from + count - 1 - index),
    modifieddate: day(1000 - ((from + count - 1 - index) % 7)),
  }));

async function givenSynced(claims: ListService['claims']) {
  const store = givenStore();
  const service = createListService({ claims });
  await syncOnce(store, service);
  service.requests.length = 0;
  const refresh = (changes: Partial<Parameters<typeof runQuickRefresh>[0]> = {}) =>
    runQuickRefresh({
      ...syncParts(store, service, { syncId: 'quick-1' }),
      onPage: () => undefined,
      ...changes,
    });
  return { store, service, refresh };
}

test('reads the beginning, stops at known records, and says that it verifies nothing', async () => {
  const { store, service, refresh } = await givenSynced(newestFirst(500));
  service.claims = [...newestFirst(30, 501), ...service.claims];
  const { receipt, error } = await refresh();
  expect(error).toBeNull();
  expect(service.requests.map(({ kind, page }) => `${kind} ${page}`)).toEqual(['claims 1', 'claims 2']);
  expect(receipt).toMatchObject({
    outcome: 'refreshed',
    proof: 'not-proven',
    reason: 'A quick refresh doesn’t verify completeness.',
    claims: 530,
    changes: { new: 30 },
  });
  expect(receipt.coverage).toBe(
    'Finds new claims. It doesn’t find deleted records or changes in older records, so it doesn’t verify completeness. The members were not checked.',
  );
  expect((await store.read('readReceipts', null)).lastComplete?.runId).toBe('run-1');
  expect(await readAll(store, 'claims')).toHaveLength(530);
});

test('reports if the numbers do not match: records were removed, or the order changed', async () => {
  const { service, refresh } = await givenSynced(newestFirst(50));
  service.claims = service.claims.slice(0, 40);
  const { receipt } = await refresh();
  expect(receipt.coverage).toContain('The service says that there are 40 claims, and 50 are here');
});

test.each<[string, ListService['claims']]>([
  ['the oldest first', newestFirst(50).reverse()],
  ['no order', [3, 1, 2].map((id) => ({ id, createddate: day(id) }))],
  ['one record', newestFirst(1)],
  ['nothing', []],
])('is refused if the list has %s', async (_name, claims) => {
  const { service, refresh } = await givenSynced(claims);
  await expect(refresh()).rejects.toMatchObject({ code: 'sync.quickUnavailable' });
  expect(service.requests).toEqual([]);
});

test.each<[string, ListService['claims'], string | null]>([
  [
    'modified',
    [9, 8, 8, 7].map((at, id) => ({ id, createddate: day(id), modifieddate: day(at) })),
    'modified',
  ],
  [
    'created, in mixed spellings of time',
    [
      { id: 1, createddate: '2026-01-03T00:00:00.5' },
      { id: 7, createddate: '2026-01-03T00:00:00Z' },
      { id: 4, createddate: '2026-01-02' },
    ],
    'created',
  ],
  ['id', [{ id: 9 }, { id: 5 }, { id: -2 }], 'id'],
  ['times that are all one', [1, 2, 3].map((id) => ({ id, createddate: day(1) })), null],
  [
    'a time that is missing',
    [1, 5, 2].map((id) => ({ id, createddate: id === 5 ? null : day(9 - id) })),
    null,
  ],
])('an order by %s is found in a full read', async (_name, claims, expected) => {
  const { store } = await givenSynced(claims);
  expect((await store.read('readOrders', null)).claims ?? null).toBe(expected);
});

test('a failing service is reported, and what was received is kept', async () => {
  const { store, service, refresh } = await givenSynced(newestFirst(500));
  service.claims = [...newestFirst(150, 501), ...service.claims];
  service.before = ({ page }) =>
    page === 2 ? new DeskError('service.forbidden', { requestId: 'req-7' }) : undefined;
  const { receipt, error } = await refresh();
  expect(error?.code).toBe('service.forbidden');
  expect(receipt).toMatchObject({
    outcome: 'failed',
    requestId: 'req-7',
    failures: [{ requestId: 'req-7' }],
  });
  expect(await readAll(store, 'claims')).toHaveLength(600);
});

test('a list in which everything is new ends at a limit and says so', async () => {
  const { service, refresh } = await givenSynced(newestFirst(500));
  service.claims = newestFirst(9_000, 501);
  const { receipt } = await refresh();
  expect(service.requests).toHaveLength(30);
  expect(receipt.coverage).toContain('More claims are new than a quick refresh reads');
});

test('is not offered before there was a complete sync, nor while one asks', () => {
  const usual = { hasComplete: true, isAsking: false };
  expect(describeQuickRefresh({ claims: 'created' }, { ...usual, hasComplete: false }).isOffered).toBe(false);
  expect(describeQuickRefresh({ claims: 'created' }, { ...usual, isAsking: true })).toEqual({
    isOffered: false,
    reason: 'A sync is asking about missing records. Answer it first.',
  });
  expect(describeQuickRefresh({ claims: 'modified', members: null }, usual)).toEqual({
    isOffered: true,
    reason:
      'Finds new and changed claims. It doesn’t find deleted records, so it doesn’t verify completeness.',
  });
});

const nowMs = Date.parse('2026-06-01T12:00:00.000Z');
const ended = (minutesAgo: number, outcome: SyncReceipt['outcome'] = 'complete'): SyncReceipt =>
  ({ outcome, finishedAt: new Date(nowMs - minutesAgo * 60_000).toISOString() }) as SyncReceipt;
const usual = {
  last: ended(20),
  lastComplete: ended(20),
  sync: null,
  isQuickOffered: true,
  minutes: 15,
  nowMs,
};

test.each<[string, Partial<Parameters<typeof isRefreshDue>[0]>, 'no' | 'quick' | 'full']>([
  ['is quick where it can be', {}, 'quick'],
  ['waits four hours where the newest do not come first', { isQuickOffered: false, last: ended(239) }, 'no'],
  ['is full after that', { isQuickOffered: false, last: ended(240) }, 'full'],
  ['is full once a day', { last: ended(20, 'refreshed'), lastComplete: ended(25 * 60) }, 'full'],
  ['waits after a full sync that proved nothing', { lastComplete: ended(25 * 60) }, 'no'],
  ['goes on with an interrupted sync', { sync: { isPaused: false, lossQuestion: null } }, 'full'],
  ['is off with 0', { minutes: 0 }, 'no'],
  ['waits for the interval', { last: ended(14) }, 'no'],
  ['comes once after a night asleep', { last: ended(600) }, 'quick'],
  ['comes where the clock was put back', { last: ended(-600) }, 'quick'],
  ['never makes the first sync', { last: null, lastComplete: null }, 'no'],
  ['leaves a paused sync paused', { sync: { isPaused: true, lossQuestion: null } }, 'no'],
  ['leaves a question open', { sync: { isPaused: false, lossQuestion: { askedAt: '', losses: [] } } }, 'no'],
])('an automatic refresh %s', (_name, facts, expected) => {
  expect(isRefreshDue({ ...usual, ...facts })).toBe(expected);
});

test('pages that are refused for their size come in smaller ones', async () => {
  const { store, service, refresh } = await givenSynced(newestFirst(500));
  service.claims = [...newestFirst(80, 501), ...service.claims];
  service.before = ({ perPage }) => (perPage > 50 ? { status: 422 } : undefined);
  const { receipt, error } = await refresh();
  expect(error).toBeNull();
  expect(receipt).toMatchObject({ outcome: 'refreshed', claims: 580 });
  expect(service.requests.map(({ page, perPage }) => [page, perPage])).toEqual([
    [1, 100],
    [1, 50],
    [2, 50],
    [3, 50],
  ]);
  expect(service.pageSize?.perPage).toBe(50);
  expect(await readAll(store, 'claims')).toHaveLength(580);
});
