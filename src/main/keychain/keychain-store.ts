import { DeskError } from '../lib/errors.ts';
import { type CollectionState, readCollectionState } from './collection-state.ts';
import type { SecretStore } from './secret-store.ts';

type Keytar = Pick<typeof import('keytar'), 'getPassword' | 'setPassword' | 'deletePassword'>;

type KeychainOptions = {
  serviceName: string;
  /** Replaced in tests of what other systems do; the defaults are the real ones. */
  ports?: Partial<KeychainPorts>;
};

type KeychainPorts = {
  loadKeytar(): Promise<Keytar>;
  readState(): Promise<CollectionState>;
};

export const keychainServiceName = 'Claimdesk';

/** Windows keeps at most 2560 bytes an entry, in UTF-16: base64 of this much fits with room. */
const maxValueBytes = 512;

/**
 * Keeps secrets in the keychain of the system (Keychain, Credential Manager, Secret Service), values as
 * base64. keytar is loaded at the first use: loading needs libsecret on Linux.
 *
 * On Linux a locked collection, or a prompt that somebody closes, looks like an absent entry (`null`,
 * `false`), so the state of the collection is asked for before each call and again after an empty answer.
 * `findCredentials` crashes the process on a locked collection and is never called.
 */
export function createKeychainStore({ serviceName, ports = {} }: KeychainOptions): SecretStore {
  const loadKeytar = ports.loadKeytar ?? loadSystemKeytar;
  const readState = ports.readState ?? readSystemState;

  /** An empty answer of keytar counts only if this still holds after it. */
  const confirmOpen = async () => {
    const state = await readState();
    if (state === 'locked' || state === 'missing') throw new DeskError(`keychain.${state}`);
  };
  const open = async (): Promise<Keytar> => {
    await confirmOpen();
    return loadKeytar().catch((error: unknown) => {
      throw new DeskError('keychain.missing', { cause: error });
    });
  };
  return {
    kind: 'keychain',
    get: async (account) => {
      const keytar = await open();
      const text = await keytar.getPassword(serviceName, account).catch(rejectAsDismissed);
      if (text === null) {
        await confirmOpen();
        return null;
      }
      return decodeValue(text);
    },
    set: async (account, value) => {
      if (value.length > maxValueBytes) throw new Error('A secret is too large for every keychain.');
      const keytar = await open();
      await keytar
        .setPassword(serviceName, account, value.toString('base64'))
        .catch(async (error: unknown) => {
          // Nobody to ask for a new collection (a server), or the person said no: there is no keychain.
          if ((await readState()) === 'empty') throw new DeskError('keychain.missing', { cause: error });
          return rejectAsDismissed(error);
        });
    },
    delete: async (account) => {
      const keytar = await open();
      const isDeleted = await keytar.deletePassword(serviceName, account).catch(rejectAsDismissed);
      if (!isDeleted) await confirmOpen();
    },
    getState: async () => {
      try {
        await open();
        return 'ready';
      } catch (error) {
        return error instanceof DeskError && error.code === 'keychain.locked' ? 'locked' : 'missing';
      }
    },
  };
}

function rejectAsDismissed(error: unknown): never {
  throw new DeskError('keychain.dismissed', { cause: error });
}

/** Anything but base64 was not written by us: the entry cannot serve, and must not be replaced unasked. */
function decodeValue(text: string): Buffer {
  const value = Buffer.from(text, 'base64');
  if (value.toString('base64') !== text) throw new DeskError('keychain.entryMissing');
  return value;
}

async function loadSystemKeytar(): Promise<Keytar> {
  const loaded = await import('keytar');
  // A CommonJS module: its functions are on `default` in Node, and may be on top after bundling.
  return (loaded as { default?: Keytar }).default ?? loaded;
}

/** Only Linux has a collection to ask about; elsewhere the system itself asks, and rejects. */
async function readSystemState(): Promise<CollectionState> {
  return process.platform === 'linux' ? readCollectionState(process.env) : 'ready';
}
