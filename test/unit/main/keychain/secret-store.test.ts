import { describe, expect, test } from 'vitest';
import {
  createEphemeralStore,
  getOrCreateSecret,
  type SecretStore,
} from '../../../../src/main/keychain/secret-store.ts';
import { DeskError } from '../../../../src/main/lib/errors.ts';

const yes = { mayCreate: true };
const no = { mayCreate: false };

describe('a secret is', () => {
  test('made once, of 32 random bytes, and the same from then on', async () => {
    const store = createEphemeralStore();
    const first = await getOrCreateSecret(store, 'a', yes);
    expect(first).toHaveLength(32);
    expect(await getOrCreateSecret(store, 'a', no)).toEqual(first);
    expect(await getOrCreateSecret(store, 'b', yes)).not.toEqual(first);
    expect(await getOrCreateSecret(store, 'c', { mayCreate: true, bytes: 16 })).toHaveLength(16);
  });

  test('one for all simultaneous requests', async () => {
    const store = createEphemeralStore();
    const secrets = await Promise.all(Array.from({ length: 10 }, () => getOrCreateSecret(store, 'a', yes)));
    expect(new Set(secrets.map((secret) => secret.toString('hex'))).size).toBe(1);
    secrets[0]?.fill(0);
    expect(await getOrCreateSecret(store, 'a', no)).toEqual(secrets[1]);
  });

  test('never made while it protects something', async () => {
    const store = createEphemeralStore();
    await expect(getOrCreateSecret(store, 'a', no)).rejects.toMatchObject({ code: 'keychain.entryMissing' });
    const asked = getOrCreateSecret(store, 'a', { mayCreate: async () => false });
    await expect(asked).rejects.toMatchObject({ code: 'keychain.entryMissing' });
    expect(await store.get('a')).toBeNull();
  });

  test('not replaced when it has the wrong size', async () => {
    const store = createEphemeralStore([['a', Buffer.alloc(31, 1)]]);
    await expect(getOrCreateSecret(store, 'a', yes)).rejects.toMatchObject({ code: 'keychain.entryMissing' });
    expect(await store.get('a')).toEqual(Buffer.alloc(31, 1));
  });

  test('not used if the store did not keep it', async () => {
    const forgetful: SecretStore = { ...createEphemeralStore(), set: async () => undefined };
    await expect(getOrCreateSecret(forgetful, 'a', yes)).rejects.toMatchObject({
      code: 'keychain.dismissed',
    });
  });

  test('requested again after a failure', async () => {
    const store = createEphemeralStore();
    let isLocked = true;
    const locking: SecretStore = {
      ...store,
      get: async (account) => {
        if (isLocked) throw new DeskError('keychain.locked');
        return store.get(account);
      },
    };
    await expect(getOrCreateSecret(locking, 'a', yes)).rejects.toMatchObject({ code: 'keychain.locked' });
    isLocked = false;
    expect(await getOrCreateSecret(locking, 'a', yes)).toHaveLength(32);
  });
});

test('the ephemeral store shares no memory with its callers', async () => {
  const value = Buffer.from('secret');
  const store = createEphemeralStore();
  await store.set('a', value);
  value.fill(0);
  (await store.get('a'))?.fill(1);
  expect((await store.get('a'))?.toString()).toBe('secret');
  await store.delete('a');
  await store.delete('a');
  expect(await store.get('a')).toBeNull();
  expect(await store.getState()).toBe('ready');
});
