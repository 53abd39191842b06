import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SyncProgress } from '../../../../../src/contract/sync.ts';
import type { Store } from '../../../../../src/main/engine/store/threads/store.ts';
import { DeskError } from '../../../../../src/main/lib/errors.ts';
import {
  createListService,
  givenStore,
  readAll,
  records,
  syncOnce,
} from '../../../../support/engine-sync.ts';
import { fuzzRuns } from '../../../../support/seeds.ts';

test('two equal reads are complete, and the receipt says what they covered', async () => {
  const store = givenStore();
  const service = createListService({ members: records(1, 3), claims: records(1, 25), maxPerPage: 10 });
  const { receipt, error } = await syncOnce(store, service, { syncId: 'run-7' });
  expect(error).toBeNull();
  expect(receipt).toMatchObject({
    runId: 'run-7',
    outcome: 'complete',
    proof: 'complete',
    reason: null,
    errorCode: null,
    passes: 4,
    pages: 8,
    members: 3,
    claims: 25,
    failedRequests: 0,
  });
  expect(receipt.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(await readAll(store, 'claims')).toEqual(service.claims);
  expect(await store.read('readSyncState', null)).toBeNull();
});

test('an empty service is complete too', async () => {
  const store = givenStore();
  expect((await syncOnce(store, createListService())).receipt).toMatchObject({
    outcome: 'complete',
    claims: 0,
  });
});

test('what changed is read again until two reads agree', async () => {
  const store = givenStore();
  const service = createListService({ members: records(1, 3), claims: records(1, 25), maxPerPage: 10 });
  let edits = 0;
  service.before = ({ kind, page }) => {
    if (kind === 'claims' && page === 2 && edits < 2) {
      edits += 1;
      service.claims = [...records(100 + edits, 1), ...service.claims.slice(0, -1)];
    }
    return undefined;
  };
  const { receipt, error } = await syncOnce(store, service);
  expect(error).toBeNull();
  expect(receipt.passes).toBeGreaterThan(4);
  expect(await readAll(store, 'claims')).toEqual([...service.claims].sort((a, b) => a.id - b.id));
});

test('a list that never settles ends as not verified, with what was received', async () => {
  const store = givenStore();
  const service = createListService({ members: records(1, 3), claims: records(1, 25), maxPerPage: 10 });
  let version = 0;
  service.before = ({ kind, page }) => {
    version += 1;
    if (kind === 'claims' && page === 1) service.claims = records(1, 25, { version });
    return undefined;
  };
  const { receipt, error } = await syncOnce(store, service);
  expect(error?.code).toBe('sync.notProven');
  expect(receipt).toMatchObject({
    outcome: 'notProven',
    proof: 'not-proven',
    passes: 7,
    claims: 25,
    errorCode: null,
  });
  expect(receipt.reason).toContain('claims changed between two reads');
  expect(await store.read('readSyncState', null)).toBeNull();
});

test.each([
  ['moves', (total: number, index: number) => total + index],
  ['is too large', (total: number) => total + 1],
  ['is missing', () => null],
])('a total that %s verifies nothing', async (_name, bent) => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 5) });
  let index = 0;
  service.changeEnvelope = (envelope) => ({ ...envelope, total: bent(envelope.total, index++) });
  const { receipt, error } = await syncOnce(store, service);
  expect(error?.code).toBe('sync.notProven');
  expect(receipt.outcome).toBe('notProven');
  expect(await readAll(store, 'claims')).toHaveLength(5);
});

test('a service that always answers with the first page is sync.endless', async () => {
  const store = givenStore();
  const service = createListService({ members: records(1, 50), maxPerPage: 5 });
  service.changeEnvelope = (envelope) => ({ ...envelope, data: service.members.slice(0, 5) });
  const { receipt, error } = await syncOnce(store, service);
  expect(error?.code).toBe('sync.endless');
  expect(receipt).toMatchObject({ outcome: 'failed', errorCode: 'sync.endless', members: 5 });
  expect(service.requests.length).toBeLessThan(10);
});

test('a service that makes up rows forever is sync.endless', async () => {
  const store = givenStore();
  const service = createListService({ members: records(1, 10) });
  service.changeEnvelope = (envelope, { page }) => ({
    ...envelope,
    data: records(page * 1000, 1000),
    pages: page + 1,
    has_next: true,
  });
  const { error } = await syncOnce(store, service);
  expect(error?.code).toBe('sync.endless');
  expect(service.requests.length).toBeLessThan(40);
});

/** The store on a disk that has this many bytes left after each page of a sync. */
function onDisk(store: Store, readFreeBytes: () => number): Store {
  return {
    ...store,
    read: (name, input) =>
      name === 'readFreeBytes' ? Promise.resolve(readFreeBytes() as never) : store.read(name, input),
  };
}

test.each([
  ['no totals', {}],
  ['a false total', { total: 10 ** 12 }],
  ['a page size that its pages do not have', { per_page: 10 }],
])(
  'an endless service with %s is stopped before the disk is full; nothing received is lost',
  async (_name, facts) => {
    const store = givenStore();
    const service = createListService({ members: records(1, 10) });
    service.changeEnvelope = (_envelope, { page }) => ({
      data: records(page * 1000, 1000),
      has_next: true,
      ...facts,
    });
    const small = onDisk(store, () => 3_000_000_000 - service.requests.length * 80_000_000);
    const { receipt, error } = await syncOnce(small, service);
    expect(error?.code).toBe('sync.lowDisk');
    expect(service.requests.length).toBeLessThan(30);
    expect(receipt).toMatchObject({ outcome: 'failed', errorCode: 'sync.lowDisk' });
    expect(receipt.members).toBeGreaterThan(20_000);
    const { length } = service.requests;
    expect((await syncOnce(small, service, { syncId: 'run-2' })).error?.code).toBe('sync.lowDisk');
    expect(service.requests.length).toBe(length);
  },
);

test('whatever a service says about an endless list, a sync of it ends, and keeps what it received', async () => {
  const orNothing = (...values: unknown[]) => fc.constantFrom(undefined, null, ...values);
  const said = fc.record({
    total: orNothing(0, 1, 10 ** 15, -5, '7'),
    pages: orNothing(0, 1, 10 ** 9, 'many'),
    per_page: orNothing(1000, 10),
    has_next: orNothing(true, false),
  });
  await fc.assert(
    fc.asyncProperty(said, fc.nat({ max: 999 }), async (facts, repeated) => {
      const store = givenStore();
      const service = createListService({ members: records(1, 10) });
      service.changeEnvelope = () => ({
        ...facts,
        data: records(service.requests.length * (1000 - repeated), 1000),
      });
      const small = onDisk(store, () => 3_000_000_000 - service.requests.length * 80_000_000);
      const { receipt, error } = await syncOnce(small, service);
      expect(['sync.endless', 'sync.lowDisk', 'sync.notProven']).toContain(error?.code);
      expect(service.requests.length).toBeLessThan(70);
      expect(await readAll(store, 'members')).toHaveLength(receipt.members);
      expect(receipt.members).toBeGreaterThan(0);
    }),
    { numRuns: fuzzRuns(3) },
  );
});

test('a long list that is already here is read on a disk with little space', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 21_500) });
  await syncOnce(store, service);
  const { receipt } = await syncOnce(
    onDisk(store, () => 0),
    service,
    { syncId: 'run-2' },
  );
  expect(receipt.outcome).toBe('complete');
});

test('a service that returns smaller pages than requested is read in those', async () => {
  const store = givenStore();
  const service = createListService({ members: records(1, 30), claims: records(1, 99), maxPerPage: 7 });
  expect((await syncOnce(store, service)).error).toBeNull();
  expect(await readAll(store, 'claims')).toHaveLength(99);
});

test('pages that get smaller in the middle of a read restart it', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 60), maxPerPage: 20 });
  service.before = ({ kind, page }) => {
    if (kind === 'claims' && page === 2) service.maxPerPage = 10;
    return undefined;
  };
  const { receipt, error } = await syncOnce(store, service);
  expect(error).toBeNull();
  expect(receipt.claims).toBe(60);
});

test('a service whose per_page is the count of the page does not restart the read forever', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 25), maxPerPage: 10 });
  service.changeEnvelope = (envelope) => ({ ...envelope, per_page: envelope.data.length });
  const { receipt } = await syncOnce(store, service);
  expect(receipt.claims).toBe(25);
  expect(service.requests.length).toBeLessThan(200);
});

test('a page that is occasionally truncated is read again; one that is always broken is reported', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 80), maxPerPage: 10 });
  const broken = new Set<number>();
  service.before = ({ kind, page }) => {
    if (kind !== 'claims' || broken.has(page)) return undefined;
    broken.add(page);
    return { body: '{"data":[{"id":1' };
  };
  const { receipt, error } = await syncOnce(store, service);
  expect(error).toBeNull();
  expect(receipt.failedRequests).toBe(8);

  service.before = ({ kind, page }) => (kind === 'claims' && page === 5 ? { body: '{"data":' } : undefined);
  const again = await syncOnce(store, service);
  expect(again.error?.code).toBe('service.badReply');
  expect(again.receipt).toMatchObject({ outcome: 'failed', claims: 80 });
});

test('a missing page, because the list shrank, is the end of the list', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 35), maxPerPage: 10 });
  service.before = ({ kind, page }) => {
    if (kind !== 'claims') return undefined;
    if (page === 3) service.claims = service.claims.slice(0, 25);
    return page > Math.ceil(service.claims.length / 10) ? { status: 404 } : undefined;
  };
  const { receipt, error } = await syncOnce(store, service);
  expect(error).toBeNull();
  expect(receipt.claims).toBe(25);
});

test('a service that answers 404 to the first page is reported', async () => {
  const service = createListService();
  service.before = () => ({ status: 404, headers: { 'x-request-id': 'req-404' } });
  const { receipt, error } = await syncOnce(givenStore(), service);
  expect(error).toMatchObject({ code: 'service.notFound', requestId: 'req-404' });
  expect(receipt).toMatchObject({ outcome: 'failed', requestId: 'req-404' });
});

test('an interrupted sync continues with the page in progress, under the new sync’s ID', async () => {
  const store = givenStore();
  const service = createListService({ members: records(1, 5), claims: records(1, 50), maxPerPage: 10 });
  service.before = ({ kind, page }) =>
    kind === 'claims' && page >= 4 ? new DeskError('service.unreachable') : undefined;
  const broken = await syncOnce(store, service, { syncId: 'run-1' });
  expect(broken.error?.code).toBe('service.unreachable');
  expect(broken.receipt).toMatchObject({ outcome: 'failed', claims: 30, runId: 'run-1' });

  service.before = null;
  service.requests.length = 0;
  const resumed = await syncOnce(store, service, { syncId: 'run-2' });
  expect(resumed.error).toBeNull();
  expect(service.requests[0]).toMatchObject({ kind: 'claims', page: 4 });
  expect(resumed.receipt).toMatchObject({ outcome: 'complete', claims: 50, runId: 'run-2', pages: 12 });
});

test('what was requested ahead is not requested again after the interruption', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 90), maxPerPage: 10 });
  service.before = ({ kind, page }) => {
    if (kind !== 'claims' || page < 2) return undefined;
    return page === 2 ? { status: 403 } : { status: 503 };
  };
  const { error } = await syncOnce(store, service);
  expect(error?.code).toBe('service.forbidden');
  const asked = service.requests.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(service.requests.length).toBeLessThanOrEqual(asked + 1);
});

test('an interrupted read that finds many new rows in front begins again instead of calling the list endless', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 100), maxPerPage: 10 });
  service.before = ({ kind, page }) =>
    kind === 'claims' && page === 6 ? new DeskError('service.connectionLost') : undefined;
  expect((await syncOnce(store, service)).error?.code).toBe('service.connectionLost');
  service.before = null;
  service.claims = [...records(1000, 60), ...service.claims];
  const { receipt, error } = await syncOnce(store, service);
  expect(error).toBeNull();
  expect(receipt.claims).toBe(160);
});

test('canceling keeps what was received and can be continued later', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 50), maxPerPage: 10 });
  const controller = new AbortController();
  service.before = ({ kind, page }) => {
    if (kind === 'claims' && page === 3) controller.abort();
    return undefined;
  };
  const { receipt, error } = await syncOnce(store, service, { signal: controller.signal });
  expect(error?.code).toBe('sync.canceled');
  expect(receipt).toMatchObject({ outcome: 'canceled', errorCode: 'sync.canceled' });
  expect(receipt.claims).toBeGreaterThan(0);
  expect(await store.read('readSyncState', null)).not.toBeNull();
  service.before = null;
  expect((await syncOnce(store, service)).receipt).toMatchObject({ outcome: 'complete', claims: 50 });
});

test('records no longer returned are marked after verification; a sudden loss stops it', async () => {
  const store = givenStore();
  const service = createListService({ claims: records(1, 100) });
  await syncOnce(store, service);
  service.claims = service.claims.slice(0, 90);
  expect((await syncOnce(store, service)).receipt).toMatchObject({ outcome: 'complete', claims: 90 });
  service.claims = service.claims.slice(0, 10);
  const { receipt, error } = await syncOnce(store, service);
  expect(error).toMatchObject({ code: 'sync.suddenLoss', details: { here: 90, missing: 80 } });
  expect(receipt).toMatchObject({ outcome: 'failed', claims: 90 });
});

test('an ID sent as text counts as its number; odd records are set aside and do not prevent verification', async () => {
  const store = givenStore();
  const service = createListService({
    claims: [
      ...records(1, 5),
      { id: '6' } as unknown as { id: number },
      { id: '7a' } as unknown as { id: number },
      { id: null } as unknown as { id: number },
    ],
  });
  expect((await syncOnce(store, service)).receipt).toMatchObject({
    outcome: 'complete',
    claims: 6,
    setAside: 2,
  });
});

test('a record that is nested 200,000 deep is set aside, and the others are read', async () => {
  const store = givenStore();
  const deep = `{"id":3,"remarks":${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}}`;
  const claims = `{"id":1},${deep},{"id":2}`;
  const service = createListService({ members: records(1, 1) });
  service.before = ({ kind }) =>
    kind === 'claims'
      ? { body: `{"data":[${claims}],"page":1,"per_page":1000,"pages":1,"total":3,"has_next":false}` }
      : undefined;
  for (let run = 0; run < 2; run += 1) {
    const { receipt, error } = await syncOnce(store, service);
    expect(error).toBeNull();
    expect(receipt).toMatchObject({ outcome: 'complete', claims: 2, setAside: 1 });
  }
});

test('however deep its records are, and whenever the service is too slow, the others are read in the end', async () => {
  const level = fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"":', '}]']);
  const nested = fc.record({ level, depth: fc.oneof(fc.nat(400), fc.integer({ min: 1_001, max: 250_000 })) });
  const slow = fc.array(fc.boolean(), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.array(nested, { minLength: 1, maxLength: 4 }), slow, async (deep, isSlow) => {
      const rows = deep.map(({ level: [open = '', close = ''], depth }, index) => {
        return `{"id":${index + 1},"remarks":${open.repeat(depth)}1${close.repeat(depth)}}`;
      });
      const store = givenStore();
      const service = createListService({ members: records(1, 1) });
      const facts = `"page":1,"per_page":1000,"pages":1,"total":${rows.length},"has_next":false`;
      service.before = ({ kind }, index) => {
        if (isSlow[index] === true) return new DeskError('service.timeout');
        return kind === 'claims' ? { body: `{"data":[${rows}],${facts}}` } : undefined;
      };
      let end = await syncOnce(store, service);
      for (let run = 2; end.error !== null; run += 1) {
        expect(end.error.code).toBe('service.timeout');
        expect(run).toBeLessThan(30);
        end = await syncOnce(store, service, { syncId: `run-${run}` });
      }
      const shallow = deep.filter(({ depth }) => depth <= 400).length;
      expect(end.receipt).toMatchObject({ claims: shallow, setAside: rows.length - shallow });
    }),
    { numRuns: fuzzRuns(3) },
  );
});

test('progress lists its phases in order and never goes backward within one', async () => {
  const store = givenStore();
  const service = createListService({ members: records(1, 20), claims: records(1, 40), maxPerPage: 10 });
  const told: SyncProgress[] = [];
  await syncOnce(store, service, { onProgress: (progress) => told.push(progress), syncId: 'run-3' });
  expect(told[0]?.phase).toBe('connecting');
  expect(told.at(-1)?.phase).toBe('proving');
  expect(new Set(told.map(({ syncId }) => syncId))).toEqual(new Set(['run-3']));
});

test('every complete sync equals the service, whatever changed during the first read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          page: fc.integer({ min: 1, max: 6 }),
          op: fc.constantFrom('insert', 'delete', 'change', 'swap'),
          at: fc.nat({ max: 60 }),
          to: fc.nat({ max: 60 }),
        }),
        { maxLength: 8 },
      ),
      async (edits) => {
        const store = givenStore();
        const service = createListService({ members: records(1, 3), claims: records(1, 40), maxPerPage: 8 });
        let nextId = 1000;
        let reads = 0;
        service.before = ({ kind, page }) => {
          if (kind !== 'claims') return undefined;
          if (page === 1) reads += 1;
          // Changes come in the first read only: one behind the back of the last read is for the next sync.
          for (const edit of reads === 1 ? edits.filter((one) => one.page === page) : []) {
            const list = [...service.claims];
            const at = edit.at % (list.length + 1);
            const to = edit.to % Math.max(1, list.length);
            if (edit.op === 'insert') list.splice(at, 0, { id: nextId++ });
            else if (list.length === 0) continue;
            else if (edit.op === 'delete') list.splice(at % list.length, 1);
            else if (edit.op === 'change') {
              list[to] = { id: (list[to] as { id: number }).id, remarks: `changed ${nextId++}` };
            } else {
              const other = at % list.length;
              [list[to], list[other]] = [list[other] as { id: number }, list[to] as { id: number }];
            }
            service.claims = list;
          }
          return undefined;
        };
        const { receipt } = await syncOnce(store, service);
        expect(receipt.outcome).toBe('complete');
        expect(await readAll(store, 'claims')).toEqual([...service.claims].sort((a, b) => a.id - b.id));
      },
    ),
    { numRuns: fuzzRuns(15) },
  );
});
