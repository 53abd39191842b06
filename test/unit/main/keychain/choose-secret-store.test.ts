import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chooseSecretStore } from '../../../../src/main/keychain/choose-secret-store.ts';
import { createKeychainStore } from '../../../../src/main/keychain/keychain-store.ts';
import { getProfileId } from '../../../../src/main/keychain/profile-identity.ts';
import { createEphemeralStore } from '../../../../src/main/keychain/secret-store.ts';

let profileDir: string;
beforeEach(async () => {
  profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-choose-'));
});
afterEach(() => rm(profileDir, { recursive: true, force: true }));

const vaultEnvironment = { CLAIMDESK_VAULT_PASSPHRASE: 'correct horse' };
const missingKeychain = () =>
  createKeychainStore({ serviceName: 'Claimdesk test', ports: { readState: async () => 'missing' } });

describe('the secrets lie', () => {
  test('in the vault if its passphrase is set, whatever keychain there is', async () => {
    const keychain = createEphemeralStore();
    const store = chooseSecretStore({ profileDir, environment: vaultEnvironment, keychain });
    expect(store.kind).toBe('vault');
    await store.set('a', Buffer.from('x'));
    expect(await keychain.get('a')).toBeNull();
    expect(await readdir(profileDir)).toContain('vault.json');
  });

  test.each([{}, { CLAIMDESK_VAULT_PASSPHRASE: '' }])(
    'in the keychain otherwise (%o)',
    async (environment) => {
      const keychain = createEphemeralStore();
      const store = chooseSecretStore({ profileDir, environment, keychain });
      await store.set('a', Buffer.from('x'));
      expect(await keychain.get('a')).toEqual(Buffer.from('x'));
      expect(await readdir(profileDir)).toEqual([]);
    },
  );

  test('nowhere if there is neither: every call says so and nothing is written', async () => {
    const store = chooseSecretStore({ profileDir, environment: {}, keychain: missingKeychain() });
    expect(store.kind).toBe('keychain');
    expect(await store.getState()).toBe('missing');
    for (const call of [store.get('a'), store.set('a', Buffer.from('x')), store.delete('a')]) {
      await expect(call).rejects.toMatchObject({ code: 'keychain.missing' });
    }
    expect(await readdir(profileDir)).toEqual([]);
  });
});

describe('a profile with a vault, opened without its passphrase', () => {
  const needed = { code: 'vault.passphraseNeeded' };
  beforeEach(() =>
    chooseSecretStore({ profileDir, environment: vaultEnvironment }).set('a', Buffer.from('x')),
  );

  test('asks for it instead of calling the entry gone', async () => {
    const keychain = createEphemeralStore();
    await expect(chooseSecretStore({ profileDir, environment: {}, keychain }).get('a')).rejects.toMatchObject(
      needed,
    );
  });

  test('asks for it instead of calling the keychain missing', async () => {
    const store = chooseSecretStore({ profileDir, environment: {}, keychain: missingKeychain() });
    await expect(store.get('a')).rejects.toMatchObject(needed);
  });

  test('still finds what the keychain has', async () => {
    const keychain = createEphemeralStore([['a', Buffer.from('from the keychain')]]);
    const value = await chooseSecretStore({ profileDir, environment: {}, keychain }).get('a');
    expect(value?.toString()).toBe('from the keychain');
  });
});

describe('the id of a profile', () => {
  test('is random, kept, and one for all who ask first', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => getProfileId(profileDir)));
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(await getProfileId(profileDir)).toBe(ids[0]);
    expect(await getProfileId(join(profileDir, 'new', 'other'))).not.toBe(ids[0]);
  });

  test.each(['', '{}', '{"version":1,"id":"../../x"}', 'not json'])(
    'is not replaced when damaged (%j)',
    async (text) => {
      const path = join(profileDir, 'profile.json');
      await writeFile(path, text);
      await expect(getProfileId(profileDir)).rejects.toMatchObject({ code: 'profile.damaged' });
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );
});
