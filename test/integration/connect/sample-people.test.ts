import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectionView } from '../../../src/contract/connect-views.ts';
import type { ProcedureName } from '../../../src/contract/procedures.ts';
import type { SyncStatus } from '../../../src/contract/sync.ts';
import {
  callAs,
  type OpenPage,
  type ShellUnderTest,
  startShellUnderTest,
} from '../../support/browser-shell.ts';

let under: ShellUnderTest;
let page: OpenPage;

beforeAll(async () => {
  under = await startShellUnderTest({ environment: { CLAIMDESK_SAMPLE_TODAY: '2026-11-20' } });
  page = await under.loadPage(await under.enter());
});
afterAll(() => under?.close());

const call = async <T>(to: 'main' | 'engine', procedure: ProcedureName, input: unknown): Promise<T> => {
  const result = await callAs(under, page, to, procedure, input);
  expect(result).toMatchObject({ ok: true });
  return (result.ok ? result.value : {}) as T;
};

test('the sample has connections after its first sync: one that works, others that need a person', async () => {
  const { id: workspaceId } = await call<{ id: string }>('main', 'sample:open', {});
  const list = async () =>
    (await call<{ connections: ConnectionView[] }>('engine', 'connect:listConnections', { workspaceId }))
      .connections;
  expect(await list()).toEqual([]);
  await call('engine', 'sync:start', { workspaceId });
  for (let tries = 0; tries < 600; tries += 1) {
    const { running } = await call<SyncStatus>('engine', 'sync:getStatus', { workspaceId });
    if (running === null) break;
    await sleep(50);
  }
  const [connections] = await Promise.all([list(), list()]);
  const severities = new Set(connections.map(({ severity }) => severity));
  expect(severities).toContain('fine');
  expect(severities).toContain('critical');
  const { members } = await call<{ members: unknown[] }>('engine', 'connect:listMembers', { workspaceId });
  // Asked for twice at once, added once.
  expect(members).toHaveLength(3);
});
