import { expect, test } from 'vitest';
import { type ConnectData, emptyConnectData } from '../../../../../src/main/engine/connect/connect-file.ts';
import { createIntegration } from '../../../../../src/main/engine/connect/integration.ts';
import { createFakeClock, createFakeTransport } from '../../../../support/engine-service.ts';

function open(sample: { publicToken: string; secretKey: string } | null = null) {
  let data: ConnectData = emptyConnectData();
  let secret: string | null = null;
  const { transport, requests } = createFakeTransport(() => ({ body: '{"data":"token"}' }));
  const update = async (change: (known: ConnectData) => ConnectData) => {
    data = change(data);
    return data;
  };
  const integration = createIntegration({
    findWorkspace: async () => ({ baseUrl: 'https://service.example' }) as never,
    file: {
      read: async () => data,
      update,
      forget: update,
      check: async () => null,
      close: async () => undefined,
    },
    secret: {
      read: async () => secret,
      write: async (value) => {
        secret = value;
      },
    },
    getSample: async () => sample,
    transport,
    clock: createFakeClock(),
    onCall: () => undefined,
  });
  return { integration, requests, getData: () => data, getSecret: () => secret };
}
const bodyOf = (request: { body?: unknown } | undefined) =>
  JSON.parse(String(request?.body ?? '{}')) as unknown;

test('a workspace without a token is not set up', async () => {
  await expect(open().integration.open()).rejects.toMatchObject({ code: 'connect.notSetUp' });
});

test('the secret is stored in the keychain and not in the file, and a change without one keeps it', async () => {
  const { integration, getData, getSecret } = open();
  await integration.saveSettings({ publicToken: 'pk_1', secretKey: 'sk_canary' });
  await integration.saveSettings({ isDemo: true });
  expect(getSecret()).toBe('sk_canary');
  expect(JSON.stringify(getData())).not.toContain('canary');
  expect(await integration.getSettings()).toMatchObject({
    hasSecret: true,
    isDemo: true,
    publicToken: 'pk_1',
  });
});

test('the sample is set up by itself, and again after its service was', async () => {
  const sample = { publicToken: 'pk_sample', secretKey: 'sk_sample' };
  const { integration, requests } = open(sample);
  expect(await integration.getSettings()).toMatchObject({ publicToken: 'pk_sample', hasSecret: true });
  await (await integration.open()).api.mint();
  expect(bodyOf(requests[0])).toEqual({ connect_access_key: 'pk_sample', connect_secret_key: 'sk_sample' });
  Object.assign(sample, { publicToken: 'pk_next', secretKey: 'sk_next' });
  await (await integration.open()).api.mint();
  expect(bodyOf(requests[1])).toEqual({ connect_access_key: 'pk_next', connect_secret_key: 'sk_next' });
});

test('one client as long as nothing changes, and a different scope for another token, tenant or kind of data', async () => {
  const { integration } = open();
  await integration.saveSettings({ publicToken: 'pk_1' });
  const first = await integration.open();
  expect(await integration.open()).toBe(first);
  await integration.saveSettings({ base: 'legacy' });
  expect((await integration.open()).scope).toBe(first.scope);
  const scopes = new Set([first.scope]);
  for (const change of [{ isDemo: true }, { tenantLabel: 'l', tenantKey: 'k' }, { publicToken: 'pk_2' }]) {
    await integration.saveSettings(change);
    scopes.add((await integration.open()).scope);
  }
  expect(scopes.size).toBe(4);
});

test('two headers with one name, or half a tenant, are not saved', async () => {
  const { integration, getData } = open();
  const before = getData();
  await expect(integration.saveSettings({ headers: { isDemo: 'x-tenant-KEY' } })).rejects.toMatchObject({
    code: 'usage.invalid',
  });
  await expect(integration.saveSettings({ tenantLabel: 'l' })).rejects.toMatchObject({
    code: 'connect.tenantNeeded',
  });
  expect(getData()).toBe(before);
});
