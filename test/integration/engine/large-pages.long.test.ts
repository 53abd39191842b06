import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ServiceFault } from '../../../src/sandbox/faults/fault-schema.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';
import { givenStore, readAll } from '../../support/engine-sync.ts';
import { openSandboxSync, type SandboxSync } from '../../support/sandbox-sync.ts';

type PartialFault = Partial<ServiceFault> & { kind: ServiceFault['kind'] };
type AnyRecord = Record<string, unknown>;

/** Two pages of a thousand, three of five hundred. */
const sizes = ['--members', '30', '--claims', '1300', '--seed', '3'];
const timeoutMs = 1_000;
let bed: SandboxSync;
beforeAll(async () => {
  bed = await openSandboxSync(...sizes);
});
afterAll(() => bed.close());
afterEach(async () => {
  await bed.sandbox.control('DELETE', '/faults');
  await bed.sandbox.control('DELETE', '/requests');
});

/** The pages that were asked for, with what was answered. */
const asked = async (): Promise<string[]> => {
  const { data } = await bed.sandbox.control<{ data: { path: string; status: number }[] }>(
    'GET',
    '/requests',
  );
  return data.map(({ path, status }) => `${path.replace(/^.*\/v2/, '')} ${status}`);
};

const byId = (records: AnyRecord[]): AnyRecord[] => [...records].sort((a, b) => Number(a.id) - Number(b.id));

test.each<[string, PartialFault[], number | undefined]>([
  ['refused with 400', [{ kind: 'status', status: 400, above: 250 }], 250],
  ['refused with 422', [{ kind: 'status', status: 422, above: 100 }], 100],
  ['answered with 500', [{ kind: 'status', status: 500, above: 500 }], 500],
  ['left without an answer', [{ kind: 'latency', ms: 60_000, above: 500 }], 500],
  ['cut, and said to be', [{ kind: 'cap-pages', max: 300 }], undefined],
  ['cut without a word', [{ kind: 'cap-pages', max: 300, says: 'asked' }], undefined],
  [
    'left without an answer in the middle of a list',
    [{ kind: 'latency', ms: 60_000, above: 500, route: 'claims', page: 2 }],
    500,
  ],
])(
  'where pages are %s, a sync ends complete, with every record, and remembers',
  async (_name, faults, kept) => {
    bed.forgetPageSize();
    await bed.sandbox.control('PUT', '/faults', faults);
    const store = givenStore();
    const { receipt, error } = await bed.sync(store, { timeoutMs });
    expect(error).toBeNull();
    expect(receipt).toMatchObject({ outcome: 'complete', members: 30, claims: 1_300 });
    for (const list of ['members', 'claims'] as const) {
      expect(await readAll(store, list)).toEqual(byId(await bed.sandbox.truth<AnyRecord>(list)));
    }
    await bed.sandbox.control('DELETE', '/requests');
    const next = await bed.sync(store, { timeoutMs });
    expect(next.receipt).toMatchObject({ outcome: 'complete', failedRequests: 0 });
    expect((await asked())[0]).toBe(`/member?page=1&per_page=${kept ?? 1000} 200`);
  },
);

test('a refused key is not a reason for smaller pages', async () => {
  bed.forgetPageSize();
  for (const status of [401, 403, 404]) {
    await bed.sandbox.control('PUT', '/faults', [{ kind: 'status', status }]);
    await bed.sync(givenStore());
    expect(await asked()).toEqual([`/member?page=1&per_page=1000 ${status}`]);
    await bed.sandbox.control('DELETE', '/requests');
  }
});

test('the doctor reports the page size that a sync reduced to', async () => {
  const bench: Bench = await openBench('--members', '5', '--claims', '620');
  try {
    await bench.sandbox.control('PUT', '/faults', [{ kind: 'status', status: 400, above: 250 }]);
    const session = await bench.open(await bench.newProfile());
    const { id: workspaceId } = await session.findWorkspace();
    const replyStep = async () => {
      const { outcome, steps, report } = await session.call('doctor:run', { workspaceId });
      const { code, status, sentence } = steps.find(({ id }) => id === 'reply') ?? {};
      return { outcome, code, status, sentence, isReported: report.includes('perPage 250') };
    };
    expect(await replyStep()).toMatchObject({ outcome: 'works', code: 'reply.fits', isReported: false });
    const { receipt, error } = await bench.sync(session);
    expect(error).toBeNull();
    expect(receipt).toMatchObject({ outcome: 'complete', claims: 620 });
    expect(await replyStep()).toEqual({
      outcome: 'works',
      code: 'reply.smallPages',
      status: 'ok',
      sentence:
        'The response format is correct. The service refuses pages of more than 250 records; Claimdesk asks for 250.',
      isReported: true,
    });
    await session.close();
  } finally {
    await bench.close();
  }
});
