import { randomBytes } from 'node:crypto';
import { DeskError } from '../lib/errors.ts';

/**
 * A store of secrets. `null` from `get` means that the store is open and has no such entry. A store that is locked or
 * missing rejects instead: if "locked" were taken for "absent", new keys would be made and existing data lost.
 */
export interface SecretStore {
  /** What opens the store: the system's keychain, a passphrase (`vault`), or nothing (in this process only). */
  readonly kind: 'keychain' | 'vault' | 'ephemeral';
  /** @throws DeskError `keychain.*` or `vault.*` */
  get(account: string): Promise<Buffer | null>;
  /** @throws DeskError `keychain.*` or `vault.*` */
  set(account: string, value: Buffer): Promise<void>;
  /** Deleting an absent entry is no error. @throws DeskError `keychain.*` or `vault.*` */
  delete(account: string): Promise<void>;
  getState(): Promise<'ready' | 'locked' | 'missing'>;
}

type SecretRule = {
  /** Called only if there is no entry; true if no data needs the old secret. */
  mayCreate: boolean | (() => boolean | Promise<boolean>);
  bytes?: number;
};

const inFlight = new WeakMap<SecretStore, Map<string, Promise<Buffer>>>();

/**
 * Resolves to the secret of an account, made at random if there is none yet and `mayCreate` allows it. A new secret is
 * read back before anything is encrypted with it, because data could not be decrypted if the keychain had not stored
 * it. Requests at the same time for one account share the answer.
 * @throws DeskError `keychain.entryMissing` if existing data needs an entry that is missing or unusable;
 *   `keychain.dismissed` if the new secret was not stored; and what the store throws
 */
export async function getOrCreateSecret(
  store: SecretStore,
  account: string,
  rule: SecretRule,
): Promise<Buffer> {
  const ofStore = inFlight.get(store) ?? new Map<string, Promise<Buffer>>();
  inFlight.set(store, ofStore);
  const running = ofStore.get(account);
  if (running !== undefined) return Buffer.from(await running);
  const started = readOrMake(store, account, rule).finally(() => ofStore.delete(account));
  ofStore.set(account, started);
  return Buffer.from(await started);
}

async function readOrMake(store: SecretStore, account: string, rule: SecretRule): Promise<Buffer> {
  const bytes = rule.bytes ?? 32;
  const existing = await store.get(account);
  if (existing !== null) {
    if (existing.length !== bytes) throw new DeskError('keychain.entryMissing');
    return existing;
  }
  const mayCreate = typeof rule.mayCreate === 'function' ? await rule.mayCreate() : rule.mayCreate;
  if (!mayCreate) throw new DeskError('keychain.entryMissing');
  const made = randomBytes(bytes);
  await store.set(account, made);
  const kept = await store.get(account);
  if (kept === null || !kept.equals(made)) throw new DeskError('keychain.dismissed');
  return made;
}

/** Keeps secrets in this process only: for the sample and the demo, whose data is deleted at the end. */
export function createEphemeralStore(entries: Iterable<readonly [string, Buffer]> = []): SecretStore {
  const held = new Map<string, Buffer>();
  for (const [account, value] of entries) held.set(account, Buffer.from(value));
  return {
    kind: 'ephemeral',
    get: async (account) => {
      const value = held.get(account);
      return value === undefined ? null : Buffer.from(value);
    },
    set: async (account, value) => {
      held.set(account, Buffer.from(value));
    },
    delete: async (account) => {
      held.delete(account);
    },
    getState: async () => 'ready',
  };
}
