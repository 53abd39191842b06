import { existsSync } from 'node:fs';
import { chooseSecretStore, keychainServiceName } from '../keychain/choose-secret-store.ts';
import type { SecretStore } from '../keychain/secret-store.ts';
import { openVaultStore } from '../keychain/vault-store.ts';
import type { SecretsSource } from '../lib/engine-protocol.ts';
import { DeskError } from '../lib/errors.ts';
import { profilePaths } from '../lib/paths.ts';

/**
 * The secrets of a profile as a desk uses them: the keychain, or a vault whose passphrase is held only
 * while the desk is unlocked. A vault made by choice stays the place of this profile's secrets.
 */
export function createDeskSecrets(options: {
  profileDir: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** Tests only: in place of the system's keychain. */
  keychain?: SecretStore;
}) {
  const filePath = profilePaths(options.profileDir).vault;
  const given = options.environment.CLAIMDESK_VAULT_PASSPHRASE;
  let passphrase = given === undefined || given === '' ? null : given;
  const isByEnvironment = passphrase !== null;
  const outside = chooseSecretStore({ ...options, environment: isByEnvironment ? options.environment : {} });
  let vault: SecretStore | null = null;

  const isVault = (): boolean => isByEnvironment || existsSync(filePath);
  const current = (): SecretStore => {
    if (isByEnvironment && passphrase !== null) return outside;
    if (!isVault()) return outside;
    if (vault === null) throw new DeskError('vault.passphraseNeeded');
    return vault;
  };

  const store: SecretStore = {
    get kind() {
      return isVault() ? ('vault' as const) : outside.kind;
    },
    get: async (account) => current().get(account),
    set: async (account, value) => current().set(account, value),
    delete: async (account) => current().delete(account),
    async getState() {
      if (isVault() && !isByEnvironment && vault === null) return 'locked';
      return current().getState();
    },
  };

  return {
    store,
    source(): SecretsSource {
      if (!isVault()) return { kind: 'keychain', serviceName: keychainServiceName };
      if (passphrase === null) throw new DeskError('vault.passphraseNeeded');
      return { kind: 'vault', filePath, passphrase };
    },
    /** False while a vault waits for its passphrase. */
    isOpen: (): boolean => !isVault() || passphrase !== null,
    needsPassphrase: (): boolean => isVault() && (passphrase === null || isByEnvironment),
    close(): void {
      vault = null;
      if (!isByEnvironment) passphrase = null;
    },
    /** @throws DeskError `vault.wrongPassphrase`, `vault.passphraseNeeded`, `keychain.locked`, `keychain.missing` */
    async open(typed?: string): Promise<void> {
      if (isVault()) {
        if (typed === undefined) throw new DeskError('vault.passphraseNeeded');
        const opened = await openVaultStore({ filePath, passphrase: typed });
        if (isByEnvironment) {
          if (typed !== passphrase) throw new DeskError('vault.wrongPassphrase');
          return;
        }
        vault = opened;
        passphrase = typed;
        return;
      }
      const state = await outside.getState();
      if (state === 'locked') throw new DeskError('keychain.locked');
      if (state === 'missing') throw new DeskError('keychain.missing');
    },
    /** @throws DeskError `vault.weakPassphrase`, `usage.invalid` where there is a vault already */
    async createVault(chosen: string): Promise<void> {
      if (isVault()) throw new DeskError('usage.invalid', { details: { reason: 'vault exists' } });
      const made = await openVaultStore({ filePath, passphrase: chosen });
      await made.set('made', Buffer.from('1'));
      vault = made;
      passphrase = chosen;
    },
  };
}
