import type { Clock } from '../lib/clock.ts';
import type { DeskError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { SerialQueue } from '../lib/serial-queue.ts';
import type { ScryptCost } from './passphrase-key.ts';
import type { SealedSecrets } from './sealed-file.ts';
import type { SecretStore } from './secret-store.ts';
import type { UnlockTries } from './unlock-tries.ts';

/** The used part of the system's keychain. */
export type Keychain = Pick<SecretStore, 'get' | 'set' | 'delete' | 'getState'>;

export interface ProfileKeyPorts {
  readonly profileDir: string;
  readonly keychain: Keychain;
  readonly clock: Clock;
  readonly isReadOnly: boolean;
  readonly log: Pick<Log, 'write'>;
  /**
   * Returns the passphrase given at the start, or, if `mayPrompt`, one that the user types; null for neither.
   */
  readonly askPassphrase: (mayPrompt: boolean) => Promise<string | null>;
  /** The cost of trying a new passphrase; lower in tests. */
  readonly scryptCost?: ScryptCost | undefined;
}

/**
 * The 32 random bytes that encrypt all secrets of a profile, and what opens them: the keychain or a passphrase, and
 * with either a recovery code.
 */
export interface ProfileKey {
  readonly ports: ProfileKeyPorts;
  readonly sealed: SealedSecrets;
  readonly tries: UnlockTries;
  /** Runs one change after the other. */
  readonly enqueue: SerialQueue;
  /**
   * The key while the profile is open. Closing overwrites these bytes, so a caller that needs them longer makes a
   * copy.
   */
  held: Buffer | null;
  /** The number of calls of `closeProfileKey`; a key that is opened during a lock is not kept. */
  closings: number;
  /** The passphrase that opened the profile is shorter than a new one may be. */
  isPassphraseShort: boolean;
  /** Why the passphrase given at the start was refused. It is tried only once. */
  refused: DeskError | null;
}
