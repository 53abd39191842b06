import { existsSync } from 'node:fs';
import { DeskError } from '../lib/errors.ts';
import { profilePaths } from '../lib/paths.ts';
import { createKeychainStore } from './keychain-store.ts';
import type { SecretStore } from './secret-store.ts';
import { createVaultStore } from './vault-store.ts';

type ChoiceInput = {
  profileDir: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** The system's keychain unless given. */
  keychain?: SecretStore;
};

export const keychainServiceName = 'Claimdesk';

/**
 * Decides where the secrets of a profile lie. `CLAIMDESK_VAULT_PASSPHRASE` set and not empty: the vault file,
 * whatever keychain there is. Else the keychain. Neither: every call rejects with `keychain.missing`; there is
 * no way to plain text. A vault's passphrase is tried at the first call.
 *
 * A profile that has a vault, used without the passphrase, would look as if its entries were gone from the
 * keychain; there the answer is `vault.passphraseNeeded` instead.
 */
export function chooseSecretStore({ profileDir, environment, keychain }: ChoiceInput): SecretStore {
  const filePath = profilePaths(profileDir).vault;
  const passphrase = environment.CLAIMDESK_VAULT_PASSPHRASE;
  if (passphrase !== undefined && passphrase !== '') {
    return createVaultStore({ filePath, passphrase, minPassphraseLength: 1 });
  }
  const store = keychain ?? createKeychainStore({ serviceName: keychainServiceName });
  const hasVault = () => existsSync(filePath);
  return {
    ...store,
    get: async (account) => {
      const value = await store.get(account).catch((error: unknown) => {
        if (isMissing(error) && hasVault()) throw new DeskError('vault.passphraseNeeded', { cause: error });
        throw error;
      });
      if (value === null && hasVault()) throw new DeskError('vault.passphraseNeeded');
      return value;
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof DeskError && error.code === 'keychain.missing';
}
