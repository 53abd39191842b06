import type { Clock } from '../lib/clock.ts';
import type { ScryptCost } from './passphrase-key.ts';
import type { SecretStore } from './secret-store.ts';

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
   * The profile key; null where the profile has no secrets yet, unless `mayMake`.
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
