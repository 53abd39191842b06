import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Store } from '../../../src/main/engine/store/threads/store.ts';
import type { ServiceFault } from '../../../src/sandbox/faults/fault-schema.ts';
import { givenStore, readAll } from '../../support/engine-sync.ts';
import { openSandboxSync, type SandboxSync } from '../../support/sandbox-sync.ts';

type PartialFault = Partial<ServiceFault> & { kind: ServiceFault['kind'] };
type AnyRecord = Record<string, unknown>;

/** Two pages of claims. */
const claimCount = 1_050;
const memberCount = 40;

/** Bad days of a service of which nothing is here yet: what had come stays, and the next sync is complete. */
let bed: SandboxSync;
beforeAll(async () => {
  bed = await openSandboxSync(
    '--members',
    String(memberCount),
    '--claims',
    String(claimCount),
    '--seed',
    '7',
  );
});
afterAll(() => bed.close());
afterEach(async () => {
  await bed.sandbox.control('DELETE', '/faults');
  await bed.sandbox.control('DELETE', '/requests');
});

const lay = (...faults: PartialFault[]): Promise<unknown> => bed.sandbox.control('PUT', '/faults', faults);

const byId = (records: AnyRecord[]): AnyRecord[] => [...records].sort((a, b) => Number(a.id) - Number(b.id));

async function expectTruth(store: Store): Promise<void> {
  for (const list of ['members', 'claims'] as const) {
    expect(byId(await readAll(store, list))).toEqual(byId(await bed.sandbox.truth<AnyRecord>(list)));
  }
}

const asked = async (): Promise<{ path: string }[]> =>
  (await bed.sandbox.control<{ data: { path: string }[] }>('GET', '/requests')).data;

test.each<[string, PartialFault[], string]>([
  ['no permission', [{ kind: 'status', status: 403, body: 'empty' }], 'service.forbidden'],
  ['no such address', [{ kind: 'status', status: 404 }], 'service.notFound'],
  ['a request that is not understood', [{ kind: 'status', status: 400 }], 'service.badRequest'],
  ['a service that refuses the token', [{ kind: 'status', status: 401 }], 'service.unauthorized'],
  ['a page without end', [{ kind: 'endless', route: 'members' }], 'sync.endless'],
  [
    'a page number that is ignored',
    [{ kind: 'ignore-paging', ignored: 'page', route: 'claims' }],
    'sync.endless',
  ],
  ['a page that is always cut short', [{ kind: 'truncated', route: 'claims' }], 'service.badReply'],
  [
    'text that is no JSON',
    [{ kind: 'replace-body', body: 'text', route: 'claims', after: 1 }],
    'service.badReply',
  ],
])(
  '%s ends with its code; what had come stays, and the next sync is complete',
  async (_name, faults, code) => {
    await lay(...faults);
    const store = givenStore();
    const failed = await bed.sync(store);
    expect(failed.error?.code).toBe(code);
    expect(failed.receipt).toMatchObject({ outcome: 'failed', errorCode: code, proof: 'not-proven' });
    expect((await asked()).length).toBeLessThan(60);
    const { members, claims } = failed.receipt;
    expect(await readAll(store, 'members')).toHaveLength(members);
    expect(await readAll(store, 'claims')).toHaveLength(claims);

    await bed.sandbox.control('DELETE', '/faults');
    expect((await bed.sync(store)).receipt.outcome).toBe('complete');
    await expectTruth(store);
  },
);

test('a failure includes the service’s ID of the request', async () => {
  await lay({ kind: 'status', status: 403 });
  const { error, receipt } = await bed.sync(givenStore());
  expect(error?.requestId).toMatch(/^[\w-]{8,}$/);
  expect(receipt.requestId).toBe(error?.requestId);
});

test.each<[string, PartialFault[], RegExp]>([
  ['a total that moves', [{ kind: 'moving-total', route: 'claims', by: 1 }], /total|returned/],
  ['rows that are left out', [{ kind: 'missing-rows', route: 'claims', count: 3 }], /returned/],
])('%s is not verified, though everything received is kept', async (_name, faults, reason) => {
  await lay(...faults);
  const { receipt, error } = await bed.sync(givenStore());
  expect(error?.code).toBe('sync.notProven');
  expect(receipt).toMatchObject({ outcome: 'notProven', proof: 'not-proven' });
  expect(receipt.reason).toMatch(reason);
  expect(receipt.claims).toBeGreaterThan(claimCount - 20);
});

test('rows that arrive twice, because others were inserted in front, do no harm', async () => {
  await lay({ kind: 'repeat-rows', route: 'claims', count: 5 });
  const store = givenStore();
  expect((await bed.sync(store)).receipt.outcome).toBe('complete');
  await expectTruth(store);
});

test('unknown fields are kept as received', async () => {
  await lay({ kind: 'unknown-fields' });
  const store = givenStore();
  expect((await bed.sync(store)).receipt.outcome).toBe('complete');
  const [claim] = await readAll(store, 'claims');
  expect(claim).toMatchObject({ x_text: 'unknown', x_list: [1, 'two', { three: 3 }], x_nothing: null });
  const [member] = await readAll(store, 'members');
  expect(member).toMatchObject({ 'x-odd key "quoted"': 1, x_object: { nested: { deeply: 'é' } } });
});

test('missing fields are missing here too', async () => {
  await lay({ kind: 'missing-fields' });
  const store = givenStore();
  expect((await bed.sync(store)).receipt.outcome).toBe('complete');
  const [claim] = await readAll(store, 'claims');
  const [truth] = byId(await bed.sandbox.truth<AnyRecord>('claims'));
  const expected = Object.entries(truth ?? {}).filter(([key], index) => key === 'id' || index % 3 !== 1);
  expect(claim).toEqual(Object.fromEntries(expected));
});

test.each([301, 302, 307, 308])(
  'a redirect (%i) to another host is reported, and nothing is sent there',
  async (status) => {
    const seen: unknown[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers);
      response.end('{"data":[]}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    await lay({ kind: 'redirect', status, location: `http://127.0.0.1:${port}/api/v2/claims` });
    const { error } = await bed.sync(givenStore());
    expect(error?.code).toBe('service.redirected');
    expect(seen).toEqual([]);
  },
);

test('records missing at the service are removed from the lists after verification, and come back', async () => {
  const store = givenStore();
  await bed.sync(store);
  const edits = [
    { op: 'delete', list: 'claims', position: 3 },
    { op: 'change', list: 'claims', position: 10 },
    { op: 'insert', list: 'claims', count: 2, at: 'start' },
    { op: 'delete', list: 'members', position: 0 },
  ];
  await bed.sandbox.control('POST', '/edits', { edits });
  const { receipt } = await bed.sync(store);
  expect(receipt).toMatchObject({ outcome: 'complete', claims: claimCount + 1, members: memberCount - 1 });
  await expectTruth(store);
});

test('the second read finds changes during the first', async () => {
  const store = givenStore();
  await bed.sandbox.control('POST', '/schedule', {
    steps: [
      { after: 1, route: 'claims', edits: [{ op: 'insert', list: 'claims', count: 3, at: 'start' }] },
      {
        after: 2,
        route: 'claims',
        edits: [
          { op: 'delete', list: 'claims', position: 0 },
          { op: 'churn', list: 'claims', count: 20 },
        ],
      },
      { after: 1, route: 'members', edits: [{ op: 'churn', list: 'members', count: 5 }] },
    ],
  });
  const { receipt } = await bed.sync(store);
  expect(receipt.outcome).toBe('complete');
  expect(receipt.passes).toBeGreaterThan(4);
  await expectTruth(store);
});

test('if a service disappears, what was received is kept, and the sync continues when it is back', async () => {
  const store = givenStore();
  await lay({ kind: 'latency', ms: 60_000, route: 'claims', page: 2 });
  const syncing = bed.sync(store);
  const isAsked = async (): Promise<boolean> =>
    (await bed.sandbox.control<{ data: { applied: number }[] }>('GET', '/faults')).data.some(
      ({ applied }) => applied > 0,
    );
  while (!(await isAsked())) await new Promise((resolve) => setTimeout(resolve, 20));
  bed.kill();
  const { receipt, error } = await syncing;
  expect(['service.unreachable', 'service.connectionLost']).toContain(error?.code);
  expect(receipt).toMatchObject({ outcome: 'failed', proof: 'not-proven', claims: 1000 });
  expect(await readAll(store, 'claims')).toHaveLength(1000);

  await bed.revive();
  expect((await bed.sync(store)).receipt.outcome).toBe('complete');
  const [first] = (await asked()).filter(({ path }) => path.startsWith('/api/'));
  expect(first?.path).toContain('/claims?page=2&');
  await expectTruth(store);
});
