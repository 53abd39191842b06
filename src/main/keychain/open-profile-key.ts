import { DeskError } from '../lib/errors.ts';
import { accountOf } from './make-profile-key.ts';
import { minPassphraseLength } from './passphrase-key.ts';
import type { ProfileKey } from './profile-key-ports.ts';
import { openContent, type SealedFile, unwrapByPassphrase } from './sealed-format.ts';

/**
 * Opens the profile key by the keychain or a passphrase; null for a profile that has no secrets yet. `typed`
 * is the passphrase that the user typed; null: ask for one where it is needed.
 *
 * @throws DeskError `keychain.*`, `vault.*`, `unlock.tooManyTries`, `profile.*`, `disk.*`
 */
export async function openKey(profileKey: ProfileKey, typed: string | null): Promise<Buffer | null> {
  const { ports, sealed } = profileKey;
  // Where it cannot be written, the intact copy opens the profile, and the next start tries again.
  if (sealed.read() !== null && !ports.isReadOnly) await sealed.mend().catch(() => undefined);
  const file = sealed.read();
  if (file === null) return null;
  const key = file.inKeychain
    ? await readFromKeychain(profileKey, file)
    : await tryPassphrase(profileKey, file, typed);
  await deleteLeftovers(profileKey, key);
  return key;
}

async function readFromKeychain({ ports }: ProfileKey, file: SealedFile): Promise<Buffer> {
  const value = await ports.keychain.get(accountOf(file.id));
  // The entry is missing or belongs to another profile: no new key is made, because it could not open the existing
  // data.
  if (value === null || !opens(file, value))
    throw new DeskError(file.recovery === null ? 'keychain.entryMissing' : 'keychain.recoverable');
  return value;
}

async function tryPassphrase(
  profileKey: ProfileKey,
  file: SealedFile,
  typed: string | null,
): Promise<Buffer> {
  const { ports, tries, refused } = profileKey;
  if (typed === null && refused !== null) throw refused;
  const passphrase = typed ?? (await ports.askPassphrase(true));
  if (passphrase === null) throw new DeskError('vault.passphraseNeeded');
  try {
    const key = await tries.guard(() => unwrapByPassphrase(file, passphrase));
    await tries.forgive();
    profileKey.isPassphraseShort = passphrase.length < minPassphraseLength;
    profileKey.refused = null;
    return key;
  } catch (error) {
    if (typed === null && error instanceof DeskError) profileKey.refused = error;
    throw error;
  }
}

/** Deletes keychain entries that are no longer needed; where that fails, it is tried again at the next start. */
export async function deleteLeftovers({ ports, sealed }: ProfileKey, key: Buffer): Promise<void> {
  const file = ports.isReadOnly ? null : sealed.read();
  if (file === null || openContent(file, key).leftovers.length === 0) return;
  await sealed
    .change(key, async (state) => {
      for (const account of state.content.leftovers) {
        const isInUse = state.head.inKeychain && account === accountOf(state.head.id);
        if (!isInUse) await ports.keychain.delete(account);
      }
      return { ...state, content: { ...state.content, leftovers: [] } };
    })
    .catch(() => undefined);
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
