import { DeskError } from '../lib/errors.ts';
import { createKeychainStore, keychainServiceName } from './keychain-store.ts';
import type { SecretStore } from './secret-store.ts';

/** Stores the hash of the newest audit entry (the anchor). */
export type AnchorStore = Pick<SecretStore, 'get' | 'set' | 'delete'>;

/**
 * Keeps anchors of the audit log in the system's keychain even where the other secrets are in a file of the profile,
 * so that restoring an older copy of the whole profile does not restore an older anchor. Where there is no keychain
 * they are stored with the other secrets. `keychain`: null where it must not be used.
 */
export function createAnchorStore(options: {
  readonly secrets: SecretStore;
  readonly keychain: SecretStore | null;
}): AnchorStore {
  const { secrets, keychain } = options;
  if (keychain === null) return secrets;
  let usable: Promise<boolean> | null = null;
  const pick = async (): Promise<SecretStore> => {
    usable ??= keychain.getState().then((state) => state === 'ready');
    return (await usable) ? keychain : secrets;
  };
  return {
    async get(account) {
      const store = await pick();
      return (await store.get(account)) ?? (store === secrets ? null : secrets.get(account));
    },
    async set(account, value) {
      const store = await pick();
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
      const store = await pick();
      await store.delete(account);
      if (store !== secrets) await secrets.delete(account);
    },
  };
}

/** Whether a profile keeps its anchors in the system's keychain: not where a passphrase replaces the keychain. */
export function anchorsInKeychain(
  secrets: Pick<SecretStore, 'kind'>,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const passphrase = environment.CLAIMDESK_VAULT_PASSPHRASE;
  return secrets.kind !== 'ephemeral' && (passphrase === undefined || passphrase === '');
}

export function openAnchorStore(secrets: SecretStore, isInKeychain: boolean): AnchorStore {
  const keychain = isInKeychain ? createKeychainStore({ serviceName: keychainServiceName }) : null;
  return createAnchorStore({ secrets, keychain });
}
