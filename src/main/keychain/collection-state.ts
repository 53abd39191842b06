import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

type Environment = Readonly<Record<string, string | undefined>>;
/** `empty`: the keychain is there but has no default collection yet; it offers to make one at the first write. */
export type CollectionState = 'ready' | 'empty' | 'locked' | 'missing';
type Caller = (method: BusMethod) => Promise<string>;
type BusMethod = { path: string; member: 'ReadAlias' | 'Locked' };

const service = 'org.freedesktop.secrets';
const rootPath = '/org/freedesktop/secrets';
/** Long enough for D-Bus to start the keychain's daemon. */
const timeoutMs = 10_000;

/**
 * Asks the session bus whether the default collection of the Secret Service is locked. libsecret cannot tell: with a
 * locked collection it answers as if there were no entry, or opens a prompt.
 *
 * Uses the first D-Bus command-line tool that is installed. Libraries were considered: dbus-next is unmaintained and
 * its socket add-on crashes on Node 24; dbus-native needs eight packages for two calls. No argument holds a secret,
 * and the environment is cut down to what the bus needs.
 */
export async function readCollectionState(environment: Environment): Promise<CollectionState> {
  const address = findBusAddress(environment);
  if (address === null) return 'missing';
  const childEnvironment = pickEnvironment(environment, address);
  for (const tool of tools) {
    try {
      return await askWith((method) => runTool(tool, method, childEnvironment));
    } catch (error) {
      // Not installed: the next tool is tried. Any other error means that no program provides the Secret Service.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return 'missing';
    }
  }
  return 'missing';
}

/** Asks the two questions by any of the tools. */
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
export function parseObjectPath(answer: string): string | null {
  return /(?:^|['"\s])(\/[A-Za-z0-9_/]*)(?:['"\s]|$)/.exec(answer)?.[1] ?? null;
}

/** Parses a boolean as these print it: `   variant       boolean false`, `(<true>,)`, `{"type":"b","data":true}`. */
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
 * The address of the session bus. Without one, libdbus would start a bus of its own (autolaunch), without a keychain.
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
