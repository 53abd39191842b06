import { expect, test } from 'vitest';
import { anchorsBeginInKeychain, createAnchorStore } from '../../../../src/main/keychain/anchor-store.ts';
import { createEphemeralStore, type SecretStore } from '../../../../src/main/keychain/secret-store.ts';
import { DeskError } from '../../../../src/main/lib/errors.ts';

const anchor = Buffer.from('{"seq":1}');
const readText = async (store: Pick<SecretStore, 'get'>) => (await store.get('a'))?.toString() ?? null;

test('an anchor is in the keychain though the other secrets are in a file, and is removed from both', async () => {
  const [secrets, keychain] = [createEphemeralStore(), createEphemeralStore()];
  const store = createAnchorStore({ secrets, keychain, beginsInKeychain: true });
  await store.set('a', anchor);
  expect([await readText(keychain), await readText(secrets)]).toEqual(['{"seq":1}', null]);
  await secrets.set('a', anchor);
  await store.delete('a');
  expect([await readText(keychain), await readText(secrets)]).toEqual([null, null]);
});

test.each(['missing', 'locked'] as const)(
  'with a keychain that is %s it is with the others',
  async (state) => {
    const secrets = createEphemeralStore();
    const keychain: SecretStore = { ...createEphemeralStore(), getState: async () => state };
    const store = createAnchorStore({ secrets, keychain, beginsInKeychain: true });
    await store.set('a', anchor);
    expect([await readText(keychain), await readText(secrets), await readText(store)]).toEqual([
      null,
      '{"seq":1}',
      '{"seq":1}',
    ]);
  },
);

test('a keychain that stores nothing is not used; a dismissed one is reported', async () => {
  const secrets = createEphemeralStore();
  const refusing = (code: 'keychain.missing' | 'keychain.dismissed'): SecretStore => ({
    ...createEphemeralStore(),
    set: () => Promise.reject(new DeskError(code)),
  });
  await createAnchorStore({ secrets, keychain: refusing('keychain.missing'), beginsInKeychain: true }).set(
    'a',
    anchor,
  );
  expect(await readText(secrets)).toBe('{"seq":1}');
  const dismissed = createAnchorStore({
    secrets,
    keychain: refusing('keychain.dismissed'),
    beginsInKeychain: true,
  });
  await expect(dismissed.set('a', anchor)).rejects.toMatchObject({ code: 'keychain.dismissed' });
});

test('a new profile that was told not to use the keychain anchors with its secrets', async () => {
  const kept = { kind: 'keychain' as const };
  const environment = { CLAIMDESK_VAULT_PASSPHRASE: 'correct horse battery staple' };
  expect(anchorsBeginInKeychain(kept, {})).toBe(true);
  expect(anchorsBeginInKeychain({ kind: 'vault' }, {})).toBe(true);
  expect(anchorsBeginInKeychain(kept, environment)).toBe(false);
  expect(anchorsBeginInKeychain({ kind: 'ephemeral' }, {})).toBe(false);
  const [secrets, keychain] = [createEphemeralStore(), createEphemeralStore()];
  await createAnchorStore({ secrets, keychain, beginsInKeychain: false }).set('a', anchor);
  expect([await readText(keychain), await readText(secrets)]).toEqual([null, '{"seq":1}']);
});

test('an anchor in the keychain is read and replaced there even by one that would begin elsewhere', async () => {
  const [secrets, keychain] = [createEphemeralStore(), createEphemeralStore()];
  await createAnchorStore({ secrets, keychain, beginsInKeychain: true }).set('a', anchor);
  const other = createAnchorStore({ secrets, keychain, beginsInKeychain: false });
  expect(await readText(other)).toBe('{"seq":1}');
  await other.set('a', Buffer.from('{"seq":2}'));
  expect([await readText(keychain), await readText(secrets)]).toEqual(['{"seq":2}', null]);
  await other.delete('a');
  expect(await readText(keychain)).toBeNull();
});
