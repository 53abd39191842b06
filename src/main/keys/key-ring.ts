import { randomInt } from 'node:crypto';
import { type KeyType, keyTypes } from '../../contract/ssh-keys.ts';
import { getProfileId } from '../keychain/profile-identity.ts';
import { getOrCreateSecret, type SecretStore } from '../keychain/secret-store.ts';
import type { Clock } from '../lib/clock.ts';
import { DeskError } from '../lib/errors.ts';
import { createSerialQueue, type SerialQueue } from '../lib/serial-queue.ts';
import { generatePrivateJwk } from './generate-key.ts';
import { readKeyFacts, withComment } from './key-facts.ts';
import { createKeyFiles, type KeyFile, type KeyFiles, type StoredKey } from './key-files.ts';
import { toKeyOrigin } from './key-origins.ts';
import { unwrapKey, wrapKey } from './key-wrapping.ts';
import type { PrivateJwk } from './private-jwk.ts';

/**
 * `id` is given if it was recorded before the key is made (rotation); otherwise it is generated. `baseUrl`: the address
 * of the service that the key is made for.
 */
export type KeyLabel = {
  name?: string | undefined;
  id?: string | undefined;
  baseUrl?: string | undefined;
};

/** The SSH keys of a profile. Private parts leave it only through `readPrivateJwk`, which main alone calls. */
export interface KeyRing {
  /** @throws DeskError `key.typeUnsupported`, `keychain.*`, `vault.*`, `disk.full` */
  generate(input: { type: KeyType } & KeyLabel): Promise<StoredKey>;
  /** Stores a key that was made elsewhere. @throws DeskError `key.duplicate`, `keychain.*`, `vault.*` */
  add(input: { jwk: PrivateJwk } & KeyLabel): Promise<StoredKey>;
  /** All keys that can be read, oldest first. */
  list(): Promise<StoredKey[]>;
  /** IDs of key files that cannot be read; `remove` accepts them too. */
  listDamaged(): Promise<string[]>;
  /** @throws DeskError `key.unknown`, `key.damaged` */
  get(id: string): Promise<StoredKey>;
  /**
   * `baseUrl`: the service for which the key signs.
   * @throws DeskError `key.unknown`, `key.damaged`, `key.otherService`, `keychain.*` (`entryMissing` included),
   * `vault.*`
   */
  readPrivateJwk(id: string, baseUrl?: string): Promise<PrivateJwk>;
  /**
   * `origins`: the services to which a file of version 1 becomes bound. @throws DeskError `key.unknown`, `key.damaged`
   */
  recordSigned(id: string, atMs: number, origins?: readonly string[]): Promise<void>;
  /** @throws DeskError `key.unknown`, `key.damaged` */
  recordProven(id: string, atMs: number): Promise<void>;
  /** Sets the services that a key may sign for. @throws as `readPrivateJwk` */
  bind(id: string, origins: readonly string[]): Promise<void>;
  /** @throws DeskError `key.unknown`, `key.damaged` */
  rename(id: string, name: string): Promise<StoredKey>;
  /** @throws DeskError `key.unknown` */
  remove(id: string): Promise<void>;
}

type KeyRingPorts = { profileDir: string; secrets: SecretStore; clock: Clock };

interface KeyRingState extends KeyRingPorts {
  readonly files: KeyFiles;
  /**
   * Runs the changes of this process one by one, so that no time of use is lost and no key is added while the wrapping
   * key is being deleted.
   */
  readonly enqueue: SerialQueue;
}

const getWrappingAccount = async ({ profileDir }: KeyRingState) =>
  `wrapping-key/${await getProfileId(profileDir)}`;

const getWrappingKey = async (ring: KeyRingState) =>
  getOrCreateSecret(ring.secrets, await getWrappingAccount(ring), {
    mayCreate: async () => (await ring.files.listIds()).length === 0,
  });

const changeKey = ({ files, enqueue }: KeyRingState, id: string, apply: (key: StoredKey) => StoredKey) =>
  enqueue(async () => {
    const file = await files.read(id);
    const key = apply(file.key);
    if (key !== file.key) await files.replace({ ...file, key });
    return key;
  });

const addKey = (
  ring: KeyRingState,
  { jwk, name, id: wantedId, baseUrl }: { jwk: PrivateJwk } & KeyLabel,
): Promise<StoredKey> =>
  ring.enqueue(async () => {
    const createdAt = new Date(ring.clock.now()).toISOString();
    const keyName = cleanName(name) ?? `Claimdesk ${createdAt.slice(0, 10)}`;
    const facts = readKeyFacts(jwk, keyName);
    const same = (await readKeys(ring.files)).keys.find((key) => key.fingerprint === facts.fingerprint);
    if (same !== undefined)
      throw new DeskError('key.duplicate', { details: { keyId: same.id, name: same.name } });
    const wrappingKey = await getWrappingKey(ring);
    for (;;) {
      const id = wantedId ?? makeKeyId(facts.type);
      const origins = baseUrl === undefined ? [] : [toKeyOrigin(baseUrl)];
      const key = { id, name: keyName, ...facts, createdAt, lastSignedAt: null, provenAt: null, origins };
      const file: KeyFile = { version: 2, key, wrapped: wrapKey(jwk, { keyId: id, origins }, wrappingKey) };
      if (await ring.files.add(file)) return key;
      if (wantedId !== undefined) throw new DeskError('key.duplicate', { details: { keyId: id } });
    }
  });

async function unwrap(ring: KeyRingState, file: KeyFile): Promise<{ jwk: PrivateJwk; wrappingKey: Buffer }> {
  const { key, wrapped, version } = file;
  const account = await getWrappingAccount(ring);
  const wrappingKey = await getOrCreateSecret(ring.secrets, account, { mayCreate: false });
  const binding = { keyId: key.id, origins: version === 1 ? null : key.origins };
  const jwk = unwrapKey(wrapped, binding, wrappingKey);
  if (readKeyFacts(jwk, key.name).fingerprint !== key.fingerprint)
    throw new DeskError('key.damaged', { details: { keyId: key.id } });
  return { jwk, wrappingKey };
}

async function seal(ring: KeyRingState, file: KeyFile, origins: readonly string[]): Promise<KeyFile> {
  const { jwk, wrappingKey } = await unwrap(ring, file);
  const wrapped = wrapKey(jwk, { keyId: file.key.id, origins }, wrappingKey);
  return { version: 2, key: { ...file.key, origins: [...origins] }, wrapped };
}

/**
 * Opens the key ring of a profile. Each private key is in `keys/<id>.json`, encrypted with a wrapping key of 32 random
 * bytes in the secret store, because Windows stores at most 2560 bytes per entry and an RSA key is larger. The wrapping
 * key is made with the first SSH key and deleted with the last. While any key file exists, a missing wrapping key is an
 * error and is never replaced.
 */
export function createKeyRing(ports: KeyRingPorts): KeyRing {
  const files = createKeyFiles(ports.profileDir);
  const enqueue = createSerialQueue();
  const ring: KeyRingState = { ...ports, files, enqueue };
  return {
    add: (input) => addKey(ring, input),
    generate: async ({ type, ...label }) => {
      if (!keyTypes.includes(type)) throw new DeskError('key.typeUnsupported');
      // Read before generating, which takes seconds for a large key, so that a locked keychain is reported at once.
      await enqueue(() => getWrappingKey(ring));
      return addKey(ring, { jwk: await generatePrivateJwk(type), ...label });
    },
    list: async () => (await readKeys(files)).keys,
    listDamaged: async () => (await readKeys(files)).damaged,
    get: async (id) => (await files.read(id)).key,
    readPrivateJwk: async (id, baseUrl) => {
      const file = await files.read(id);
      const { jwk } = await unwrap(ring, file);
      const { origins } = file.key;
      if (baseUrl !== undefined && origins !== null && !origins.includes(toKeyOrigin(baseUrl)))
        throw new DeskError('key.otherService', { details: { keyId: id } });
      return jwk;
    },
    recordSigned: (id, atMs, origins) =>
      enqueue(async () => {
        const read = await files.read(id);
        const file = read.version === 1 && origins !== undefined ? await seal(ring, read, origins) : read;
        const lastSignedAt = later(file.key.lastSignedAt, atMs);
        await files.replace({ ...file, key: { ...file.key, lastSignedAt } });
      }),
    recordProven: async (id, atMs) => {
      await changeKey(ring, id, (key) => ({ ...key, provenAt: later(key.provenAt, atMs) }));
    },
    bind: (id, origins) =>
      enqueue(async () => {
        const file = await files.read(id);
        // A file of version 1 is sealed with the first token, because at a start the secrets may be locked.
        const bound = { ...file, key: { ...file.key, origins: [...origins] } };
        await files.replace(file.version === 1 ? bound : await seal(ring, file, origins));
      }),
    rename: (id, name) =>
      changeKey(ring, id, (key) => {
        const cleaned = cleanName(name) ?? key.name;
        return { ...key, name: cleaned, publicKey: withComment(key.publicKey, cleaned) };
      }),
    remove: (id) =>
      enqueue(async () => {
        await files.remove(id);
        if ((await files.listIds()).length > 0) return;
        // The key is removed even if the keychain fails; a wrapping key that remains is used again.
        await getWrappingAccount(ring)
          .then((account) => ports.secrets.delete(account))
          .catch(() => undefined);
      }),
  };
}

/** The keys of a profile, oldest first, and the ids of files that cannot be read. */
async function readKeys(files: KeyFiles): Promise<{ keys: StoredKey[]; damaged: string[] }> {
  const keys: StoredKey[] = [];
  const damaged: string[] = [];
  for (const id of await files.listIds()) {
    try {
      keys.push((await files.read(id)).key);
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      if (error.code === 'key.damaged') damaged.push(id);
      // key.unknown: the key was removed while the files were being read.
      else if (error.code !== 'key.unknown') throw error;
    }
  }
  keys.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
  return { keys, damaged };
}

/** The letters of IDs: no vowels or look-alikes, so that an ID is never misread and contains no words. */
const idLetters = '23456789bcdfghjkmnpqrstvwxz';

/** Makes an ID such as `ed25519-k7pmx4`: the type, and letters that distinguish the keys of one profile. */
export function makeKeyId(type: string): string {
  const suffix = Array.from({ length: 6 }, () => idLetters[randomInt(idLetters.length)]).join('');
  return `${type}-${suffix}`;
}

function cleanName(name: string | undefined): string | null {
  const cleaned = (name ?? '')
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 80)
    .trim();
  return cleaned === '' ? null : cleaned;
}

/** The later of two times: requests may end in another order than they began. */
function later(previous: string | null, atMs: number): string {
  const at = new Date(atMs).toISOString();
  return previous !== null && previous > at ? previous : at;
}
