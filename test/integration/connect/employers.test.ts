import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Input } from '../../../src/contract/procedures.ts';
import { registerKeyAt } from '../../support/key-page.ts';
import { findPlain, listFiles } from '../../support/scan-profile.ts';
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts';
import { type ConnectDesk, openConnectDesk, seenRequests } from './connect-desk.ts';

interface TrueEmployer {
  employer_id: number;
  employer_key: string;
  vendor_tenant_label: string;
}
interface TrueMember {
  id: number;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  employer: { id: number; name: string } | null;
  archived: boolean;
}

let sandbox: Sandbox;
let desk: ConnectDesk;
let employers: TrueEmployer[];
let members: TrueMember[];
beforeAll(async () => {
  sandbox = await startSandbox('--members', '60', '--claims', '120', '--seed', '7');
  await sandbox.control('PUT', '/connect/settings', { stepMs: 30 });
  desk = await openConnectDesk(sandbox);
  const { session, workspaceId } = desk;
  const key = await session.call('keys:generate', { type: 'ed25519', workspaceId });
  await registerKeyAt(sandbox.baseUrl, key.publicKey);
  await session.call('sync:start', { workspaceId });
  const isSynced = async (): Promise<boolean> =>
    (await session.call('sync:getStatus', { workspaceId })).lastReceipt !== null;
  await vi.waitFor(async () => expect(await isSynced()).toBe(true));
  employers = await listTrue();
  members = await sandbox.truth<TrueMember>('members');
});
afterAll(async () => {
  await desk?.close();
  await sandbox?.stop();
});

/** Lists all employers of the service, however they were made. */
const listTrue = async (): Promise<TrueEmployer[]> =>
  (await sandbox.control<{ data: TrueEmployer[] }>('GET', '/truth/employers')).data;
const countTrue = async () => ({
  employers: (await listTrue()).length,
  members: (await sandbox.truth('members')).length,
});
const bootstraps = async (): Promise<number> =>
  (await seenRequests(sandbox)).filter(({ path }) => path.endsWith('/bootstrap')).length;
/** Members with an email at an employer of the integration's tenant; `at` counts such employers. */
function peopleAt(at: number) {
  const employer = employers.filter((one) => one.vendor_tenant_label === 'northwind-benefits')[at];
  const people = members.filter(
    (one) => one.employer?.id === employer?.employer_id && /^member\d+@/.test(one.email ?? ''),
  );
  if (employer === undefined || people.length < 3) throw new Error('too few members');
  return { employer, name: people[0]?.employer?.name ?? '', people };
}
const inputOf = ({ email, first_name, last_name }: TrueMember) => ({
  workspaceId: desk.workspaceId,
  email: email ?? '',
  firstName: first_name ?? 'A',
  lastName: last_name ?? 'B',
});
type Wanted = Input<'connect:addMember'>;
const plan = (input: Wanted) => desk.session.call('connect:planMember', input);
const add = (input: Wanted) => desk.session.call('connect:addMember', input);
const offered = async () =>
  (await desk.session.call('connect:listEmployers', { workspaceId: desk.workspaceId })).employers;

test('before the first answer, the tenant is listed as worth checking', async () => {
  const { employer, people } = peopleAt(0);
  const { warning } = await plan({
    ...inputOf(people[0] as TrueMember),
    employer: { kind: 'known', id: employer.employer_id },
    systemKey: employer.employer_key,
    vendor: employer.vendor_tenant_label,
  });
  expect(warning).toContain('belongs to Northwind Benefits');
});

test('a known member is connected without new employers or members at the service', async () => {
  const { employer, name, people } = peopleAt(0);
  const before = await countTrue();
  const [member, colleague] = people as [TrueMember, TrueMember];
  const chosen = { kind: 'known' as const, id: employer.employer_id };
  const input = { ...inputOf(member), email: (member.email ?? '').toUpperCase(), employer: chosen };
  const choice = (await offered()).find(({ id }) => id === employer.employer_id);
  expect(choice).toMatchObject({
    name,
    tenantNames: ['Northwind Benefits'],
    systemKey: null,
    vendor: null,
    vendorLabels: ['northwind-benefits', 'hris-30'],
  });
  await expect(add(input)).rejects.toMatchObject({ code: 'connect.employerKeyNeeded' });

  // A mistyped key would make a second employer: the data API is asked first.
  const vendor = choice?.vendorLabels[0] ?? '';
  const sent = await bootstraps();
  const mistyped = { ...input, systemKey: `${employer.employer_key}0`, vendor };
  for (const ask of [plan, add]) {
    await expect(ask(mistyped)).rejects.toMatchObject({ code: 'connect.employerKeyUnknown' });
  }
  expect(await bootstraps()).toBe(sent);

  const right = { ...input, systemKey: employer.employer_key, vendor };
  const planned = await plan(right);
  expect(planned).toMatchObject({
    isMemberKnown: true,
    employer: { id: employer.employer_id, name },
    sentence: expect.stringMatching(/^Existing member matched: .* Nothing new is created\.$/),
  });
  const added = await add(right);
  expect(added.member.employer).toEqual({ id: employer.employer_id, name });
  const { policyHolderId } = await desk.session.call('connect:submit', {
    workspaceId: desk.workspaceId,
    email: added.member.email,
    payerId: 15,
    fields: { username: 'known-fast', password: 'a password' },
    consents: { terms: true, tenantIds: [added.member.tenant.id] },
  });
  expect((await desk.until(policyHolderId, ({ phase }) => phase === 'ended')).outcome).toBe('connected');
  expect(await countTrue()).toEqual(before);

  // Asked once for each employer: a colleague needs no key, after a restart too.
  await desk.restart();
  expect((await offered()).find(({ id }) => id === employer.employer_id)).toMatchObject({
    systemKey: employer.employer_key,
    vendor,
  });
  const next = await add({
    ...inputOf(colleague),
    employer: { kind: 'named', name: ` ${name.toUpperCase()} ` },
  });
  expect(next.member).toMatchObject({
    employer: { id: employer.employer_id },
    systemKey: employer.employer_key,
  });
  expect(await countTrue()).toEqual(before);
  for (const path of listFiles(desk.profileDir))
    expect(findPlain(await readFile(path), [`"${employer.employer_key}"`, name]), path).toEqual([]);
});

test('a known member is not added under another employer, and no second employer of one name is made, unless confirmed', async () => {
  const { employer, name, people } = peopleAt(0);
  const other = peopleAt(1).employer;
  const input = inputOf(people[2] as TrueMember);
  const before = await countTrue();
  const elsewhere = {
    ...input,
    employer: { kind: 'known' as const, id: other.employer_id },
    systemKey: other.employer_key,
    vendor: other.vendor_tenant_label,
  };
  await expect(add(elsewhere)).rejects.toMatchObject({
    code: 'connect.memberElsewhere',
    details: { employerId: employer.employer_id },
  });
  const stranger = { ...input, email: 'new.person@example.com' };
  const twin = {
    ...stranger,
    employer: { kind: 'new' as const, name: `  ${name.toLowerCase()} ` },
    systemKey: 'TWIN-1',
    vendor: 'northwind-benefits',
  };
  await expect(add(twin)).rejects.toMatchObject({
    code: 'connect.employerExists',
    details: { employerId: employer.employer_id },
  });
  await expect(
    add({ ...twin, systemKey: employer.employer_key, confirmed: ['sameName'] }),
  ).rejects.toMatchObject({
    code: 'connect.employerKeyTaken',
  });
  await expect(add({ ...stranger, employer: { kind: 'named', name: 'Nobody & Co' } })).rejects.toMatchObject({
    code: 'connect.employerUnknown',
  });
  expect(await countTrue()).toEqual(before);

  expect((await add({ ...elsewhere, confirmed: ['otherEmployer'] })).member.employer.id).toBe(
    other.employer_id,
  );
  expect(await countTrue()).toEqual({ ...before, members: before.members + 1 });
  expect((await add({ ...twin, confirmed: ['sameName'] })).member.employer.id).not.toBe(employer.employer_id);
  expect(await countTrue()).toEqual({ employers: before.employers + 1, members: before.members + 2 });
  await expect(add({ ...stranger, employer: { kind: 'named', name } })).rejects.toMatchObject({
    code: 'connect.employerAmbiguous',
  });
});

test('employers of other tenants are not offered once the integration’s tenant is known', async () => {
  const foreign = employers.find((one) => one.vendor_tenant_label !== 'northwind-benefits');
  const ids = (await offered()).map(({ id }) => id);
  expect(ids).toContain(peopleAt(0).employer.employer_id);
  expect(ids).not.toContain(foreign?.employer_id);
  const input = { ...inputOf(members[0] as TrueMember), email: 'new.person@example.com' };
  await expect(
    plan({ ...input, employer: { kind: 'known', id: foreign?.employer_id ?? 0 } }),
  ).rejects.toMatchObject({ code: 'connect.employerUnknown', details: { isOfOtherTenant: true } });
});

test('if the key can’t be checked, the answer is: a different employer is reported, and no member is kept under it', async () => {
  const { employer, people } = peopleAt(0);
  const before = await countTrue();
  const member = people[2] as TrueMember;
  const { members: known } = await desk.session.call('connect:listMembers', {
    workspaceId: desk.workspaceId,
  });
  const mistyped = {
    ...inputOf(member),
    employer: { kind: 'known' as const, id: employer.employer_id },
    systemKey: 'MISTYPED',
    confirmed: ['unknownKey' as const],
  };
  const refusal = await add(mistyped).catch((thrown: unknown) => thrown);
  expect(refusal).toMatchObject({
    code: 'connect.employerMismatch',
    details: { employerId: expect.any(Number) },
  });
  // The service did make it: it is there to be seen, and the chosen employer keeps its own key.
  expect((await countTrue()).employers).toBe(before.employers + 1);
  const { members: after } = await desk.session.call('connect:listMembers', {
    workspaceId: desk.workspaceId,
  });
  expect(after).toEqual(known);
  const { employerId } = (refusal as { details: { employerId: number } }).details;
  expect((await offered()).filter(({ id }) => [employerId, employer.employer_id].includes(id))).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({ id: employer.employer_id, systemKey: employer.employer_key }),
      expect.objectContaining({ id: employerId, systemKey: 'MISTYPED' }),
    ]),
  );
  const { entries } = await desk.session.call('audit:list', { offset: 0, limit: 1 });
  expect(entries[0]).toMatchObject({
    action: 'connect.memberBroughtIn',
    details: { employerId, isAsChosen: false },
  });
  const { employer: _chosen, systemKey: _mistyped, ...rest } = mistyped;
  const right = await add({ ...rest, employer: { kind: 'known', id: employer.employer_id } });
  expect(right.member.employer.id).toBe(employer.employer_id);
});

test('demo data has its own employers: none of the records is offered', async () => {
  const { workspaceId, session } = desk;
  await session.call('connect:saveSettings', { workspaceId, isDemo: true });
  expect(await offered()).toEqual([]);
  await session.call('connect:saveSettings', { workspaceId, isDemo: false });
  expect((await offered()).length).toBeGreaterThan(0);
});
