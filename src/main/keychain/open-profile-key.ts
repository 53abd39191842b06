import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { acquireLease } from '../lib/lease.ts';
import { profilePaths } from '../lib/paths.ts';
import { accountOf, makeInKeychain, makeUnderPassphrase } from './make-profile-key.ts';
import { hasProtectedData, listOldAccounts } from './old-entries.ts';
import { minPassphraseLength } from './passphrase-key.ts';
import type { ProfileKeyPorts } from './profile-key-ports.ts';
import type { openSealedFile } from './sealed-file.ts';
import { openContent, type SealedContent, type SealedFile, unwrapByPassphrase } from './sealed-format.ts';
import type { createUnlockTries } from './unlock-tries.ts';
import { openVault } from './vault-format.ts';

export interface KeyOpenerParts {
  readonly ports: ProfileKeyPorts;
  readonly sealed: ReturnType<typeof openSealedFile>;
  readonly tries: ReturnType<typeof createUnlockTries>;
}

/** Opens the profile key by the keychain or a passphrase, and carries over what version 0.1 kept. */
export function createKeyOpener({ ports, sealed, tries }: KeyOpenerParts) {
  const { profileDir, keychain } = ports;
  const paths = profilePaths(profileDir);
  let isPassphraseShort = false;
  /** What came of the passphrase that was given at the start: it is one try, however often a secret is wanted. */
  let refused: DeskError | null = null;

  const readFromKeychain = async (file: SealedFile): Promise<Buffer> => {
    const value = await keychain.get(accountOf(file.id));
    // Gone, or of another profile: nothing new is made over what it protects.
    if (value === null || !opens(file, value))
      throw new DeskError(file.recovery === null ? 'keychain.entryMissing' : 'keychain.recoverable');
    return value;
  };
  const tryPassphrase = async <T>(
    typed: string | null,
    act: (passphrase: string) => Promise<T>,
  ): Promise<{ result: T; passphrase: string }> => {
    if (typed === null && refused !== null) throw refused;
    const passphrase = typed ?? (await ports.askPassphrase(true));
    if (passphrase === null) throw new DeskError('vault.passphraseNeeded');
    try {
      const result = await tries.guard(() => act(passphrase));
      await tries.settle();
      isPassphraseShort = passphrase.length < minPassphraseLength;
      refused = null;
      return { result, passphrase };
    } catch (error) {
      if (typed === null && error instanceof DeskError) refused = error;
      throw error;
    }
  };

  /** Without the lease another process, perhaps of an older version, may be writing what is carried over. */
  const whileWriting = async <T>(act: () => Promise<T>): Promise<T> => {
    if (!ports.isReadOnly) return act();
    const lease = await acquireLease(profileDir);
    return act().finally(() => lease.release());
  };

  /** Version 0.1 had an entry in the keychain for each secret. null where there is none. */
  const carryOverEntries = async (): Promise<Buffer | null> => {
    const entries: [string, Buffer][] = [];
    for (const account of await listOldAccounts(profileDir)) {
      const value = await keychain.get(account);
      if (value !== null) entries.push([account, value]);
    }
    if (entries.length === 0) return null;
    await sealed.make(async () => ({
      ...(await makeInKeychain(ports)),
      content: {
        secrets: Object.fromEntries(entries.map(([account, value]) => [account, value.toString('base64')])),
        leftovers: entries.map(([account]) => account),
        tries: null,
      },
    }));
    return openKey(null);
  };

  /** Version 0.1 had a vault, where a passphrase was wanted. */
  const carryOverVault = async (typed: string | null): Promise<Buffer | null> => {
    const text = await readFile(paths.vault, 'utf8').catch((error: unknown) => {
      throw toDeskError(error);
    });
    const { result: secrets, passphrase } = await tryPassphrase(typed, (given) => openVault(text, given));
    await sealed.make(async () => ({
      ...(await makeUnderPassphrase(ports, passphrase)),
      content: { secrets, leftovers: [], tries: null },
    }));
    return openKey(passphrase);
  };
  /** The vault goes once everything in it is in the sealed file. */
  const dropVault = async (passphrase: string, secrets: SealedContent['secrets']): Promise<void> => {
    if (!existsSync(paths.vault)) return;
    const old = await openVault(await readFile(paths.vault, 'utf8'), passphrase);
    if (Object.keys(old).some((account) => secrets[account] === undefined)) return;
    await rm(paths.vault, { force: true });
    await rm(`${paths.vault}.lease`, { recursive: true, force: true });
  };

  /** Deletes what the keychain no longer has to hold; what cannot be deleted now is tried again at the next start. */
  const tidy = async (key: Buffer, passphrase: string | null): Promise<void> => {
    if (ports.isReadOnly) return;
    const file = await sealed.read();
    if (file === null) return;
    const content = openContent(file, key);
    if (passphrase !== null) await dropVault(passphrase, content.secrets).catch(() => undefined);
    if (content.leftovers.length === 0) return;
    await sealed
      .change(key, async (state) => {
        for (const account of state.content.leftovers) {
          const isInUse = state.head.inKeychain && account === accountOf(state.head.id);
          if (!isInUse) await keychain.delete(account);
        }
        return { ...state, content: { ...state.content, leftovers: [] } };
      })
      .catch(() => undefined);
  };

  const openKey = async (typed: string | null): Promise<Buffer | null> => {
    const file = await sealed.read();
    if (file === null) {
      if (existsSync(paths.vault)) return whileWriting(() => carryOverVault(typed));
      return (await hasProtectedData(profileDir)) ? whileWriting(carryOverEntries) : null;
    }
    if (file.inKeychain) {
      const key = await readFromKeychain(file);
      await tidy(key, null);
      return key;
    }
    const { result: key, passphrase } = await tryPassphrase(typed, (given) =>
      unwrapByPassphrase(file, given),
    );
    await tidy(key, passphrase);
    return key;
  };

  return {
    /**
     * The key, or null for a profile that has no secrets yet. `typed` is what a person typed; null: ask where one is
     * needed.
     * @throws DeskError `keychain.*`, `vault.*`, `unlock.tooManyTries`, `profile.*`, `disk.*`
     */
    openKey,
    tidy,
    get isPassphraseShort() {
      return isPassphraseShort;
    },
    notePassphraseChanged(): void {
      isPassphraseShort = false;
    },
    close(): void {
      refused = null;
      isPassphraseShort = false;
    },
  };
}

function opens(file: SealedFile, key: Buffer): boolean {
  if (key.length !== 32) return false;
  try {
    openContent(file, key);
    return true;
  } catch {
    return false;
  }
}
