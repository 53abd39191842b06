import type { Clock } from '../lib/clock.ts';
import type { DeskError } from '../lib/errors.ts';
import type { SerialQueue } from '../lib/serial-queue.ts';
import type { ScryptCost } from './passphrase-key.ts';
import type { SealedSecrets } from './sealed-file.ts';
import type { SecretStore } from './secret-store.ts';
import type { UnlockTries } from './unlock-tries.ts';

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

/**
 * The 32 random bytes under which all secrets of a profile are sealed, and the ways to open them: an entry of the
 * keychain, or, with a passphrase set, that passphrase; with either, a recovery code.
 */
export interface ProfileKey {
  readonly ports: ProfileKeyPorts;
  readonly sealed: SealedSecrets;
  readonly tries: UnlockTries;
  /** One change after the other. */
  readonly enqueue: SerialQueue;
  /** The key while the profile is open. Closing overwrites it: who keeps it longer has a copy. */
  held: Buffer | null;
  /** Counts `closeProfileKey`: a key that arrives after a lock is not held. */
  closings: number;
  /** The passphrase that opened it is shorter than a new one may be. */
  isPassphraseShort: boolean;
  /** Why the passphrase that was given at the start was refused: it is one try, however often a secret is wanted. */
  refused: DeskError | null;
}
