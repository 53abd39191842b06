import { rm } from 'node:fs/promises';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { profilePaths } from '../lib/paths.ts';
import { createSerialQueue } from '../lib/serial-queue.ts';
import { accountOf, makeInKeychain, makeUnderPassphrase } from './make-profile-key.ts';
import { openKey } from './open-profile-key.ts';
import { requireStrong } from './passphrase-key.ts';
import { getProfileId } from './profile-identity.ts';
import type { ProfileKey, ProfileKeyPorts } from './profile-key-ports.ts';
import { hasProtectedData } from './protected-data.ts';
import { readSealedCopies } from './sealed-copies.ts';
import { openSealedFile } from './sealed-file.ts';
import { emptyContent } from './sealed-format.ts';
import { createUnlockTries } from './unlock-tries.ts';

export function createProfileKey(ports: ProfileKeyPorts): ProfileKey {
  const paths = profilePaths(ports.profileDir);
  return {
    ports,
    sealed: openSealedFile(paths, () => ports.log.write('keychain.secretsMended', { code: 'vault.damaged' })),
    tries: createUnlockTries({ filePath: paths.unlockTries, clock: ports.clock }),
    enqueue: createSerialQueue(),
    held: null,
    closings: 0,
    isPassphraseShort: false,
    refused: null,
  };
}

/**
 * Reads from the profile's files what opens it; a file that cannot be parsed counts as locked. `kind` is null before
 * the first secret; the keychain will then be used unless a passphrase is given.
 */
export function readLock({ ports }: ProfileKey): {
  kind: 'keychain' | 'passphrase' | null;
  hasRecoveryCode: boolean;
} {
  const { file, error } = readSealedCopies(profilePaths(ports.profileDir));
  if (file === null && error === null) return { kind: null, hasRecoveryCode: false };
  return {
    kind: file?.inKeychain === true ? 'keychain' : 'passphrase',
    hasRecoveryCode: file !== null && file.recovery !== null,
  };
}

/**
 * The profile key; null where the profile has no secrets yet, unless `mayMake`.
 *
 * @throws DeskError `keychain.*`, `vault.*`, `unlock.tooManyTries`, `profile.*`, `disk.*`, `app.locked`
 */
export const getProfileKey = (
  profileKey: ProfileKey,
  { mayMake }: { mayMake: boolean },
): Promise<Buffer | null> =>
  profileKey.enqueue(async () => {
    const closedBefore = profileKey.closings;
    const key =
      profileKey.held ?? (await openKey(profileKey, null)) ?? (mayMake ? await make(profileKey) : null);
    if (profileKey.closings !== closedBefore) {
      key?.fill(0);
      throw new DeskError('app.locked');
    }
    profileKey.held = key;
    // A copy, because closing overwrites the bytes in memory while a caller may still be encrypting.
    return key === null ? null : Buffer.from(key);
  });

/** Makes the profile key when the first secret is about to be stored. */
async function make(profileKey: ProfileKey): Promise<Buffer> {
  const { ports, sealed } = profileKey;
  // The secrets of existing data are missing. They may be restored later; a new key would make the data unreadable.
  if (await hasProtectedData(ports.profileDir)) throw new DeskError('keychain.entryMissing');
  const passphrase = await ports.askPassphrase(false);
  if (passphrase !== null) requireStrong(passphrase);
  const made = await sealed.make(async () => ({
    ...(passphrase === null ? await makeInKeychain(ports) : await makeUnderPassphrase(ports, passphrase)),
    content: emptyContent,
  }));
  return made ?? ((await openKey(profileKey, null)) as Buffer);
}

/**
 * Opens the profile with a typed passphrase, even if the key is already in memory.
 * @throws DeskError as `getProfileKey`
 */
export const openProfileKey = (profileKey: ProfileKey, passphrase: string | undefined): Promise<void> =>
  profileKey.enqueue(async () => {
    profileKey.held = await openKey(profileKey, passphrase ?? null);
  });

/** Makes every secret permanently unreadable. @throws DeskError `keychain.*`, `profile.*` */
export function destroyProfileKey(profileKey: ProfileKey): Promise<void> {
  const { profileDir, keychain } = profileKey.ports;
  return profileKey.enqueue(async () => {
    const { secrets, secretsCopy } = profilePaths(profileDir);
    const { file, error } = readSealedCopies({ secrets, secretsCopy });
    if (file?.inKeychain === true) await keychain.delete(accountOf(file.id));
    if (file === null && error !== null) {
      const id = await getProfileId(profileDir).catch(() => null);
      if (id !== null) await keychain.delete(accountOf(id)).catch(() => undefined);
    }
    for (const path of [secretsCopy, secrets]) {
      await rm(path, { force: true }).catch((thrown: unknown) => {
        throw toDeskError(thrown);
      });
    }
    profileKey.held = null;
  });
}

export function closeProfileKey(profileKey: ProfileKey): void {
  profileKey.closings += 1;
  profileKey.held?.fill(0);
  profileKey.held = null;
  profileKey.refused = null;
  profileKey.isPassphraseShort = false;
}
