import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { ServiceFault } from '../../../src/sandbox/faults/fault-schema.ts';
import { givenStore, readAll } from '../../support/engine-sync.ts';
import { openSandboxSync, type SandboxSync } from '../../support/sandbox-sync.ts';

type PartialFault = Partial<ServiceFault> & { kind: ServiceFault['kind'] };

/** Pages of ten whatever is asked: several pages of little data. */
const smallPages: PartialFault = { kind: 'ignore-paging', ignored: 'per_page' };
const lay = (...faults: PartialFault[]): Promise<unknown> => bed.sandbox.control('PUT', '/faults', faults);

/** Bad days of a service whose records are here already: each its own code, and nothing here is touched. */
let bed: SandboxSync;
beforeAll(async () => {
  bed = await openSandboxSync('--members', '30', '--claims', '60', '--seed', '5');
  await lay(smallPages);
});
afterAll(() => bed.close());
afterEach(async () => {
  await lay(smallPages);
  await bed.sandbox.control('DELETE', '/requests');
});

const asked = async (): Promise<{ path: string; cookie: string | null }[]> =>
  (await bed.sandbox.control<{ data: { path: string; cookie: string | null }[] }>('GET', '/requests')).data;

async function givenSynced() {
  const store = givenStore();
  expect((await bed.sync(store)).receipt.outcome).toBe('complete');
  await bed.sandbox.control('DELETE', '/requests');
  const readBoth = async () => [await readAll(store, 'members'), await readAll(store, 'claims')];
  return { store, readBoth, before: await readBoth() };
}

test.each<[string, PartialFault[], string]>([
  ['a fault that stays', [{ kind: 'status', status: 500 }], 'service.fault'],
  ['a proxy’s HTML that stays', [{ kind: 'status', status: 502, body: 'html' }], 'service.fault'],
  ['a limit for hours', [{ kind: 'rate-limit', seconds: 9_999 }], 'service.rateLimited'],
  [
    'a limit until a date far off',
    [{ kind: 'rate-limit', seconds: 9_999, form: 'date' }],
    'service.rateLimited',
  ],
  ['no permission', [{ kind: 'status', status: 403, body: 'empty' }], 'service.forbidden'],
  ['a token that is refused', [{ kind: 'status', status: 401 }], 'service.unauthorized'],
  ['a request that is refused', [{ kind: 'status', status: 400 }], 'service.badRequest'],
  ['an address that is gone', [{ kind: 'status', status: 404 }], 'service.notFound'],
  ['a check that fails', [{ kind: 'status', status: 422 }], 'service.unprocessable'],
  ['connections that are always reset', [{ kind: 'reset' }], 'service.connectionLost'],
  ['connections reset in the middle', [{ kind: 'reset', afterBytes: 3_000 }], 'service.connectionLost'],
  ['pages always cut short', [{ kind: 'truncated', keep: 0.5 }], 'service.badReply'],
  ['bytes that are no UTF-8', [{ kind: 'broken-utf8' }], 'service.badReply'],
  ['a log-in page', [{ kind: 'replace-body', body: 'html' }], 'service.webPage'],
  ['a network that wants a sign-in', [{ kind: 'status', status: 511 }], 'service.networkSignIn'],
  ['a proxy that wants a password', [{ kind: 'status', status: 407 }], 'service.proxyLogin'],
  ['empty bodies', [{ kind: 'replace-body', body: 'empty' }], 'service.badReply'],
  ['text', [{ kind: 'replace-body', body: 'text' }], 'service.badReply'],
  ['a page that comes again and again', [{ kind: 'endless', data: 'repeat' }], 'sync.endless'],
  ['page numbers that are ignored', [{ kind: 'ignore-paging', ignored: 'both' }], 'sync.endless'],
  ['a total that moves', [{ kind: 'moving-total', by: 1 }], 'sync.notProven'],
  ['rows that are left out', [{ kind: 'missing-rows', count: 3 }], 'sync.notProven'],
])(
  '%s: told by its code, nothing here is touched, the next sync is complete',
  async (_name, faults, code) => {
    const { store, readBoth, before } = await givenSynced();
    await lay(...faults, ...(faults.some(({ kind }) => kind === 'ignore-paging') ? [] : [smallPages]));
    const { receipt, error } = await bed.sync(store);
    expect(error?.code).toBe(code);
    expect(receipt.proof).toBe('not-proven');
    expect(await readBoth()).toEqual(before);
    if (error?.code.startsWith('service.') === true) {
      expect(receipt.failures.at(-1)?.code).toBe(code);
      expect(receipt.failures.at(-1)?.requestId).toBe(error.requestId ?? null);
    }
    const requests = await asked();
    // Five reads of nine pages at the most, and what was tried again.
    expect(requests.length).toBeLessThan(100);
    expect(requests.filter(({ cookie }) => cookie !== null)).toEqual([]);

    await bed.sandbox.control('DELETE', '/faults');
    expect((await bed.sync(store)).receipt.outcome).toBe('complete');
    expect(await readBoth()).toEqual(before);
  },
);

test.each<[string, PartialFault[]]>([
  ['everything on one page', [{ kind: 'ignore-paging', ignored: 'all-at-once' }]],
  ['has_next that is never false', [{ kind: 'lying-has-next', value: true }]],
  ['one enormous text', [{ kind: 'huge-string', megabytes: 20, page: 2, route: 'claims' }]],
  ['replies that drip', [{ kind: 'drip', bytes: 20_000, everyMs: 5 }]],
  ['replies that take their time', [{ kind: 'latency', ms: 100 }]],
  ['empty pages without end after the last one', [{ kind: 'endless', data: 'empty' }]],
])('a sync survives %s', async (_name, faults) => {
  const { store } = await givenSynced();
  await lay(...faults, ...(faults.some(({ kind }) => kind === 'ignore-paging') ? [] : [smallPages]));
  const { receipt, error } = await bed.sync(store);
  expect(error).toBeNull();
  expect(receipt.outcome).toBe('complete');
  expect(receipt.claims).toBe(60);
});

test.each([301, 303, 307, 308])(
  'a redirect (%i) is not followed, and no token is sent there',
  async (status) => {
    const { store, readBoth, before } = await givenSynced();
    const seen: unknown[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers);
      response.end('{"data":[]}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    await bed.sandbox.control('PUT', '/faults', [
      { kind: 'redirect', status, location: `http://127.0.0.1:${port}/api/v2/claims` },
    ]);
    expect((await bed.sync(store)).error?.code).toBe('service.redirected');
    expect(seen).toEqual([]);
    expect(await readBoth()).toEqual(before);
  },
);

test('a service that shows one record per page is not verified, whatever it claims', async () => {
  const { store } = await givenSynced();
  await lay({ kind: 'single-object' }, smallPages);
  const { receipt, error } = await bed.sync(store);
  expect(error?.code).toBe('sync.notProven');
  expect(receipt.reason).toMatch(/returned/);
  expect(receipt.claims).toBe(60);
});
