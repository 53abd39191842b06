import { DeskError } from '../lib/errors.ts';
import { createKeychainStore, keychainServiceName } from './keychain-store.ts';
import type { SecretStore } from './secret-store.ts';

/** Stores the hash of the newest audit entry (the anchor). */
export type AnchorStore = Pick<SecretStore, 'get' | 'set' | 'delete'>;

/**
 * Keeps anchors of the audit log in the system's keychain even where the other secrets are in a file of the profile, so
 * that restoring an older copy of the whole profile does not restore an older anchor. Without a keychain they are
 * stored with the other secrets. `beginsInKeychain` decides where the first anchor is stored; one in the keychain is
 * always used, whatever opened the profile.
 */
export function createAnchorStore(options: {
  readonly secrets: SecretStore;
  readonly keychain: SecretStore;
  readonly beginsInKeychain: boolean;
}): AnchorStore {
  const { secrets, keychain, beginsInKeychain } = options;
  let usable: Promise<boolean> | null = null;
  const pick = async (account: string): Promise<AnchorStore> => {
    usable ??= keychain.getState().then((state) => state === 'ready');
    if (!(await usable)) return secrets;
    return beginsInKeychain || (await keychain.get(account)) !== null ? keychain : secrets;
  };
  return {
    async get(account) {
      const store = await pick(account);
      return (await store.get(account)) ?? (store === secrets ? null : secrets.get(account));
    },
    async set(account, value) {
      const store = await pick(account);
      try {
        await store.set(account, value);
      } catch (thrown) {
        // A keychain without a collection fails only when something is written to it.
        const isMissing = thrown instanceof DeskError && thrown.code === 'keychain.missing';
        if (!isMissing || store === secrets) throw thrown;
        usable = Promise.resolve(false);
        await secrets.set(account, value);
      }
    },
    async delete(account) {
      const store = await pick(account);
      await store.delete(account);
      if (store !== secrets) await secrets.delete(account);
    },
  };
}

/** Returns whether a new profile keeps its anchors in the system's keychain; false with a passphrase. */
export function anchorsBeginInKeychain(
  secrets: Pick<SecretStore, 'kind'>,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const passphrase = environment.CLAIMDESK_VAULT_PASSPHRASE;
  return secrets.kind !== 'ephemeral' && (passphrase === undefined || passphrase === '');
}

export function openAnchorStore(secrets: SecretStore, beginsInKeychain: boolean): AnchorStore {
  if (secrets.kind === 'ephemeral') return secrets;
  const keychain = createKeychainStore({ serviceName: keychainServiceName });
  return createAnchorStore({ secrets, keychain, beginsInKeychain });
}
