import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import type { ServiceFault } from '../../../src/sandbox/faults/fault-schema.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

type PartialFault = Partial<ServiceFault> & { kind: ServiceFault['kind'] };
type AnyRecord = Record<string, unknown>;

/** Two pages of claims. */
const claimCount = 1_050;
const memberCount = 40;
let bench: Bench;
/** Synced again and again: what a bad day does to a request does not hang on what is stored. */
let shared: Session;
beforeAll(async () => {
  bench = await openBench('--members', String(memberCount), '--claims', String(claimCount), '--seed', '7');
  shared = await bench.open(await bench.newProfile());
});
afterAll(async () => {
  await shared.close();
  await bench.close();
});
afterEach(async () => {
  await bench.sandbox.control('DELETE', '/faults');
  await bench.sandbox.control('POST', '/clock', { skewSeconds: 0 });
  await bench.sandbox.control('DELETE', '/requests');
});

const lay = (...faults: PartialFault[]): Promise<unknown> => bench.sandbox.control('PUT', '/faults', faults);

async function openProfile(): Promise<Session> {
  const session = await bench.open(await bench.newProfile());
  onTestFinished(() => session.close());
  return session;
}

const byId = (records: AnyRecord[]): AnyRecord[] => [...records].sort((a, b) => Number(a.id) - Number(b.id));

async function expectTruth(session: Session): Promise<void> {
  for (const list of ['members', 'claims'] as const) {
    expect(await bench.readAll(session, list)).toEqual(byId(await bench.sandbox.truth<AnyRecord>(list)));
  }
}

const asked = async (): Promise<{ path: string; cookie: string | null; status: number }[]> =>
  (
    await bench.sandbox.control<{ data: { path: string; cookie: string | null; status: number }[] }>(
      'GET',
      '/requests',
    )
  ).data;

test('on a good day a sync is complete and every record equals the truth', async () => {
  const session = await openProfile();
  const { receipt, error } = await bench.sync(session);
  expect(error).toBeNull();
  expect(receipt).toMatchObject({
    outcome: 'complete',
    members: memberCount,
    claims: claimCount,
    failedRequests: 0,
  });
  await expectTruth(session);
});

test.each<[string, PartialFault[]]>([
  ['a fault of the service now and then', [{ kind: 'status', status: 500, rate: 0.3, times: 6 }]],
  ['a proxy that answers with HTML', [{ kind: 'status', status: 502, body: 'html', times: 2 }]],
  ['HTML with 200', [{ kind: 'replace-body', body: 'html', times: 2 }]],
  ['an empty body', [{ kind: 'replace-body', body: 'empty', times: 2 }]],
  ['connections that are reset', [{ kind: 'reset', times: 2 }]],
  ['connections that are reset in the middle', [{ kind: 'reset', afterBytes: 5_000, times: 2 }]],
  ['pages cut short', [{ kind: 'truncated', keep: 0.4, route: 'claims', times: 2 }]],
  ['bytes that are no UTF-8', [{ kind: 'broken-utf8', route: 'claims', times: 1 }]],
  ['a limit for one second', [{ kind: 'rate-limit', seconds: 1, times: 1 }]],
  ['a limit until a date', [{ kind: 'rate-limit', seconds: 1, form: 'date', times: 1 }]],
  ['a content type of its own', [{ kind: 'content-type', value: 'text/plain' }]],
  ['zero for no page', [{ kind: 'zero-nums' }]],
  ['large cookies', [{ kind: 'big-cookies', bytes: 40_000 }]],
  ['has_next that lies', [{ kind: 'lying-has-next', value: false }]],
  ['pages of ten whatever is asked', [{ kind: 'ignore-paging', ignored: 'per_page', route: 'members' }]],
  ['all at once whatever is asked', [{ kind: 'ignore-paging', ignored: 'all-at-once' }]],
])('a sync survives %s, and the records equal the truth', async (_name, faults) => {
  await lay(...faults);
  const session = shared;
  const { receipt, error } = await bench.sync(session);
  expect(error).toBeNull();
  expect(receipt.outcome).toBe('complete');
  await expectTruth(session);
  expect(await bench.sandbox.control('GET', '/complaints')).toEqual({ data: [] });
});

test('odd types fail no page: items without an ID are set aside, the rest is kept and verified', async () => {
  await lay({ kind: 'wrong-types', route: 'claims' });
  const session = await openProfile();
  const { receipt } = await bench.sync(session);
  expect(receipt.outcome).toBe('complete');
  expect(receipt.setAside).toBe(claimCount / 10);
  expect(receipt.claims).toBe(claimCount - claimCount / 10);
  const { id } = await session.findWorkspace();
  const { items } = await session.call('records:listSetAside', { workspaceId: id });
  expect(items[0]).toMatchObject({ kind: 'claims', reason: 'The id is missing or is not a whole number.' });
});

test.each([400, -400])('a sync survives a clock that is %i s off', async (skewSeconds) => {
  await bench.sandbox.control('POST', '/clock', { skewSeconds });
  const session = shared;
  expect((await bench.sync(session)).receipt.outcome).toBe('complete');
});

test('a clock that is a day off is not trusted, and nothing received with it is kept', async () => {
  await bench.sandbox.control('POST', '/clock', { skewSeconds: 86_400 });
  const { error } = await bench.sync(shared);
  expect(error).toMatchObject({ code: 'service.clockSkew' });
  await bench.sandbox.control('POST', '/clock', { skewSeconds: 0 });
  expect((await bench.sync(shared)).receipt.outcome).toBe('complete');
});

test('no removal from the audit log is announced before a service confirms the clock, or while it says ahead', async () => {
  const session = await openProfile();
  const trim = async (): Promise<number> =>
    (await session.getEngine()).trimAudit({ before: '2999-01-01T00:00:00.000Z' });
  const announced = async (): Promise<number> => {
    const { entries } = await session.call('audit:list', { offset: 0, limit: 100 });
    return entries.filter(({ action }) => action === 'audit.trimAnnounced').length;
  };
  await trim();
  expect(await announced()).toBe(0);
  await bench.sandbox.control('POST', '/clock', { skewSeconds: -90_000 });
  await bench.sync(session);
  await trim();
  expect(await announced()).toBe(0);
  await bench.sandbox.control('POST', '/clock', { skewSeconds: 0 });
  expect((await bench.sync(session)).receipt.outcome).toBe('complete');
  await expect.poll(announced).toBe(1);
});

test('a sync survives a clock that jumps in the middle', async () => {
  const session = shared;
  let jumps = 0;
  (await session.getEngine()).subscribe((event) => {
    if (event.name !== 'sync:progress' || jumps > 2) return;
    jumps += 1;
    void bench.sandbox.control('POST', '/clock', { skewSeconds: jumps % 2 === 0 ? 590 : -590 });
  });
  expect((await bench.sync(session)).receipt.outcome).toBe('complete');
  expect(jumps).toBeGreaterThan(0);
});

test('a deleted key is service.unauthorized with the request ID, after one request', async () => {
  const { data } = await bench.sandbox.control<{ data: { name: string }[] }>('GET', '/keys');
  expect(data).toHaveLength(1);
  const session = await openProfile();
  const [key] = (await session.call('keys:list', {})).keys;
  await bench.sandbox.control('DELETE', '/keys');
  onTestFinished(async () => {
    await bench.sandbox.control('POST', '/keys', { name: 'bench', publicKey: key?.publicKey });
  });
  const { error } = await bench.sync(session);
  expect(error).toMatchObject({ code: 'service.unauthorized' });
  expect(error?.requestId).toBeDefined();
  expect(await asked()).toHaveLength(1);
});

test('a window can read while a sync writes, and sees whole records', async () => {
  const session = await openProfile();
  const { id: workspaceId } = await session.findWorkspace();
  const syncing = bench.sync(session);
  let isOver = false;
  void syncing.finally(() => {
    isOver = true;
  });
  let looked = 0;
  while (!isOver) {
    const opened = await session.call('records:open', { workspaceId, query: { entity: 'claims' } });
    const { rows } = await session.call('records:getWindow', {
      workspaceId,
      snapshotId: opened.snapshotId,
      offset: 0,
      limit: 50,
    });
    expect(rows).toHaveLength(Math.min(50, opened.total));
    looked += 1;
  }
  expect(looked).toBeGreaterThan(1);
  expect((await syncing).receipt.outcome).toBe('complete');
});

test('a second sync of the same workspace is refused', async () => {
  const { id: workspaceId } = await shared.findWorkspace();
  await shared.call('sync:start', { workspaceId });
  await expect(shared.call('sync:start', { workspaceId })).rejects.toMatchObject({ code: 'sync.running' });
  await shared.call('sync:cancel', { workspaceId });
  expect((await shared.call('sync:getStatus', { workspaceId })).lastReceipt?.outcome).toBe('canceled');
});

test('damage to what users wrote is not reported as damage to the records', async () => {
  const profileDir = await bench.newProfile();
  const session = await bench.open(profileDir);
  await bench.sync(session);
  const workspaceId = (await session.findWorkspace()).id;
  const [claim] = await bench.readAll(session, 'claims');
  const act = { kind: 'note', text: 'A note' } as const;
  await session.call('reviews:act', { workspaceId, target: { claimIds: [Number(claim?.id)] }, act });
  await session.close();
  for (const name of ['ours.db', 'ours.db.journal', 'ours.db.page1', 'backups'])
    await rm(join(profileDir, name), { recursive: true, force: true });
  await writeFile(join(profileDir, 'ours.db'), Buffer.alloc(8_192, 7));
  const again = await bench.open(profileDir);
  onTestFinished(() => again.close());
  const query = {
    entity: 'claims' as const,
    conditions: [{ field: 'review.state', operator: 'isOneOf' as const, values: ['done'] }],
  };
  await expect(again.call('records:open', { workspaceId, query })).rejects.toMatchObject({
    code: 'store.damaged',
    details: { file: 'userData' },
  });
  expect((await again.call('store:getState', { workspaceId })).records.isDamaged).toBe(false);
});
