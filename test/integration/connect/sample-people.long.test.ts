import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CarrierConnection } from '../../../src/contract/carrier-connections.ts';
import type { ConnectMember } from '../../../src/contract/connect-members.ts';
import type { ProcedureName } from '../../../src/contract/procedures.ts';
import { needsAttention } from '../../../src/contract/worklist-counts.ts';
import type { Group } from '../../../src/rules/query.ts';
import { type OpenPage, type ShellUnderTest, startShellUnderTest } from '../../support/browser-shell.ts';
import { syncAs, valueAs } from '../../support/shell-calls.ts';

let under: ShellUnderTest;
let page: OpenPage;

beforeAll(async () => {
  under = await startShellUnderTest({ environment: { CLAIMDESK_SAMPLE_TODAY: '2026-11-20' } });
  page = await under.loadPage(await under.enter());
});
afterAll(() => under?.close());

const call = <T>(to: 'main' | 'engine', procedure: ProcedureName, input: unknown): Promise<T> =>
  valueAs<T>(under, page, to, procedure, input);

const openSample = async (): Promise<string> => (await call<{ id: string }>('main', 'sample:open', {})).id;
const readConnect = async (workspaceId: string) => {
  const [{ connections }, { members }] = await Promise.all([
    call<{ connections: CarrierConnection[] }>('engine', 'connect:listConnections', { workspaceId }),
    call<{ members: ConnectMember[] }>('engine', 'connect:listMembers', { workspaceId }),
  ]);
  return { connections, members };
};

test('the sample has connections before its first sync: most work, and every other state comes first', async () => {
  const { connections, members } = await readConnect(await openSample());
  const severities = new Map<string, number>();
  for (const { severity } of connections) severities.set(severity, (severities.get(severity) ?? 0) + 1);
  expect([...severities]).toEqual([
    ['critical', 2],
    ['warning', 3],
    ['unknown', 2],
    ['fine', connections.length - 7],
  ]);
  expect(connections.length).toBeGreaterThan(members.length);
  expect(new Set(connections.map(({ payerName }) => payerName)).size).toBe(4);
  expect(new Set(members.map(({ employer }) => employer.name)).size).toBe(3);
  expect(new Set(members.map(({ tenant }) => tenant.name))).toEqual(new Set(['Northwind Benefits']));
});

test('most claims of the sample have their carrier, the others have none', async () => {
  const workspaceId = await openSample();
  await syncAs(under, page, workspaceId);
  const { groups } = await call<{ groups: Pick<Group, 'value' | 'totals'>[] }>('engine', 'records:group', {
    workspaceId,
    query: { entity: 'claims' },
    by: 'carrier',
  });
  const all = groups.reduce((sum, { totals }) => sum + totals.count, 0);
  const blank = groups.find(({ value }) => value === null)?.totals.count ?? 0;
  expect(groups).toHaveLength(5);
  expect(blank / all).toBeGreaterThan(0.05);
  expect(blank / all).toBeLessThan(0.3);
});

test('the service knows the people of the sample: one is read again, even after it was switched off and on', async () => {
  const workspaceId = await openSample();
  const before = await readConnect(workspaceId);
  const known = before.connections.find(({ loginProblem }) => loginProblem === 'locked');
  const read = () =>
    call<CarrierConnection>('engine', 'connect:readConnection', {
      workspaceId,
      policyHolderId: known?.policyHolderId,
    });
  expect(await read()).toMatchObject({ loginProblem: 'locked', claimsSynced: known?.claimsSynced });
  await call('main', 'sample:setServiceRunning', { isRunning: false });
  await call('main', 'sample:setServiceRunning', { isRunning: true });
  const after = await readConnect(workspaceId);
  expect(after.members).toHaveLength(before.members.length);
  expect(after.connections).toHaveLength(before.connections.length);
  expect(await read()).toMatchObject({ severity: 'critical', correctionMessage: known?.correctionMessage });
});

test('“Refresh all” finds the connections of the sample in the states that are shown', async () => {
  const workspaceId = await openSample();
  const countOf = (connections: readonly CarrierConnection[]): [number, number] => [
    connections.length,
    connections.filter((one) => needsAttention(one, '2026-11-20')).length,
  ];
  const stored = countOf((await readConnect(workspaceId)).connections);
  const { connections, failures } = await call<{ connections: CarrierConnection[]; failures: unknown[] }>(
    'engine',
    'connect:listConnections',
    { workspaceId, isFresh: true },
  );
  expect(failures).toEqual([]);
  expect(countOf(connections)).toEqual(stored);
  expect(stored[1]).toBeLessThan(8);
});
