import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Input } from '../../../src/contract/procedures.ts';
import type { SecretStore } from '../../../src/main/keychain/secret-store.ts';
import { openSession } from '../../../src/main/shells/cli/session.ts';
import { walkCarrierPage } from '../sandbox/carrier-walk.ts';
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts';
import { type ConnectDesk, openConnectDesk, readLoggedCalls, seenRequests } from './connect-desk.ts';

let sandbox: Sandbox;
let shared: ConnectDesk;
beforeAll(async () => {
  sandbox = await startSandbox('--members', '5', '--claims', '5');
  await sandbox.control('PUT', '/connect/settings', { stepMs: 30 });
  shared = await openConnectDesk(sandbox);
});
afterEach(async () => {
  await sandbox.control('DELETE', '/faults');
});
afterAll(async () => {
  await shared?.close();
  await sandbox?.stop();
});

/** The workspace, set up anew: the sandbox's own tokens, and nothing else but this. */
async function open(settings: Partial<Input<'connect:saveSettings'>> = {}): Promise<ConnectDesk> {
  const { publicToken, secretKey } = sandbox.connect;
  await shared.session.call('connect:saveSettings', {
    workspaceId: shared.workspaceId,
    publicToken,
    secretKey,
    tenantLabel: null,
    tenantKey: null,
    isDemo: false,
    base: 'current',
    correction: 'path',
    headers: { serviceToken: 'X-Service-Token' },
    ...settings,
  });
  return shared;
}

const email = 'robin@newco.example';
const ended = ({ phase }: { phase: string }): boolean => phase === 'ended';

test.each([
  ['the current base', {}],
  ['the legacy base', { base: 'legacy' }],
  ['corrections named in the body', { correction: 'body' }],
  ['demo data', { isDemo: true }],
] as const)('every endpoint under %s', async (name, settings) => {
  const desk = await open(settings);
  const { workspaceId, session } = desk;
  const user = `robin-${name.replaceAll(' ', '-')}`;
  await desk.bootstrap(email);
  const { payers } = await session.call('connect:listPayers', { workspaceId, email });
  expect(payers.length).toBeGreaterThanOrEqual(7);
  const form = await session.call('connect:getPayer', { workspaceId, email, payerId: 13 });
  expect(form.uiSchema['ui:order']).toEqual(['subscriber_number', '*', 'password']);
  expect(form.form).toMatchObject({ properties: { subscriber_number: {} } });
  const { untrustedHtml } = await session.call('connect:getTerms', { workspaceId, email });
  expect(untrustedHtml).toContain('<script>');

  const first = await desk.submit(email, 15, `${user}-invalid`);
  expect(await desk.until(first.policyHolderId, ended)).toMatchObject({ outcome: 'failed' });
  const { connections } = await session.call('connect:fix', { workspaceId, email });
  expect(connections.find((one) => one.policyHolderId === first.policyHolderId)).toMatchObject({
    severity: 'critical',
    loginProblem: 'invalid',
    usernameHint: 'ro…',
    memberName: 'Dana Reyes',
  });
  expect(JSON.stringify(connections)).not.toContain(user);

  const [member] = (await session.call('connect:listMembers', { workspaceId })).members;
  const corrected = await session.call('connect:correct', {
    workspaceId,
    email,
    payerId: 15,
    policyHolderId: first.policyHolderId,
    fields: { username: user, password: 'right' },
    consents: { terms: true, tenantIds: [member?.tenant.id ?? 0] },
  });
  expect(corrected.policyHolderId).toBe(first.policyHolderId);
  expect(await desk.until(first.policyHolderId, ended)).toMatchObject({ outcome: 'connected' });

  // Its page is asked about at the published cadence, which takes its time.
  if (name !== 'the legacy base') return;
  const begun = await session.call('connect:startPatientAccess', {
    workspaceId,
    email,
    payerId: 17,
    consents: { terms: true, tenantIds: [member?.tenant.id ?? 0] },
  });
  expect(begun).toMatchObject({ phase: 'ready', host: new URL(sandbox.baseUrl).host });
  await session.call('connect:openPatientAccess', { workspaceId, email });
  await walkCarrierPage(begun.authorizationUrl, { username: `${user}-page`, decision: 'allow' });
  await expect
    .poll(() => session.call('connect:getPatientAccess', { workspaceId, email }))
    .toMatchObject({ phase: 'connected', status: 'SUCCESS', policyHolderId: expect.any(Number) });
  const calls = await readLoggedCalls(desk);
  expect(new Set(calls.map(({ route }) => route)).size).toBeGreaterThanOrEqual(9);
});

test('fifty concurrent calls with an expired token cause one mint and succeed', async () => {
  const desk = await open();
  const { workspaceId, session } = desk;
  await desk.bootstrap(email);
  await session.call('connect:mint', { workspaceId });
  await sandbox.control('POST', '/connect/expire', { kind: 'access' });
  await sandbox.control('DELETE', '/requests');
  const all = await Promise.all(
    Array.from({ length: 50 }, () => session.call('connect:getTerms', { workspaceId, email })),
  );
  expect(all.every(({ untrustedHtml }) => untrustedHtml.length > 0)).toBe(true);
  const requests = await seenRequests(sandbox);
  expect(requests.filter(({ path }) => path.endsWith('/create-connect-token'))).toHaveLength(1);
  const terms = requests.filter(({ path }) => path.includes('/terms_of_service'));
  expect(terms.filter(({ status }) => status === 200)).toHaveLength(50);
  expect(terms.length).toBeLessThanOrEqual(100);
});

test('a token that spans several tenants requires one to be chosen', async () => {
  const { multiTenantToken, tenants } = sandbox.connect;
  const desk = await open({ publicToken: multiTenantToken });
  await expect(desk.bootstrap(email)).rejects.toMatchObject({ code: 'connect.tenantNeeded' });
  for (const { label, key } of tenants) {
    await desk.session.call('connect:saveSettings', {
      workspaceId: desk.workspaceId,
      tenantLabel: label,
      tenantKey: key,
    });
    expect((await desk.bootstrap(email)).tenantId).toBeGreaterThan(0);
  }
  // Under each tenant its own members.
  const { members } = await desk.session.call('connect:listMembers', { workspaceId: desk.workspaceId });
  expect(members).toHaveLength(1);
});

test('each refusal by the service has its own code', async () => {
  const desk = await open();
  const { workspaceId, session } = desk;
  const stranger = { workspaceId, email: 'nobody@newco.example' };
  await expect(session.call('connect:getTerms', stranger)).rejects.toMatchObject({
    code: 'connect.memberUnknown',
  });
  const { tenantId } = await desk.bootstrap(email);
  const login = {
    workspaceId,
    email,
    payerId: 13,
    consents: { terms: true as const, tenantIds: [tenantId] },
  };
  await expect(
    session.call('connect:submit', {
      ...login,
      fields: { username: 'robin', password: 'p', subscriber_number: '12' },
    }),
  ).rejects.toMatchObject({
    code: 'connect.invalid',
    requestId: expect.any(String),
    details: { status: 422, 'field.subscriber_number': 'must be a letter and eight digits' },
  });
  const elsewhere = { ...login, consents: { terms: true as const, tenantIds: [tenantId + 1] } };
  await expect(
    session.call('connect:submit', { ...elsewhere, fields: { username: 'robin', password: 'p' } }),
  ).rejects.toMatchObject({ code: 'connect.termsNotAccepted' });
  await expect(session.call('connect:getPayer', { workspaceId, email, payerId: 999 })).rejects.toMatchObject({
    code: 'connect.notFound',
  });
  await expect(session.call('connect:watch', { workspaceId, policyHolderId: 424242 })).rejects.toMatchObject({
    code: 'connect.validationUnknown',
  });

  await session.call('connect:saveSettings', { workspaceId, secretKey: 'sk_wrong' });
  await expect(session.call('connect:mint', { workspaceId })).rejects.toMatchObject({
    code: 'connect.secretRefused',
  });
  await session.call('connect:saveSettings', { workspaceId, secretKey: null });
  await expect(session.call('connect:fix', { workspaceId, email })).rejects.toMatchObject({
    code: 'connect.secretMissing',
  });
  await session.call('connect:saveSettings', { workspaceId, headers: { serviceToken: 'X-Other' } });
  await expect(desk.bootstrap(email)).rejects.toMatchObject({ code: 'connect.badRequest' });
  await session.call('connect:saveSettings', {
    workspaceId,
    headers: { serviceToken: 'X-Service-Token' },
    publicToken: 'pk_wrong',
  });
  await expect(desk.bootstrap(email)).rejects.toMatchObject({ code: 'connect.tokenInactive' });
  await expect(
    session.call('connect:saveSettings', { workspaceId, headers: { isDemo: 'x-service-token' } }),
  ).rejects.toMatchObject({ code: 'usage.invalid' });
});

test('an allowlist of origins does not refuse calls without an origin', async () => {
  const { publicToken: token } = sandbox.connect;
  await sandbox.control('PUT', '/connect/integration', { token, origins: ['https://elsewhere.example'] });
  const desk = await open();
  expect((await desk.bootstrap(email)).tenantId).toBeGreaterThan(0);
  await sandbox.control('PUT', '/connect/integration', { token, origins: null });
});

test.each([
  ['two faults', { kind: 'status', status: 500, times: 2 }, null],
  ['a rate limit', { kind: 'rate-limit', seconds: 1, times: 1 }, null],
  ['unknown fields', { kind: 'unknown-fields' }, null],
  ['a reset', { kind: 'reset', times: 1 }, null],
  ['a redirect', { kind: 'redirect', location: 'http://127.0.0.1:1/' }, 'service.redirected'],
  ['HTML', { kind: 'replace-body', body: 'html' }, 'service.webPage'],
  ['a lasting fault', { kind: 'status', status: 503, body: 'html' }, 'service.fault'],
])('a bad day: %s', async (_name, wanted, code) => {
  const desk = await open();
  await desk.bootstrap(email);
  await sandbox.control('POST', '/faults', { ...wanted, route: 'connect-terms' });
  const asked = desk.session.call('connect:getTerms', { workspaceId: desk.workspaceId, email });
  if (code === null) expect((await asked).untrustedHtml).toContain('Terms of use');
  else await expect(asked).rejects.toMatchObject({ code });
});

test('connections of everyone, worst first, stay readable while the service can’t be reached', async () => {
  const { multiTenantToken: publicToken, tenants } = sandbox.connect;
  const [, tenant] = tenants;
  const desk = await open({ publicToken, tenantLabel: tenant?.label, tenantKey: tenant?.key });
  const { workspaceId, session } = desk;
  const people = ['one@newco.example', 'two@newco.example'];
  for (const [index, one] of people.entries()) {
    await desk.bootstrap(one);
    const { policyHolderId } = await desk.submit(one, 15, index === 0 ? 'all-fast' : 'all-invalid');
    await desk.until(policyHolderId, ended);
  }
  const fresh = await session.call('connect:listConnections', { workspaceId, isFresh: true });
  expect(fresh.failures).toEqual([]);
  expect(fresh.connections.map(({ severity }) => severity)).toEqual(['critical', 'unknown']);
  await sandbox.control('POST', '/faults', { kind: 'status', status: 500, route: 'connect-fix' });
  const again = await session.call('connect:listConnections', { workspaceId, isFresh: true });
  expect(again.failures.map((one) => one.email)).toEqual(expect.arrayContaining(people));
  expect(new Set(again.failures.map(({ code }) => code))).toEqual(new Set(['service.fault']));
  expect(again.connections).toHaveLength(2);
  await desk.restart();
  expect((await desk.session.call('connect:listConnections', { workspaceId })).connections).toHaveLength(2);
  await desk.session.call('connect:forgetMember', { workspaceId, email: 'TWO@newco.example' });
  expect((await desk.session.call('connect:listConnections', { workspaceId })).connections).toHaveLength(1);
});

test('the secret key is only in the keychain, is never returned, and is removed with the workspace', async () => {
  const held = new Map<string, Buffer>();
  const secrets: SecretStore = {
    kind: 'ephemeral',
    get: async (account) => held.get(account) ?? null,
    set: async (account, value) => void held.set(account, value),
    delete: async (account) => void held.delete(account),
    getState: async () => 'ready',
  };
  const profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-connect-secret-'));
  const session = await openSession({
    options: { yes: true },
    writes: true,
    profileDir,
    secrets,
  });
  onTestFinished(async () => {
    await session.close();
    await rm(profileDir, { recursive: true, force: true, maxRetries: 3 });
  });
  const { publicToken, secretKey } = sandbox.connect;
  const add = (at: string) => session.call('workspaces:add', { baseUrl: sandbox.baseUrl, email: at });
  const [{ id: workspaceId }, { id: other }] = [await add('a@b.example'), await add('c@b.example')];
  for (const id of [workspaceId, other]) {
    const saved = await session.call('connect:saveSettings', { workspaceId: id, publicToken, secretKey });
    expect(saved.hasSecret).toBe(true);
    expect(JSON.stringify(saved)).not.toContain(secretKey);
  }
  const accounts = (): string[] => [...held.keys()].filter((one) => one.startsWith('connect-secret/'));
  expect(accounts()).toHaveLength(2);
  const [account = ''] = accounts();
  expect(held.get(account)?.toString()).toBe(`${sandbox.baseUrl}\n${secretKey}`);

  // Version 0.2 stored the secret alone; it is bound to the address at its first use.
  const check = () => session.call('connect:mint', { workspaceId });
  held.set(account, Buffer.from(secretKey));
  await check();
  expect(held.get(account)?.toString()).toBe(`${sandbox.baseUrl}\n${secretKey}`);
  // A changed address in the file does not get the secret key.
  const path = join(profileDir, 'workspaces.json');
  const book = readFileSync(path, 'utf8');
  writeFileSync(path, book.replace(sandbox.baseUrl, sandbox.baseUrl.replace('127.0.0.1', 'localhost')));
  await expect(check()).rejects.toMatchObject({ code: 'connect.secretMissing' });
  writeFileSync(path, book);
  await check();
  await session.call('workspaces:remove', { workspaceId });
  expect(accounts()).toEqual([expect.stringContaining(other)]);
  expect(existsSync(join(profileDir, 'workspaces', workspaceId))).toBe(false);
  await session.call('connect:saveSettings', { workspaceId: other, secretKey: null });
  expect(accounts()).toEqual([]);
  expect((await session.call('connect:getSettings', { workspaceId: other })).hasSecret).toBe(false);
  await session.call('connect:saveSettings', { workspaceId: other, secretKey });
  await session.call('data:removeEverything', { typed: 'remove everything' });
  expect([...held.keys()]).toEqual([]);
});

test('the audit log has what was done, by number and never by name', async () => {
  const desk = await open();
  await desk.bootstrap(email);
  await desk.submit(email, 15, 'robin-audit-fast');
  const { entries } = await desk.session.call('audit:list', { offset: 0, limit: 3 });
  expect(entries.map(({ action }) => action)).toEqual([
    'connect.loginSubmitted',
    'connect.memberBroughtIn',
    'connect.settingsChanged',
  ]);
  const text = JSON.stringify(entries);
  for (const word of ['robin', sandbox.connect.secretKey]) expect(text).not.toContain(word);
});

test('each call is a line of the log, without personal data', async () => {
  const desk = await open();
  await desk.bootstrap(email);
  const calls = await readLoggedCalls(desk);
  expect(calls.find(({ route }) => route.includes('/bootstrap'))).toMatchObject({
    at: expect.any(String),
    method: 'POST',
    route: '/connect/v1/bootstrap',
    status: 200,
    durationMs: expect.any(Number),
    requestId: expect.any(String),
  });
  for (const word of ['robin', 'newco', sandbox.connect.publicToken])
    expect(JSON.stringify(calls)).not.toContain(word);
});
