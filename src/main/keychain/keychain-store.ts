import { DeskError } from '../lib/errors.ts';
import { type CollectionState, readCollectionState } from './collection-state.ts';
import type { SecretStore } from './secret-store.ts';

type Keytar = Pick<typeof import('keytar'), 'getPassword' | 'setPassword' | 'deletePassword'>;

type KeychainOptions = {
  serviceName: string;
  /** Replaced in tests that imitate other systems; the defaults use this system. */
  ports?: Partial<KeychainPorts>;
};

type KeychainPorts = {
  loadKeytar(): Promise<Keytar>;
  readState(): Promise<CollectionState>;
};

export const keychainServiceName = 'Claimdesk';

/** Windows keeps at most 2560 bytes an entry, in UTF-16: the base64 of this many bytes fits. */
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

  /** Run after an empty answer of keytar, which means "no entry" only if the collection is unlocked. */
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
          // Nobody can create a collection (a server), or the person refused to: the keychain counts as missing.
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

/**
 * A value that is not base64 was not written by Claimdesk: it cannot be used, and must not be overwritten without
 * asking.
 */
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

/** Only Linux has a collection to check; elsewhere the system asks the person, and a refusal is an error. */
async function readSystemState(): Promise<CollectionState> {
  return process.platform === 'linux' ? readCollectionState(process.env) : 'ready';
}
