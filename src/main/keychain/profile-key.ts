import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { profilePaths } from '../lib/paths.ts';
import { createSerialQueue } from '../lib/serial-queue.ts';
import { accountOf, makeInKeychain, makeUnderPassphrase, putIntoKeychain } from './make-profile-key.ts';
import { createKeyOpener } from './open-profile-key.ts';
import { minPassphraseLength } from './passphrase-key.ts';
import { getProfileId } from './profile-identity.ts';
import type { FailedTries, ProfileKey, ProfileKeyPorts } from './profile-key-ports.ts';
import { hasProtectedData } from './protected-data.ts';
import { makeRecoveryCode } from './recovery-code.ts';
import { openSealedFile, type SealedState } from './sealed-file.ts';
import {
  openContent,
  parseSealedFile,
  type SealedContent,
  type SealedFile,
  type SealedHead,
  unwrapByPassphrase,
  unwrapByRecoveryCode,
  wrapByPassphrase,
  wrapByRecoveryCode,
} from './sealed-format.ts';
import { createUnlockTries, stepChain } from './unlock-tries.ts';

export function createProfileKey(ports: ProfileKeyPorts): ProfileKey {
  const { profileDir, keychain } = ports;
  const paths = profilePaths(profileDir);
  const sealed = openSealedFile(paths.secrets);
  const tries = createUnlockTries({ filePath: paths.unlockTries, clock: ports.clock });
  const opener = createKeyOpener({ ports, sealed, tries });
  const { openKey, tidy } = opener;
  const enqueue = createSerialQueue();
  let held: Buffer | null = null;
  /** A key that arrives after a lock is not held. */
  let closings = 0;

  /** The first secret of a profile is about to be kept. */
  const make = async (): Promise<Buffer> => {
    // Its secrets are somewhere else, or lost: a new key would hide the ones that come back.
    if (await hasProtectedData(profileDir)) throw new DeskError('keychain.entryMissing');
    const passphrase = await ports.askPassphrase(false);
    if (passphrase !== null) requireStrong(passphrase);
    const made = await sealed.make(async () => ({
      ...(passphrase === null ? await makeInKeychain(ports) : await makeUnderPassphrase(ports, passphrase)),
      content: emptyContent,
    }));
    return made ?? ((await openKey(null)) as Buffer);
  };

  /** The key for a change of what opens the profile: a passphrase that is set has to be typed for it. */
  const prove = async (current: string | undefined): Promise<{ key: Buffer; file: SealedFile } | null> => {
    const needsTyping = existsSync(paths.secrets) && readHead()?.inKeychain !== true;
    if (needsTyping && current === undefined) throw new DeskError('vault.passphraseNeeded');
    const key = await openKey(current ?? null);
    const file = await sealed.read();
    if (key === null || file === null) return null;
    held = Buffer.from(key);
    return { key, file };
  };
  /** Before the old way in goes, the new one is tried. */
  const changeHead = async (
    key: Buffer,
    wanted: Partial<SealedHead>,
    typed: { passphrase?: string; code?: string },
  ): Promise<void> => {
    await sealed.change(key, async ({ head, content }) => {
      const changed: SealedHead = { ...head, ...wanted };
      if (typed.passphrase !== undefined) {
        const unwrapped = await unwrapByPassphrase(changed, typed.passphrase);
        if (!unwrapped.equals(key)) throw new DeskError('vault.damaged');
      }
      if (typed.code !== undefined && !unwrapByRecoveryCode(changed, typed.code).equals(key)) {
        throw new DeskError('vault.damaged');
      }
      const leavesKeychain = head.inKeychain && !changed.inKeychain;
      const leftovers = leavesKeychain ? [...content.leftovers, accountOf(head.id)] : content.leftovers;
      return { head: changed, content: { ...content, leftovers } };
    });
    await tidy(key);
  };

  const beginTries = async (key: Buffer): Promise<void> => {
    const begin = randomBytes(32).toString('base64');
    await sealed.change(key, ({ head, content }) => ({ head, content: { ...content, tries: { begin } } }));
    await tries.begin(begin);
  };

  const readFailed = async (): Promise<FailedTries | null> => {
    const file = await sealed.read();
    if (held === null || file === null) return null;
    const known = openContent(file, held).tries;
    const noted = await tries.read();
    const { count = 0, firstAtMs = null, lastAtMs = null, chain = null } = noted ?? {};
    // Before the first chain was begun there is nothing that a count could be held against.
    const isCountIntact =
      known === null ? chain === null : noted !== null && chain === stepChain(known.begin, count);
    return count === 0 && isCountIntact ? null : { count, firstAtMs, lastAtMs, isCountIntact };
  };

  const readHead = (): SealedFile | null => {
    try {
      return parseSealedFile(readFileSync(paths.secrets, 'utf8'));
    } catch {
      return null;
    }
  };

  return {
    readLock() {
      if (!existsSync(paths.secrets)) return { kind: null, hasRecoveryCode: false };
      const head = readHead();
      return {
        kind: head?.inKeychain === true ? 'keychain' : 'passphrase',
        hasRecoveryCode: head !== null && head.recovery !== null,
      };
    },
    get isHeld() {
      return held !== null;
    },
    get isPassphraseShort() {
      return opener.isPassphraseShort;
    },
    get: ({ mayMake }) =>
      enqueue(async () => {
        const closedBefore = closings;
        const key = held ?? (await openKey(null)) ?? (mayMake ? await make() : null);
        if (closings !== closedBefore) {
          key?.fill(0);
          throw new DeskError('app.locked');
        }
        held = key;
        // A copy: closing overwrites the one that is held while a caller may still be encrypting.
        return held === null ? null : Buffer.from(held);
      }),
    open: (passphrase) =>
      enqueue(async () => {
        const key = await openKey(passphrase ?? null);
        held = key;
      }),
    setPassphrase: ({ passphrase, current }) =>
      enqueue(async () => {
        requireStrong(passphrase);
        const proven = await prove(current);
        const code = makeRecoveryCode();
        if (proven === null) {
          if (await hasProtectedData(profileDir)) throw new DeskError('keychain.entryMissing');
          const made = await sealed.make(async () => ({
            ...(await makeUnderPassphrase(ports, passphrase, code)),
            content: emptyContent,
          }));
          if (made === null) throw new DeskError('profile.busy');
          held = Buffer.from(made);
          await beginTries(made);
          return code;
        }
        const { key, file } = proven;
        const isNew = file.passphrase === null || file.recovery === null;
        const wrap = await wrapByPassphrase(key, file.id, passphrase, ports.scryptCost);
        const recovery = isNew ? { recovery: wrapByRecoveryCode(key, file.id, code) } : {};
        await changeHead(
          key,
          { inKeychain: false, passphrase: wrap, ...recovery },
          { passphrase, ...(isNew ? { code } : {}) },
        );
        opener.notePassphraseChanged();
        if (openContent((await sealed.read()) as SealedFile, key).tries === null) await beginTries(key);
        return isNew ? code : null;
      }),
    removePassphrase: (current) =>
      enqueue(async () => {
        const proven = await prove(current);
        if (proven === null || proven.file.inKeychain) return;
        const { key } = proven;
        const account = accountOf(proven.file.id);
        // Noted first: if this ends halfway, the entry is deleted again and the passphrase still asked for.
        await sealed.change(key, (state) => ({
          ...state,
          content: { ...state.content, leftovers: [...state.content.leftovers, account] },
        }));
        await sealed.change(key, async ({ head, content }): Promise<SealedState> => {
          await putIntoKeychain(keychain, account, key);
          return {
            head: { ...head, inKeychain: true, passphrase: null },
            content: { ...content, leftovers: content.leftovers.filter((one) => one !== account) },
          };
        });
        opener.notePassphraseChanged();
      }),
    renewRecoveryCode: (current) =>
      enqueue(async () => {
        const proven = await prove(current);
        if (proven === null) throw new DeskError('vault.passphraseNeeded');
        const code = makeRecoveryCode();
        await changeHead(
          proven.key,
          { recovery: wrapByRecoveryCode(proven.key, proven.file.id, code) },
          { code },
        );
        return code;
      }),
    recover: ({ code, passphrase }) =>
      enqueue(async () => {
        requireStrong(passphrase);
        const file = await sealed.read();
        if (file === null) throw new DeskError('unlock.wrongCode');
        const key = await tries.guard(() => unwrapByRecoveryCode(file, code));
        const wrap = await wrapByPassphrase(key, file.id, passphrase, ports.scryptCost);
        await changeHead(key, { inKeychain: false, passphrase: wrap }, { passphrase });
        await tries.settle();
        opener.notePassphraseChanged();
        held = key;
      }),
    noteLocked: (lockedAtMs) =>
      enqueue(async () => {
        if (existsSync(profileDir)) await tries.noteLocked(lockedAtMs);
      }),
    readWaiting: () =>
      enqueue(async () => {
        const failed = await readFailed();
        const lockedAtMs = (await tries.read())?.lockedAtMs ?? null;
        return failed === null && lockedAtMs === null ? null : { failed, lockedAtMs };
      }),
    noteWaitingTold: () =>
      enqueue(async () => {
        if (held !== null && (await readFailed()) !== null) await beginTries(held);
        else if ((await tries.read()) !== null) await tries.noteLocked(null);
      }),
    destroy: () =>
      enqueue(async () => {
        const head = readHead();
        if (head !== null) {
          if (head.inKeychain) await keychain.delete(accountOf(head.id));
        } else if (existsSync(paths.secrets)) {
          const id = await getProfileId(profileDir).catch(() => null);
          if (id !== null) await keychain.delete(accountOf(id)).catch(() => undefined);
        }
        await rm(paths.secrets, { force: true }).catch((error: unknown) => {
          throw toDeskError(error);
        });
        held = null;
      }),
    close() {
      closings += 1;
      held?.fill(0);
      held = null;
      opener.close();
    },
  };
}

const emptyContent: SealedContent = { secrets: {}, leftovers: [], tries: null };

function requireStrong(passphrase: string): void {
  if (passphrase.length < minPassphraseLength) throw new DeskError('vault.weakPassphrase');
}
