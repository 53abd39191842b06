import { expect, test } from 'vitest';
import { anchorsInKeychain, createAnchorStore } from '../../../../src/main/keychain/anchor-store.ts';
import { createEphemeralStore, type SecretStore } from '../../../../src/main/keychain/secret-store.ts';
import { DeskError } from '../../../../src/main/lib/errors.ts';

const anchor = Buffer.from('{"seq":1}');
const readText = async (store: Pick<SecretStore, 'get'>) => (await store.get('a'))?.toString() ?? null;

test('an anchor lies in the keychain though the other secrets lie in a file, and goes from both', async () => {
  const [secrets, keychain] = [createEphemeralStore(), createEphemeralStore()];
  const store = createAnchorStore({ secrets, keychain });
  await store.set('a', anchor);
  expect([await readText(keychain), await readText(secrets)]).toEqual(['{"seq":1}', null]);
  await secrets.set('a', anchor);
  await store.delete('a');
  expect([await readText(keychain), await readText(secrets)]).toEqual([null, null]);
});

test.each(['missing', 'locked'] as const)(
  'with a keychain that is %s it lies with the others',
  async (state) => {
    const secrets = createEphemeralStore();
    const keychain: SecretStore = { ...createEphemeralStore(), getState: async () => state };
    const store = createAnchorStore({ secrets, keychain });
    await store.set('a', anchor);
    expect([await readText(keychain), await readText(secrets), await readText(store)]).toEqual([
      null,
      '{"seq":1}',
      '{"seq":1}',
    ]);
  },
);

test('a keychain that turns out to keep nothing is left alone; one that somebody dismisses is told', async () => {
  const secrets = createEphemeralStore();
  const refusing = (code: 'keychain.missing' | 'keychain.dismissed'): SecretStore => ({
    ...createEphemeralStore(),
    set: () => Promise.reject(new DeskError(code)),
  });
  await createAnchorStore({ secrets, keychain: refusing('keychain.missing') }).set('a', anchor);
  expect(await readText(secrets)).toBe('{"seq":1}');
  const dismissed = createAnchorStore({ secrets, keychain: refusing('keychain.dismissed') });
  await expect(dismissed.set('a', anchor)).rejects.toMatchObject({ code: 'keychain.dismissed' });
});

test('a profile that was told to leave the keychain alone anchors with its secrets', () => {
  const kept = { kind: 'keychain' as const };
  expect(anchorsInKeychain(kept, {})).toBe(true);
  expect(anchorsInKeychain({ kind: 'vault' }, {})).toBe(true);
  expect(anchorsInKeychain(kept, { CLAIMDESK_VAULT_PASSPHRASE: 'correct horse battery staple' })).toBe(false);
  expect(anchorsInKeychain({ kind: 'ephemeral' }, {})).toBe(false);
});
