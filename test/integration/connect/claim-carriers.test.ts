import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

let bench: Bench;
let session: Session;
let profileDir: string;
let workspaceId: string;
beforeAll(async () => {
  bench = await openBench('--members', '60', '--claims', '120', '--seed', '7');
  profileDir = await bench.newProfile();
  session = await bench.open(profileDir);
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
  const { publicToken, secretKey } = bench.sandbox.connect;
  await session.call('connect:saveSettings', { workspaceId, publicToken, secretKey });
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

interface TrueEmployer {
  readonly employer_id: number;
  readonly employer_key: string;
  readonly vendor_tenant_label: string;
}
interface TrueMember {
  readonly id: number;
  readonly email: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly employer: { readonly id: number } | null;
}

/** Connection and carrier of each claim, as its list shows them. */
async function readCarriers(): Promise<[unknown, unknown][]> {
  const { rows } = await session.call('records:begin', {
    workspaceId,
    query: { entity: 'claims' },
    limit: 120,
    fields: ['policy_holder.id', 'carrier'],
  });
  return rows.map((row) => [row['policy_holder.id'], row.carrier]);
}

/** Adds a member whose records are there, with the connections that the service has of them. */
async function addMember(): Promise<{ email: string; id: number }> {
  const { data: employers } = await bench.sandbox.control<{ data: TrueEmployer[] }>(
    'GET',
    '/truth/employers',
  );
  const employer = employers.find((one) => one.vendor_tenant_label === 'northwind-benefits');
  const members = await bench.sandbox.truth<TrueMember>('members');
  const member = members.find(
    (one) => one.employer?.id === employer?.employer_id && /^member\d+@/.test(one.email ?? ''),
  );
  const email = member?.email ?? '';
  await session.call('connect:addMember', {
    workspaceId,
    email,
    firstName: member?.first_name ?? 'A',
    lastName: member?.last_name ?? 'B',
    employer: { kind: 'known', id: employer?.employer_id ?? 0 },
    systemKey: employer?.employer_key ?? '',
    vendor: employer?.vendor_tenant_label ?? '',
  });
  return { email, id: member?.id ?? 0 };
}

test('claims show the carrier of their connection once it was read; others stay blank', async () => {
  expect(new Set((await readCarriers()).map(([, carrier]) => carrier))).toEqual(new Set([null]));
  const { email } = await addMember();
  const { connections } = await session.call('connect:listConnections', { workspaceId });
  const carriers = new Map(connections.map(({ policyHolderId, payerName }) => [policyHolderId, payerName]));
  const shown = await readCarriers();
  expect(shown).toEqual(shown.map(([id]) => [id, carriers.get(id as number) ?? null]));
  const named = shown.filter(([, carrier]) => carrier !== null);
  expect(named.length).toBeGreaterThan(0);
  expect(named.length).toBeLessThan(shown.length);

  const { rows } = await session.call('records:begin', {
    workspaceId,
    query: { entity: 'claims' },
    limit: 120,
    fields: ['id', 'carrier'],
  });
  for (const row of [
    rows.find(({ carrier }) => carrier !== null),
    rows.find((one) => one.carrier === null),
  ]) {
    const { carrier } = await session.call('records:getClaim', { workspaceId, id: Number(row?.id) });
    expect(carrier).toBe(row?.carrier);
  }

  // A spouse's claims name a connection that is known under another email.
  const find = async (input: { email?: string; policyHolderIds?: number[] }) =>
    (await session.call('connect:listConnections', { workspaceId, ...input })).connections;
  const spouse = 'spouse@newco.example';
  const ids = connections.map(({ policyHolderId }) => policyHolderId);
  expect(await find({ email: spouse })).toEqual([]);
  expect(await find({ policyHolderIds: [] })).toEqual([]);
  expect(await find({ email: spouse, policyHolderIds: ids })).toEqual(connections);
  expect(connections[0]?.memberName).not.toBe('');

  await session.close();
  session = await bench.open(profileDir);
  expect(await readCarriers()).toEqual(shown);
  await session.call('connect:forgetMember', { workspaceId, email });
  expect(new Set((await readCarriers()).map(([, carrier]) => carrier))).toEqual(new Set([null]));
});

const folderOf = () => join(profileDir, 'workspaces', workspaceId);
const connectBackups = (): string[] => {
  const folder = join(folderOf(), 'backups');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('connect')) : [];
};

test('the check finds damage in Connect’s data, and the next start restores it from the backup', async () => {
  await addMember();
  expect(connectBackups()).toHaveLength(1);
  const before = await session.call('connect:listMembers', { workspaceId });
  expect(before.members).toHaveLength(1);
  expect((await session.call('store:check', { workspaceId, isFull: false })).connect).toMatchObject({
    isSound: true,
  });
  await session.close();
  const path = join(folderOf(), 'connect.sealed');
  const bytes = readFileSync(path);
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  session = await bench.open(profileDir);
  const check = (isFull: boolean) => session.call('store:check', { workspaceId, isFull });
  expect((await check(true)).connect).toMatchObject({ isSound: false, problems: 1, isFull: true });
  expect((await check(false)).connect).toMatchObject({ isSound: true });
  expect(await session.call('connect:listMembers', { workspaceId })).toEqual(before);
  const { entries } = await session.call('audit:list', { limit: 50, offset: 0 });
  expect(entries.find(({ action }) => action === 'store.repaired')?.details).toMatchObject({
    file: 'connect',
  });
});

test('removing the records of a member removes the member from Connect and its backups too', async () => {
  const { email, id } = await addMember();
  const removal = { kind: 'member', memberId: id } as const;
  const listAll = async () => [
    ...(await session.call('connect:listMembers', { workspaceId })).members,
    ...(await session.call('connect:listConnections', { workspaceId, email })).connections,
  ];
  expect((await listAll()).length).toBeGreaterThan(1);
  await expect(session.call('data:remove', { workspaceId, removal, typed: 'another' })).rejects.toMatchObject(
    { code: 'data.notConfirmed' },
  );
  expect((await listAll()).length).toBeGreaterThan(1);

  await session.call('data:remove', { workspaceId, removal, typed: String(id) });
  expect(await listAll()).toEqual([]);
  expect(connectBackups()).toEqual([]);
  await session.close();
  session = await bench.open(profileDir);
  expect(await listAll()).toEqual([]);
});
