import { randomBytes } from 'node:crypto';
import { DeskError } from '../lib/errors.ts';
import { accountOf, makeUnderPassphrase, putIntoKeychain } from './make-profile-key.ts';
import { deleteLeftovers, openKey } from './open-profile-key.ts';
import { requireStrong } from './passphrase-key.ts';
import { readLock } from './profile-key.ts';
import type { ProfileKey } from './profile-key-ports.ts';
import { hasProtectedData } from './protected-data.ts';
import { makeRecoveryCode } from './recovery-code.ts';
import type { SealedState } from './sealed-file.ts';
import {
  emptyContent,
  openContent,
  type SealedFile,
  type SealedHead,
  unwrapByPassphrase,
  unwrapByRecoveryCode,
  wrapByPassphrase,
  wrapByRecoveryCode,
} from './sealed-format.ts';

/**
 * Sets or changes the passphrase; `current` is needed where there is one. Resolves to a new recovery code, to show
 * once; null if the passphrase was only changed, because the old code remains valid.
 *
 * @throws DeskError `vault.weakPassphrase`, and as `getProfileKey`
 */
export const setPassphrase = (
  profileKey: ProfileKey,
  { passphrase, current }: { passphrase: string; current?: string | undefined },
): Promise<string | null> =>
  profileKey.enqueue(async () => {
    requireStrong(passphrase);
    const proven = await prove(profileKey, current);
    const code = makeRecoveryCode();
    if (proven === null) {
      await makeWithPassphrase(profileKey, passphrase, code);
      return code;
    }
    const { key, file } = proven;
    const isNew = file.passphrase === null || file.recovery === null;
    const wrap = await wrapByPassphrase(key, file.id, passphrase, profileKey.ports.scryptCost);
    const recovery = isNew ? { recovery: wrapByRecoveryCode(key, file.id, code) } : {};
    await changeHead(
      profileKey,
      key,
      { inKeychain: false, passphrase: wrap, ...recovery },
      { passphrase, ...(isNew ? { code } : {}) },
    );
    profileKey.isPassphraseShort = false;
    if (openContent(profileKey.sealed.read() as SealedFile, key).tries === null)
      await beginTries(profileKey, key);
    return isNew ? code : null;
  });

/** Creates the secrets of a profile that has none yet. */
async function makeWithPassphrase(profileKey: ProfileKey, passphrase: string, code: string): Promise<void> {
  const { ports, sealed } = profileKey;
  if (await hasProtectedData(ports.profileDir)) throw new DeskError('keychain.entryMissing');
  const made = await sealed.make(async () => ({
    ...(await makeUnderPassphrase(ports, passphrase, code)),
    content: emptyContent,
  }));
  if (made === null) throw new DeskError('profile.busy');
  profileKey.held = Buffer.from(made);
  await beginTries(profileKey, made);
}

/**
 * Removes the passphrase, so that the keychain alone opens the profile.
 * @throws DeskError `keychain.*`, and as `getProfileKey`
 */
export function removePassphrase(profileKey: ProfileKey, current: string): Promise<void> {
  const { ports, sealed } = profileKey;
  return profileKey.enqueue(async () => {
    const proven = await prove(profileKey, current);
    if (proven === null || proven.file.inKeychain) return;
    const { key } = proven;
    const account = accountOf(proven.file.id);
    // The entry is listed as a leftover first: if the process ends before the change is complete, the next start
    // deletes it, and the passphrase is still required.
    await sealed.change(key, (state) => ({
      ...state,
      content: { ...state.content, leftovers: [...state.content.leftovers, account] },
    }));
    await sealed.change(key, async ({ head, content }): Promise<SealedState> => {
      await putIntoKeychain(ports.keychain, account, key);
      return {
        head: { ...head, inKeychain: true, passphrase: null },
        content: { ...content, leftovers: content.leftovers.filter((leftover) => leftover !== account) },
      };
    });
    profileKey.isPassphraseShort = false;
  });
}

/** Makes a new recovery code; the old one becomes invalid. @throws DeskError as `getProfileKey` */
export const renewRecoveryCode = (profileKey: ProfileKey, current: string | undefined): Promise<string> =>
  profileKey.enqueue(async () => {
    const proven = await prove(profileKey, current);
    if (proven === null) throw new DeskError('vault.passphraseNeeded');
    const code = makeRecoveryCode();
    const recovery = wrapByRecoveryCode(proven.key, proven.file.id, code);
    await changeHead(profileKey, proven.key, { recovery }, { code });
    return code;
  });

/** Opens with the recovery code and sets a new passphrase. @throws DeskError `unlock.*`, `vault.*`, `disk.*` */
export function recover(
  profileKey: ProfileKey,
  { code, passphrase }: { code: string; passphrase: string },
): Promise<void> {
  const { ports, sealed, tries } = profileKey;
  return profileKey.enqueue(async () => {
    requireStrong(passphrase);
    const file = sealed.read();
    if (file === null) throw new DeskError('unlock.wrongCode');
    const key = await tries.guard(() => unwrapByRecoveryCode(file, code));
    const wrap = await wrapByPassphrase(key, file.id, passphrase, ports.scryptCost);
    await changeHead(profileKey, key, { inKeychain: false, passphrase: wrap }, { passphrase });
    await tries.forgive();
    profileKey.isPassphraseShort = false;
    profileKey.held = key;
  });
}

/** Gets the profile key for a change of how the profile is opened; an existing passphrase must be typed again. */
async function prove(
  profileKey: ProfileKey,
  current: string | undefined,
): Promise<{ key: Buffer; file: SealedFile } | null> {
  if (current === undefined && readLock(profileKey).kind === 'passphrase')
    throw new DeskError('vault.passphraseNeeded');
  const key = await openKey(profileKey, current ?? null);
  const file = profileKey.sealed.read();
  if (key === null || file === null) return null;
  profileKey.held = Buffer.from(key);
  return { key, file };
}

/** Verifies the new way to open the profile before the old one is removed. */
async function changeHead(
  profileKey: ProfileKey,
  key: Buffer,
  changes: Partial<SealedHead>,
  typed: { passphrase?: string; code?: string },
): Promise<void> {
  await profileKey.sealed.change(key, async ({ head, content }) => {
    const changed: SealedHead = { ...head, ...changes };
    if (typed.passphrase !== undefined) {
      const unwrapped = await unwrapByPassphrase(changed, typed.passphrase);
      if (!unwrapped.equals(key)) throw new DeskError('vault.damaged');
    }
    if (typed.code !== undefined && !unwrapByRecoveryCode(changed, typed.code).equals(key))
      throw new DeskError('vault.damaged');
    const leavesKeychain = head.inKeychain && !changed.inKeychain;
    const leftovers = leavesKeychain ? [...content.leftovers, accountOf(head.id)] : content.leftovers;
    return { head: changed, content: { ...content, leftovers } };
  });
  await deleteLeftovers(profileKey, key);
}

/** Restarts the count of failed attempts to unlock. */
export async function beginTries({ sealed, tries }: ProfileKey, key: Buffer): Promise<void> {
  const begin = randomBytes(32).toString('base64');
  await sealed.change(key, ({ head, content }) => ({ head, content: { ...content, tries: { begin } } }));
  await tries.begin(begin);
}
