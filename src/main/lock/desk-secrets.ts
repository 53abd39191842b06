import { createKeychainStore, keychainServiceName } from '../keychain/keychain-store.ts';
import type { ScryptCost } from '../keychain/passphrase-key.ts';
import {
  closeProfileKey,
  createProfileKey,
  getProfileKey,
  openProfileKey,
  readLock,
} from '../keychain/profile-key.ts';
import type { Keychain } from '../keychain/profile-key-ports.ts';
import { hasProtectedData } from '../keychain/protected-data.ts';
import { createSealedStore } from '../keychain/sealed-store.ts';
import type { SecretStore } from '../keychain/secret-store.ts';
import type { Clock } from '../lib/clock.ts';
import { DeskError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';

/**
 * Creates the secrets of a profile for a desk, sealed under the profile key. A passphrase that was given at
 * the start (`askPassphrase`, or the environment variable) is used until the first lock; after it the user
 * has to type the passphrase.
 */
export function createDeskSecrets(options: {
  profileDir: string;
  environment: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  isReadOnly: boolean;
  log: Pick<Log, 'write'>;
  /** For the command line: asks the user, or reads the given descriptor. */
  askPassphrase?: ((mayPrompt: boolean) => Promise<string | null>) | undefined;
  /** For tests: replaces the system's keychain and makes passphrases cheaper to check. */
  keychain?: Keychain | undefined;
  scryptCost?: ScryptCost | undefined;
}) {
  const keychain = options.keychain ?? createKeychainStore({ serviceName: keychainServiceName });
  const given = options.environment.CLAIMDESK_VAULT_PASSPHRASE;
  let mayUseGiven = true;
  const hasGiven = (): boolean => mayUseGiven && given !== undefined && given !== '';
  const key = createProfileKey({
    profileDir: options.profileDir,
    keychain,
    clock: options.clock,
    isReadOnly: options.isReadOnly,
    log: options.log,
    scryptCost: options.scryptCost,
    async askPassphrase(mayPrompt) {
      if (!mayUseGiven) return null;
      return (await options.askPassphrase?.(mayPrompt)) ?? (hasGiven() ? (given as string) : null);
    },
  });
  const needsPassphrase = (): boolean => readLock(key).kind === 'passphrase';

  /** A profile without secrets yet will use the passphrase that was given. */
  const isByPassphrase = (): boolean => needsPassphrase() || (readLock(key).kind === null && hasGiven());

  const store: SecretStore = {
    ...createSealedStore({
      file: key.sealed,
      getKey: (request) => getProfileKey(key, request),
    }),
    get kind() {
      return isByPassphrase() ? ('vault' as const) : ('keychain' as const);
    },
    async getState() {
      if (!isByPassphrase()) return key.held !== null ? 'ready' : keychain.getState();
      try {
        await getProfileKey(key, { mayMake: false });
        return 'ready';
      } catch (error) {
        if (error instanceof DeskError && lockedCodes.has(error.code)) return 'locked';
        throw error;
      }
    },
  };

  return {
    store,
    key,
    /** False while the profile waits for its passphrase. */
    isOpen: (): boolean => !needsPassphrase() || key.held !== null || hasGiven(),
    needsPassphrase,
    /** `nothing`: the profile has no secrets yet. */
    async findWhatOpens(): Promise<'passphrase' | 'keychain' | 'nothing'> {
      const { kind } = readLock(key);
      if (kind !== null) return kind;
      return (await hasProtectedData(options.profileDir)) ? 'keychain' : 'nothing';
    },
    close(): void {
      if (needsPassphrase()) mayUseGiven = false;
      closeProfileKey(key);
    },
    /** @throws DeskError `vault.*`, `unlock.tooManyTries`, `keychain.*` */
    async open(typed?: string): Promise<void> {
      const { kind, hasRecoveryCode } = readLock(key);
      if (kind === 'passphrase') {
        if (typed === undefined) throw new DeskError('vault.passphraseNeeded');
        return openProfileKey(key, typed);
      }
      if (kind === null && !(await hasProtectedData(options.profileDir))) return;
      const state = await keychain.getState();
      if (state === 'locked') throw new DeskError('keychain.locked');
      if (state === 'missing' && !hasRecoveryCode) throw new DeskError('keychain.missing');
      await openProfileKey(key, undefined).catch((error: unknown) => {
        // If the lost entry cannot be restored, the rest of the app still opens, so that everything can be removed
        // there.
        if (hasRecoveryCode || !(error instanceof DeskError) || error.code !== 'keychain.entryMissing')
          throw error;
      });
    },
  };
}

export type DeskSecrets = ReturnType<typeof createDeskSecrets>;

const lockedCodes: ReadonlySet<string> = new Set([
  'vault.wrongPassphrase',
  'vault.passphraseNeeded',
  'unlock.tooManyTries',
]);
