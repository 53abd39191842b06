import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomic } from '../lib/atomic-file.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { acquireLeaseWithin } from '../lib/lease.ts';
import { createSerialQueue } from '../lib/serial-queue.ts';
import type { SecretStore } from './secret-store.ts';
import { openVault, sealVault, type VaultKeys, type VaultSecrets } from './vault-format.ts';

type VaultOptions = {
  filePath: string;
  passphrase: string;
  /** For new vaults; 8 characters unless given. An administrator's variable decides for itself. */
  minPassphraseLength?: number;
};

const usualMinLength = 8;
/** How long one process waits while another writes the same vault. */
const writeWaitMs = 10_000;

/**
 * Opens a vault: a file of secrets under a passphrase, for where there is no keychain or none is wanted.
 * If the file exists, the passphrase is tried at once; if not, it is made at the first `set`.
 * @throws DeskError `vault.wrongPassphrase`, `vault.damaged`, `vault.weakPassphrase` (new vaults only)
 */
export async function openVaultStore(options: VaultOptions): Promise<SecretStore> {
  const vault = createVault(options);
  await vault.verify();
  return vault.store;
}

/** The same vault, its passphrase tried at the first call: commands without secrets need not wait for it. */
export function createVaultStore(options: VaultOptions): SecretStore {
  return createVault(options).store;
}

function createVault({ filePath, passphrase, minPassphraseLength = usualMinLength }: VaultOptions) {
  const enqueue = createSerialQueue();
  /** Deriving takes a third of a second and 128 MB: once a salt, not once a call. */
  let keys: VaultKeys | null = null;

  const read = async (): Promise<VaultSecrets | null> => {
    const text = await readFile(filePath, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw toDeskError(error);
    });
    if (text === null) return null;
    const opened = await openVault(text, passphrase, keys);
    keys = opened.keys;
    return opened.secrets;
  };

  /** Read, change, write; alone in this process by the queue, alone among processes by the lease. */
  const change = (apply: (secrets: VaultSecrets) => void) =>
    enqueue(async () => {
      await mkdir(dirname(filePath), { recursive: true, mode: 0o700 });
      const lease = await acquireLeaseWithin(`${filePath}.lease`, writeWaitMs);
      try {
        const secrets = await read();
        if (secrets === null) requireStrong(passphrase, minPassphraseLength);
        const changed = secrets ?? {};
        apply(changed);
        const sealed = await sealVault(changed, passphrase, secrets === null ? null : keys);
        await writeFileAtomic(filePath, sealed.text);
        keys = sealed.keys;
      } catch (error) {
        throw toDeskError(error);
      } finally {
        await lease.release();
      }
    });

  const store: SecretStore = {
    kind: 'vault',
    get: (account) =>
      enqueue(async () => {
        const value = ownValue((await read()) ?? {}, account);
        return value === undefined ? null : Buffer.from(value, 'base64');
      }),
    set: (account, value) =>
      change((secrets) => {
        secrets[account] = value.toString('base64');
      }),
    delete: async (account) => {
      const isThere = await enqueue(async () => ownValue((await read()) ?? {}, account) !== undefined);
      if (!isThere) return;
      await change((secrets) => {
        delete secrets[account];
      });
    },
    getState: () =>
      enqueue(async () => {
        try {
          await read();
          return 'ready';
        } catch (error) {
          if (error instanceof DeskError && error.code === 'vault.wrongPassphrase') return 'locked';
          throw error;
        }
      }),
  };

  return {
    store,
    verify: () =>
      enqueue(async () => {
        if ((await read()) === null) requireStrong(passphrase, minPassphraseLength);
      }),
  };
}

function ownValue(secrets: VaultSecrets, account: string): string | undefined {
  return Object.hasOwn(secrets, account) ? secrets[account] : undefined;
}

function requireStrong(passphrase: string, minLength: number): void {
  if (passphrase.length < minLength) throw new DeskError('vault.weakPassphrase');
}
