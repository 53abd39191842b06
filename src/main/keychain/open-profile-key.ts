import { DeskError } from '../lib/errors.ts';
import { accountOf } from './make-profile-key.ts';
import { minPassphraseLength } from './passphrase-key.ts';
import type { ProfileKeyPorts } from './profile-key-ports.ts';
import type { openSealedFile } from './sealed-file.ts';
import { openContent, type SealedFile, unwrapByPassphrase } from './sealed-format.ts';
import type { createUnlockTries } from './unlock-tries.ts';

export interface KeyOpenerParts {
  readonly ports: ProfileKeyPorts;
  readonly sealed: ReturnType<typeof openSealedFile>;
  readonly tries: ReturnType<typeof createUnlockTries>;
}

/** Opens the profile key by the keychain or a passphrase. */
export function createKeyOpener({ ports, sealed, tries }: KeyOpenerParts) {
  const { keychain } = ports;
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
  const tryPassphrase = async (
    typed: string | null,
    act: (passphrase: string) => Promise<Buffer>,
  ): Promise<Buffer> => {
    if (typed === null && refused !== null) throw refused;
    const passphrase = typed ?? (await ports.askPassphrase(true));
    if (passphrase === null) throw new DeskError('vault.passphraseNeeded');
    try {
      const key = await tries.guard(() => act(passphrase));
      await tries.settle();
      isPassphraseShort = passphrase.length < minPassphraseLength;
      refused = null;
      return key;
    } catch (error) {
      if (typed === null && error instanceof DeskError) refused = error;
      throw error;
    }
  };

  /** Deletes what the keychain no longer has to hold; what cannot be deleted now is tried again at the next start. */
  const tidy = async (key: Buffer): Promise<void> => {
    if (ports.isReadOnly) return;
    const file = await sealed.read();
    if (file === null) return;
    const content = openContent(file, key);
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
    if (file === null) return null;
    if (file.inKeychain) {
      const key = await readFromKeychain(file);
      await tidy(key);
      return key;
    }
    const key = await tryPassphrase(typed, (given) => unwrapByPassphrase(file, given));
    await tidy(key);
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
