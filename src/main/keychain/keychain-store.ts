import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { DeskError } from '../lib/errors.ts';
import type { SecretStore } from './secret-store.ts';

const run = promisify(execFile);

type Environment = Readonly<Record<string, string | undefined>>;
/** `empty`: the keychain has no default collection yet and offers to make one at the first write. */
export type CollectionState = 'ready' | 'empty' | 'locked' | 'missing';
type Caller = (method: BusMethod) => Promise<string>;
type BusMethod = { path: string; member: 'ReadAlias' | 'Locked' };

const service = 'org.freedesktop.secrets';
const rootPath = '/org/freedesktop/secrets';
/** Long enough for D-Bus to start the keychain's daemon. */
const timeoutMs = 10_000;

/**
 * Asks the session bus whether the default collection of the Secret Service is locked. libsecret cannot: with a locked
 * collection it answers as if there were no entry, or opens a prompt.
 *
 * It uses the first D-Bus command-line tool that is installed. Libraries were considered: dbus-next is unmaintained and
 * its socket add-on crashes on Node 24; dbus-native needs eight packages for two calls. No argument holds a secret, and
 * the environment has only what the bus needs.
 */
export async function readCollectionState(environment: Environment): Promise<CollectionState> {
  const address = findBusAddress(environment);
  if (address === null) return 'missing';
  const childEnvironment = pickEnvironment(environment, address);
  for (const tool of tools) {
    try {
      return await askWith((method) => runTool(tool, method, childEnvironment));
    } catch (error) {
      // This tool is not installed. Any other error means that no program provides the Secret Service.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return 'missing';
    }
  }
  return 'missing';
}

/** Asks both questions with one of the tools. */
async function askWith(call: Caller): Promise<CollectionState> {
  const collection = parseObjectPath(await call({ path: rootPath, member: 'ReadAlias' }));
  if (collection === null) return 'missing';
  if (collection === '/') return 'empty';
  const isLocked = parseBoolean(await call({ path: collection, member: 'Locked' }));
  if (isLocked === null) return 'missing';
  return isLocked ? 'locked' : 'ready';
}

/**
 * Parses an object path as dbus-send (`   /org/freedesktop/…`), gdbus (`(objectpath '/org/…',)`) and busctl
 * (`{"type":"o","data":["/org/…"]}`) print it.
 */
export const parseObjectPath = (answer: string): string | null =>
  /(?:^|['"\s])(\/[A-Za-z0-9_/]*)(?:['"\s]|$)/.exec(answer)?.[1] ?? null;

/** Parses a boolean in their formats: `   variant       boolean false`, `(<true>,)`, `{"type":"b","data":true}`. */
export function parseBoolean(answer: string): boolean | null {
  const words = answer.match(/\b(?:true|false)\b/g);
  return words?.length === 1 ? words[0] === 'true' : null;
}

type Tool = { file: string; toArguments(method: BusMethod): string[] };

const collectionInterface = 'org.freedesktop.Secret.Collection';
const serviceMethod = 'org.freedesktop.Secret.Service.ReadAlias';
const getProperty = 'org.freedesktop.DBus.Properties.Get';

const tools: readonly Tool[] = [
  {
    file: 'dbus-send',
    toArguments: ({ path, member }) => [
      '--session',
      '--print-reply=literal',
      `--reply-timeout=${timeoutMs}`,
      `--dest=${service}`,
      path,
      ...(member === 'ReadAlias'
        ? [serviceMethod, 'string:default']
        : [getProperty, `string:${collectionInterface}`, 'string:Locked']),
    ],
  },
  {
    file: 'gdbus',
    toArguments: ({ path, member }) => [
      ...['call', '--session', '--timeout', String(timeoutMs / 1000), '--dest', service],
      ...['--object-path', path, '--method'],
      ...(member === 'ReadAlias' ? [serviceMethod, 'default'] : [getProperty, collectionInterface, 'Locked']),
    ],
  },
  {
    file: 'busctl',
    toArguments: ({ path, member }) => [
      ...['--user', '--json=short', `--timeout=${timeoutMs / 1000}`],
      ...(member === 'ReadAlias'
        ? ['call', service, path, 'org.freedesktop.Secret.Service', 'ReadAlias', 's', 'default']
        : ['get-property', service, path, collectionInterface, 'Locked']),
    ],
  },
];

async function runTool(tool: Tool, method: BusMethod, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await run(tool.file, tool.toArguments(method), {
    env,
    timeout: timeoutMs + 2000,
    maxBuffer: 64 * 1024,
  });
  return stdout;
}

/**
 * The address of the session bus. Without one, libdbus would start its own bus (autolaunch), without a keychain.
 */
function findBusAddress(environment: Environment): string | null {
  const given = environment.DBUS_SESSION_BUS_ADDRESS;
  if (given !== undefined && given !== '') return given;
  const socket = `${environment.XDG_RUNTIME_DIR ?? ''}/bus`;
  return socket !== '/bus' && existsSync(socket) ? `unix:path=${socket}` : null;
}

function pickEnvironment(environment: Environment, address: string): NodeJS.ProcessEnv {
  const picked: NodeJS.ProcessEnv = { DBUS_SESSION_BUS_ADDRESS: address, LC_ALL: 'C' };
  for (const name of ['PATH', 'HOME', 'XDG_RUNTIME_DIR']) {
    const value = environment[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

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
 * On Linux a locked collection, or a prompt that the user closes, looks like an absent entry (`null`,
 * `false`), so the state of the collection is checked before each call and again after an empty answer.
 * `findCredentials` crashes the process on a locked collection and is never called.
 */
export function createKeychainStore({ serviceName, ports = {} }: KeychainOptions): SecretStore {
  const loadKeytar = ports.loadKeytar ?? loadSystemKeytar;
  const readState = ports.readState ?? readSystemState;

  /** Runs after an empty answer of keytar, which means "no entry" only if the collection is unlocked. */
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
          // The collection can't be created (a server), or the user refused: the keychain counts as missing.
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
  // keytar is a CommonJS module: its functions are on `default` in Node, and may be on top after bundling.
  return (loaded as { default?: Keytar }).default ?? loaded;
}

/** Returns the collection's state on Linux; other systems ask the user, and a refusal is an error. */
const readSystemState = async (): Promise<CollectionState> =>
  process.platform === 'linux' ? readCollectionState(process.env) : 'ready';
