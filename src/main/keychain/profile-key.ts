import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { Clock } from '../lib/clock.ts';
import { DeskError, toDeskError } from '../lib/errors.ts';
import { acquireLease } from '../lib/lease.ts';
import { profilePaths } from '../lib/paths.ts';
import { createSerialQueue } from '../lib/serial-queue.ts';
import { hasProtectedData, listOldAccounts } from './old-entries.ts';
import { minPassphraseLength, type ScryptCost } from './passphrase-key.ts';
import { getProfileId } from './profile-identity.ts';
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
import type { SecretStore } from './secret-store.ts';
import { createUnlockTries, stepChain } from './unlock-tries.ts';
import { openVault } from './vault-format.ts';

/** The system's keychain, as far as it is used. */
export type Keychain = Pick<SecretStore, 'get' | 'set' | 'delete' | 'getState'>;

export interface ProfileKeyPorts {
  readonly profileDir: string;
  readonly keychain: Keychain;
  readonly clock: Clock;
  readonly isReadOnly: boolean;
  /** The passphrase that was given at the start, or, if `mayPrompt`, what a person answers; null where there is none. */
  readonly askPassphrase: (mayPrompt: boolean) => Promise<string | null>;
  /** What a new passphrase costs to try; less in tests. */
  readonly scryptCost?: ScryptCost | undefined;
}

/** What opens the profile, told without opening it. */
export interface ProfileLock {
  /** `null`: nothing was kept yet, and the keychain will open it unless a passphrase is given. */
  readonly kind: 'keychain' | 'passphrase' | null;
  readonly hasRecoveryCode: boolean;
}

/** Failed unlocks that the audit log does not have yet. */
export interface FailedTries {
  readonly count: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  /** False where the count was lowered or lost. */
  readonly isCountIntact: boolean;
}

/** What happened while the profile was closed. */
export interface WaitingForAudit {
  readonly lockedAtMs: number | null;
  readonly failed: FailedTries | null;
}

/**
 * The 32 random bytes under which all secrets of a profile are sealed, and the ways to have them: an entry of the
 * keychain, or, with a passphrase set, that passphrase; beside either, a recovery code.
 */
export interface ProfileKey {
  /** Read from the files alone. A file that cannot be understood counts as locked. */
  readLock(): ProfileLock;
  readonly isHeld: boolean;
  /** The passphrase that opened it is shorter than a new one may be. */
  readonly isPassphraseShort: boolean;
  /**
   * The profile key; null where the profile has no secrets yet, unless `mayMake`. What an older version kept is
   * carried over first.
   * @throws DeskError `keychain.*`, `vault.*`, `unlock.tooManyTries`, `profile.*`, `disk.*`
   */
  get(wanted: { mayMake: boolean }): Promise<Buffer | null>;
  /** Opens with what a person typed, whatever is held. @throws DeskError as `get` */
  open(passphrase: string | undefined): Promise<void>;
  /**
   * Sets or changes the passphrase; `current` is needed where there is one. Resolves to a new recovery code, to be
   * shown once; null where the passphrase was only changed and the old code stays good.
   * @throws DeskError `vault.weakPassphrase`, and as `get`
   */
  setPassphrase(typed: { passphrase: string; current?: string | undefined }): Promise<string | null>;
  /** Leaves the keychain to open the profile. @throws DeskError `keychain.*`, and as `get` */
  removePassphrase(current: string): Promise<void>;
  /** Makes another recovery code; the old one opens nothing any more. @throws DeskError as `get` */
  renewRecoveryCode(current: string | undefined): Promise<string>;
  /** Opens with the recovery code and sets a new passphrase. @throws DeskError `unlock.*`, `vault.*`, `disk.*` */
  recover(typed: { code: string; passphrase: string }): Promise<void>;
  /** A lock that the audit log could not be told of; the next unlock tells it. @throws DeskError `disk.*` */
  noteLocked(lockedAtMs: number): Promise<void>;
  /** What the audit log does not have yet, seen with the key that is held; null for nothing. */
  readWaiting(): Promise<WaitingForAudit | null>;
  noteWaitingTold(): Promise<void>;
  /** Makes every secret unreadable for good, without opening one. @throws DeskError `keychain.*`, `profile.*` */
  destroy(): Promise<void>;
  close(): void;
}

export function createProfileKey(ports: ProfileKeyPorts): ProfileKey {
  const { profileDir, keychain } = ports;
  const paths = profilePaths(profileDir);
  const sealed = openSealedFile(paths.secrets);
  const tries = createUnlockTries({ filePath: paths.unlockTries, clock: ports.clock });
  const enqueue = createSerialQueue();
  let held: Buffer | null = null;
  let isPassphraseShort = false;
  /** A key that arrives after a lock is not held. */
  let closings = 0;
  /** What came of the passphrase that was given at the start: it is one try, however often a secret is wanted. */
  let refused: DeskError | null = null;

  const accountOf = (id: string): string => `profile-key/${id}`;

  const readFromKeychain = async (file: SealedFile): Promise<Buffer> => {
    const value = await keychain.get(accountOf(file.id));
    // Gone, or of another profile: nothing new is made over what it protects.
    if (value === null || !opens(file, value)) throw new DeskError('keychain.entryMissing');
    return value;
  };
  /** Read back before anything is sealed under it: a keychain that forgets must not cost data. */
  const putIntoKeychain = async (account: string, key: Buffer): Promise<void> => {
    await keychain.set(account, key);
    if (!(await keychain.get(account))?.equals(key)) throw new DeskError('keychain.dismissed');
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
      ...(await makeInKeychain()),
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
      ...(await makeUnderPassphrase(passphrase)),
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

  const makeInKeychain = async (): Promise<{ head: SealedHead; profileKey: Buffer }> => {
    const id = await getProfileId(profileDir);
    const account = accountOf(id);
    // One that is there may be the key of a file that somebody will put back.
    const existing = await keychain.get(account);
    if (existing !== null && existing.length !== 32) throw new DeskError('keychain.entryMissing');
    const profileKey = existing ?? randomBytes(32);
    if (existing === null) await putIntoKeychain(account, profileKey);
    return { head: { version: 1, id, inKeychain: true, passphrase: null, recovery: null }, profileKey };
  };
  const makeUnderPassphrase = async (
    passphrase: string,
    code: string | null = null,
  ): Promise<{ head: SealedHead; profileKey: Buffer }> => {
    const id = await getProfileId(profileDir);
    const profileKey = randomBytes(32);
    const wrap = await wrapByPassphrase(profileKey, id, passphrase, ports.scryptCost);
    const recovery = code === null ? null : wrapByRecoveryCode(profileKey, id, code);
    return { head: { version: 1, id, inKeychain: false, passphrase: wrap, recovery }, profileKey };
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

  /** The first secret of a profile is about to be kept. */
  const make = async (): Promise<Buffer> => {
    // Its secrets are somewhere else, or lost: a new key would hide the ones that come back.
    if (await hasProtectedData(profileDir)) throw new DeskError('keychain.entryMissing');
    const passphrase = await ports.askPassphrase(false);
    if (passphrase !== null) requireStrong(passphrase);
    const made = await sealed.make(async () => ({
      ...(passphrase === null ? await makeInKeychain() : await makeUnderPassphrase(passphrase)),
      content: emptyContent,
    }));
    return made ?? ((await openKey(null)) as Buffer);
  };

  /** The key for a change of what opens the profile: a passphrase that is set has to be typed for it. */
  const prove = async (current: string | undefined): Promise<{ key: Buffer; file: SealedFile } | null> => {
    const needsTyping = existsSync(paths.secrets) ? readHead()?.inKeychain !== true : existsSync(paths.vault);
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
    await tidy(key, null);
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
      if (!existsSync(paths.secrets)) {
        return { kind: existsSync(paths.vault) ? 'passphrase' : null, hasRecoveryCode: false };
      }
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
      return isPassphraseShort;
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
            ...(await makeUnderPassphrase(passphrase, code)),
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
        isPassphraseShort = false;
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
          await putIntoKeychain(account, key);
          return {
            head: { ...head, inKeychain: true, passphrase: null },
            content: { ...content, leftovers: content.leftovers.filter((one) => one !== account) },
          };
        });
        isPassphraseShort = false;
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
        isPassphraseShort = false;
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
        } else if (!existsSync(paths.vault) && (await hasProtectedData(profileDir))) {
          for (const account of await listOldAccounts(profileDir)) await keychain.delete(account);
        }
        for (const path of [paths.secrets, paths.vault]) {
          await rm(path, { force: true }).catch((error: unknown) => {
            throw toDeskError(error);
          });
        }
        held = null;
      }),
    close() {
      closings += 1;
      held?.fill(0);
      held = null;
      refused = null;
      isPassphraseShort = false;
    },
  };
}

const emptyContent: SealedContent = { secrets: {}, leftovers: [], tries: null };

function opens(file: SealedFile, key: Buffer): boolean {
  if (key.length !== 32) return false;
  try {
    openContent(file, key);
    return true;
  } catch {
    return false;
  }
}

function requireStrong(passphrase: string): void {
  if (passphrase.length < minPassphraseLength) throw new DeskError('vault.weakPassphrase');
}
