import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CarrierConnection } from '../../../src/contract/carrier-connections.ts';
import { walkCarrierPage } from '../sandbox/carrier-walk.ts';
import { openConnectDesk, openDeskOf, seenRequests } from './connect-desk.ts';

const email = 'dana@newco.example';
const { sandbox, desk } = await openDeskOf(email);
beforeEach(async () => {
  await set({ stepMs: 40, crawlMs: 3_600_000 });
});
afterEach(async () => {
  await sandbox.control('DELETE', '/faults');
});

const set = (settings: object): Promise<unknown> => sandbox.control('PUT', '/connect/settings', settings);
const ended = async (username: string, payerId = 15, whose = email): Promise<number> => {
  const { policyHolderId } = await desk.submit(whose, payerId, username);
  await desk.until(policyHolderId, ({ phase }) => phase === 'ended');
  return policyHolderId;
};
const ref = (policyHolderId: number) => ({ workspaceId: desk.workspaceId, policyHolderId });
const read = (policyHolderId: number): Promise<CarrierConnection> =>
  desk.session.call('connect:readConnection', ref(policyHolderId));
const spoil = (policyHolderId: number, problem: object): Promise<unknown> =>
  sandbox.control('PUT', `/connect/policy-holders/${policyHolderId}`, problem);

test('an accepted login is connected before its first claims, which are counted later with the newest date', async () => {
  const id = await ended('dana-facts-fast');
  expect(await read(id)).toMatchObject({
    loginProblem: 'valid',
    severity: 'unknown',
    sentence: 'Connected. Claims haven’t arrived yet.',
    lastSuccessAt: null,
    claimsSynced: 0,
    newestClaimOn: null,
  });
  await set({ crawlMs: 0 });
  const { connections } = await desk.session.call('connect:fix', { workspaceId: desk.workspaceId, email });
  expect(connections.find(({ policyHolderId }) => policyHolderId === id)).toMatchObject({
    severity: 'fine',
    sentence: 'New claims arrive with each update.',
    lastSuccessAt: expect.any(String),
    claimsSynced: 5,
    newestClaimOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
});

test('a correction begins with the carrier’s reason and the username, which no later answer contains', async () => {
  const id = await ended('dana-reason-invalid');
  const begun = await desk.session.call('connect:beginCorrection', ref(id));
  expect(begun).toMatchObject({
    username: 'dana-reason-invalid',
    connection: {
      severity: 'critical',
      correctionMessage: expect.stringContaining('no longer accepts this username and password'),
      usernameHint: 'da…',
    },
  });
  await desk.restart();
  const { connections } = await desk.session.call('connect:listConnections', {
    workspaceId: desk.workspaceId,
  });
  const kept = connections.find(({ policyHolderId }) => policyHolderId === id);
  expect(kept?.correctionMessage).toBe(begun.connection.correctionMessage);
  expect(JSON.stringify(connections)).not.toContain('dana-reason');
});

test('a correction asks for consent again only if the terms changed since, or can’t be read', async () => {
  const id = await ended('dana-consent-invalid');
  const consents = async () => (await desk.session.call('connect:beginCorrection', ref(id))).consents;
  const [member] = (await desk.session.call('connect:listMembers', { workspaceId: desk.workspaceId }))
    .members;
  const given = { terms: true, tenantIds: [member?.tenant.id] };
  expect(await consents()).toEqual(given);
  await desk.restart();
  expect(await consents()).toEqual(given);
  await set({ termsNote: 'From today claims are kept for nine years.' });
  expect(await consents()).toBeNull();
  await set({ termsNote: 'These terms are current.' });
  expect(await consents()).toEqual(given);
  await sandbox.control('POST', '/faults', { kind: 'status', status: 404, route: 'connect-terms' });
  expect(await consents()).toBeNull();
  await sandbox.control('DELETE', '/faults');
});

test('if a connection can’t be read, its known reason and claims are kept', async () => {
  const id = await ended('dana-kept-fast');
  await spoil(id, { loginProblem: 'locked', correctionMessage: 'Call us.', lastCrawlEnd: null });
  expect((await read(id)).correctionMessage).toBe('Call us.');
  await sandbox.control('POST', '/faults', { kind: 'status', status: 404, route: 'connect-policy-holder' });
  const { connections } = await desk.session.call('connect:fix', { workspaceId: desk.workspaceId, email });
  expect(connections.find(({ policyHolderId }) => policyHolderId === id)).toMatchObject({
    severity: 'critical',
    correctionMessage: 'Call us.',
    claimsSynced: 0,
  });
  await expect(read(id)).rejects.toMatchObject({ code: 'connect.notFound' });
  await expect(read(1)).rejects.toMatchObject({ code: 'connect.notFound' });
});

test('without the secret key, a validated connection is known, but its username is not', async () => {
  const bare = await openConnectDesk(sandbox, { secretKey: null });
  try {
    await bare.bootstrap('kim@newco.example');
    const { policyHolderId } = await bare.submit('kim@newco.example', 15, 'kim-invalid');
    await bare.until(policyHolderId, ({ phase }) => phase === 'ended');
    const listed = async () =>
      (await bare.session.call('connect:listConnections', { workspaceId: bare.workspaceId })).connections;
    await expect
      .poll(listed)
      .toMatchObject([
        { policyHolderId, payerName: 'Test Carrier', loginProblem: 'invalid', correctionMessage: /please/i },
      ]);
    const wanted = { workspaceId: bare.workspaceId, policyHolderId };
    expect(await bare.session.call('connect:beginCorrection', wanted)).toMatchObject({
      username: null,
      connection: { severity: 'critical' },
    });
  } finally {
    await bare.close();
  }
});

test.each(['carrier', 'lists'])(
  'a migrating carrier: the new carrier of its group, found by the %s, gets a separate connection',
  async (payerGroups) => {
    await set({ payerGroups });
    const member = `mira.${payerGroups}@newco.example`;
    const { tenantId } = await desk.bootstrap(member);
    const { policyHolderId: old } = await desk.session.call('connect:submit', {
      workspaceId: desk.workspaceId,
      email: member,
      payerId: 11,
      fields: { username: `${payerGroups}-fast`, password: 'p', date_of_birth: '1985-04-12' },
      consents: { terms: true, tenantIds: [tenantId] },
    });
    await desk.until(old, ({ phase }) => phase === 'ended');
    await expect(desk.session.call('connect:findNewCarrier', ref(old))).rejects.toMatchObject({
      code: 'connect.newCarrierUnknown',
    });
    await spoil(old, { loginProblem: 'migrating' });
    await desk.session.call('connect:fix', { workspaceId: desk.workspaceId, email: member });
    const carrier = await desk.session.call('connect:findNewCarrier', ref(old));
    expect(carrier).toEqual({ id: 19, name: 'Northern Mutual Online' });
    await sandbox.control('DELETE', '/requests');
    const made = await ended(`${payerGroups}-fast`, carrier.id, member);
    expect(made).not.toBe(old);
    const submits = (await seenRequests(sandbox)).filter(({ method }) => method !== 'GET');
    expect(submits.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)).toContain(
      'POST policy_holder',
    );
    expect(submits.some(({ method }) => method === 'PUT')).toBe(false);
    await set({ payerGroups: 'carrier' });
  },
);

test('a migrating carrier without another one in its group is reported', async () => {
  const id = await ended('dana-alone-fast');
  await spoil(id, { loginProblem: 'migrating' });
  await read(id);
  await expect(desk.session.call('connect:findNewCarrier', ref(id))).rejects.toMatchObject({
    code: 'connect.newCarrierUnknown',
  });
});

test('Patient Access uses the carrier’s own address if the call returns none, or does not exist', async () => {
  const start = async (member: string, interopReply: string) => {
    const { tenantId } = await desk.bootstrap(member);
    await set({ interopReply });
    return desk.session.call('connect:startPatientAccess', {
      workspaceId: desk.workspaceId,
      email: member,
      payerId: 17,
      consents: { terms: true, tenantIds: [tenantId] },
    });
  };
  try {
    const { host } = new URL(sandbox.baseUrl);
    const members = ['none', 'missing'].map((reply) => [`${reply}@newco.example`, reply] as const);
    for (const [member, reply] of members) {
      const begun = await start(member, reply);
      expect(begun).toMatchObject({ phase: 'ready', host });
      expect(new URL(begun.authorizationUrl).pathname).toMatch(/^\/carrier\/enter\//);
      await walkCarrierPage(begun.authorizationUrl, { username: reply, decision: 'allow' });
    }
    for (const [member] of members) {
      const signIn = () =>
        desk.session.call('connect:getPatientAccess', { workspaceId: desk.workspaceId, email: member });
      await expect.poll(signIn).toMatchObject({
        phase: 'connected',
        policyHolderId: expect.any(Number),
      });
    }
    await set({ carrierAddress: 'none' });
    await expect(start('nowhere@newco.example', 'none')).rejects.toMatchObject({
      code: 'connect.noCarrierPage',
      requestId: expect.any(String),
    });
  } finally {
    await set({ interopReply: 'text', carrierAddress: 'told' });
  }
});

test('the employer’s support address is included in its members’ connections', async () => {
  const demo = await openConnectDesk(sandbox, { isDemo: true });
  try {
    await demo.bootstrap('lee@demo.example');
    const { policyHolderId } = await demo.submit('lee@demo.example', 15, 'lee-fast');
    await demo.until(policyHolderId, ({ phase }) => phase === 'ended');
    const wanted = { workspaceId: demo.workspaceId, policyHolderId };
    expect(await demo.session.call('connect:readConnection', wanted)).toMatchObject({
      supportEmail: 'support@demo.example',
    });
  } finally {
    await demo.close();
  }
});
