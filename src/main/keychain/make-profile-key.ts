import { randomBytes } from 'node:crypto';
import { DeskError } from '../lib/errors.ts';
import { getProfileId } from './profile-identity.ts';
import type { Keychain, ProfileKeyPorts } from './profile-key-ports.ts';
import { type SealedHead, wrapByPassphrase, wrapByRecoveryCode } from './sealed-format.ts';

interface MadeKey {
  readonly head: SealedHead;
  readonly profileKey: Buffer;
}

/** Returns the keychain's account of a profile's key. */
export const accountOf = (profileId: string): string => `profile-key/${profileId}`;

/**
 * Stores the key in the keychain and reads it back before anything is encrypted with it: a keychain that did not store
 * it would make that data unreadable.
 *
 * @throws DeskError `keychain.*`
 */
export async function putIntoKeychain(keychain: Keychain, account: string, key: Buffer): Promise<void> {
  await keychain.set(account, key);
  if (!(await keychain.get(account))?.equals(key)) throw new DeskError('keychain.dismissed');
}

/** @throws DeskError `keychain.*`, `profile.*` */
export async function makeInKeychain({ profileDir, keychain }: ProfileKeyPorts): Promise<MadeKey> {
  const id = await getProfileId(profileDir);
  const account = accountOf(id);
  // An existing entry may be the key of a sealed file that will be restored from a backup.
  const existing = await keychain.get(account);
  if (existing !== null && existing.length !== 32) throw new DeskError('keychain.entryMissing');
  const profileKey = existing ?? randomBytes(32);
  if (existing === null) await putIntoKeychain(keychain, account, profileKey);
  return { head: { version: 1, id, inKeychain: true, passphrase: null, recovery: null }, profileKey };
}

/**
 * Makes a profile key under a passphrase. `code` is a recovery code that opens it as well.
 * @throws DeskError `profile.*`
 */
export async function makeUnderPassphrase(
  { profileDir, scryptCost }: ProfileKeyPorts,
  passphrase: string,
  code: string | null = null,
): Promise<MadeKey> {
  const id = await getProfileId(profileDir);
  const profileKey = randomBytes(32);
  const wrap = await wrapByPassphrase(profileKey, id, passphrase, scryptCost);
  const recovery = code === null ? null : wrapByRecoveryCode(profileKey, id, code);
  return { head: { version: 1, id, inKeychain: false, passphrase: wrap, recovery }, profileKey };
}
