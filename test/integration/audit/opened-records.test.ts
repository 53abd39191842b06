import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/contract/audit.ts';
import type { Session } from '../../../src/main/shells/cli/session.ts';
import { type Bench, openBench } from '../../support/engine-session.ts';

let bench: Bench;
let profileDir: string;
let session: Session;
let workspaceId: string;

beforeAll(async () => {
  bench = await openBench('--members', '30', '--claims', '200', '--seed', '3');
  profileDir = await bench.newProfile();
  session = await bench.open(profileDir);
  await bench.sync(session);
  workspaceId = (await session.findWorkspace()).id;
});
afterAll(async () => {
  await session.close();
  await bench.close();
});

const firstId = async (entity: 'members' | 'dependents' | 'claims', at = 0): Promise<number> => {
  const query = { entity };
  const { rows } = await session.call('records:begin', { workspaceId, query, limit: at + 1, fields: ['id'] });
  return Number(rows[at]?.id);
};
/** Everything that was written down; what is still on its way is waited for by ending the process. */
const readAll = async (): Promise<AuditEntry[]> => {
  await session.close();
  session = await bench.open(profileDir);
  return (await session.call('audit:list', { offset: 0, limit: 1000 })).entries.reverse();
};
const seen = (entries: readonly AuditEntry[]) =>
  entries.flatMap(({ action, details }) =>
    action === 'record.opened' ? [`${String(details.list)} ${String(details.recordId)}`] : [],
  );

test('a member, a dependent and a claim are written down when opened, once a day, whoever asks how often', async () => {
  const [member, dependent, claim] = [
    await firstId('members'),
    await firstId('dependents'),
    await firstId('claims'),
  ];
  for (let time = 0; time < 3; time += 1) {
    await session.call('records:getMember', { workspaceId, id: member });
    await session.call('records:getDependent', { workspaceId, id: dependent });
    await session.call('records:getClaim', { workspaceId, id: claim });
  }
  const expected = [`members ${member}`, `dependents ${dependent}`, `claims ${claim}`];
  const once = await readAll();
  expect(seen(once).sort()).toEqual(expected.sort());
  // Another process of the same day knows it from the log.
  await session.call('records:getClaim', { workspaceId, id: claim });
  const again = await readAll();
  expect(seen(again)).toHaveLength(3);
  expect(await session.call('audit:verify', {})).toMatchObject({ isIntact: true });
  const text = JSON.stringify(again);
  const truth = await bench.sandbox.truth<{ last_name: string; ssn: string | null }>('members');
  for (const { last_name, ssn } of truth) {
    expect(text).not.toContain(`"${last_name}"`);
    if (ssn !== null) expect(text).not.toContain(ssn);
  }
});

test('records that are fetched ahead are recorded only when they are shown', async () => {
  const id = await firstId('claims', 1);
  await session.call('records:getClaim', { workspaceId, id, isLookup: true });
  expect(seen(await readAll())).not.toContain(`claims ${id}`);
  await session.call('records:auditOpened', { workspaceId, list: 'claims', id });
  expect(seen(await readAll())).toContain(`claims ${id}`);
});

test('lists by an identifier are written down with their hits and without its value', async () => {
  const { member } = await session.call('records:getMember', { workspaceId, id: await firstId('members') });
  const born = String(member.date_of_birth);
  await session.call('records:open', {
    workspaceId,
    query: { entity: 'members', conditions: [{ field: 'date_of_birth', operator: 'is', values: [born] }] },
  });
  const entry = (await readAll()).find(({ action }) => action === 'identifier.searched');
  expect(entry?.details).toMatchObject({ list: 'members', by: 'birthDate', hits: expect.any(Number) });
  expect(Number(entry?.details.hits)).toBeGreaterThan(0);
  expect(JSON.stringify(entry)).not.toContain(born);
});

test('first rows found by an identifier are recorded with all hits, though no list is opened', async () => {
  const id = await firstId('members', 1);
  const { member } = await session.call('records:getMember', { workspaceId, id });
  const email = String(member.email);
  const conditions = [{ field: 'email', operator: 'is' as const, values: [email] }];
  const query = { entity: 'members' as const, conditions };
  const { rows } = await session.call('records:readFirst', { workspaceId, query, limit: 1, fields: ['id'] });
  expect(rows).toHaveLength(1);
  const entry = (await readAll()).find(({ details }) => details.by === 'email');
  expect(entry).toMatchObject({ action: 'identifier.searched', details: { list: 'members', hits: 1 } });
});

test('a list by SSN, and a group or export of one, are refused with their code', async () => {
  const sort = [{ field: 'ssn', direction: 'asc' as const }];
  const engine = await session.getEngine();
  const query = { entity: 'members', sort };
  const refused = { ok: false, error: { code: 'query.ssnOrder' } };
  expect(await engine.call('records:open', { workspaceId, query })).toMatchObject(refused);
  expect(await engine.call('records:begin', { workspaceId, query, limit: 5 })).toMatchObject(refused);
  expect(await engine.call('records:readFirst', { workspaceId, query, limit: 5 })).toMatchObject(refused);
  expect(
    await engine.call('records:group', { workspaceId, query: { entity: 'members' }, by: 'ssn' }),
  ).toMatchObject(refused);
});

test('printing a claim file is recorded each time before it is printed, with the ID of the claim', async () => {
  const id = await firstId('claims', 5);
  await session.call('records:auditPrinted', { workspaceId, id });
  await session.call('records:auditPrinted', { workspaceId, id });
  const printed = (await readAll()).filter(({ action }) => action === 'claim.printed');
  expect(printed.map(({ details }) => details)).toEqual([
    { list: 'claims', recordId: id },
    { list: 'claims', recordId: id },
  ]);
});
