import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Where `bundle-threads.mjs` puts the bundles. */
export const threadsFolder = join(root, 'node_modules', '.cache', 'claimdesk-threads');

/**
 * The environment for Playwright, which sets FORCE_COLOR for its workers. If NO_COLOR is set as well, each worker, and
 * each process that a spec starts, prints a warning; so NO_COLOR is replaced by the setting that Playwright passes on.
 */
export function playwrightEnvironment() {
  return process.env.NO_COLOR === undefined ? {} : { NO_COLOR: undefined, FORCE_COLOR: '0' };
}

/**
 * Runs a tool of node_modules/.bin (or node itself) in the project's folder; resolves to its exit code. Its output is
 * buffered until the promise `holdsOutputUntil` is settled; with `onOutput`, what it writes to stdout is passed there.
 */
export function runTool(name, args, options = {}) {
  const isHeld = options.holdsOutputUntil !== undefined;
  const standard = options.onOutput === undefined ? 'inherit' : 'pipe';
  const outputs = isHeld ? ['pipe', 'pipe'] : [options.isQuiet ? 'ignore' : standard, 'inherit'];
  const separator = process.platform === 'win32' ? ';' : ':';
  const child = spawn(name === 'node' ? process.execPath : join(root, 'node_modules', '.bin', name), args, {
    cwd: root,
    stdio: ['ignore', ...outputs],
    shell: process.platform === 'win32',
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules', '.bin')}${separator}${process.env.PATH ?? ''}`,
      ...options.env,
    },
  });
  if (isHeld) passOutput(child, options.holdsOutputUntil);
  if (options.onOutput !== undefined) child.stdout.setEncoding('utf8').on('data', options.onOutput);
  return new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on(isHeld || options.onOutput !== undefined ? 'close' : 'exit', (code, signal) =>
      resolve(signal === null ? (code ?? 1) : 1),
    );
  });
}

function passOutput(child, settled) {
  let isHeld = true;
  const held = [];
  for (const name of ['stdout', 'stderr']) {
    child[name].on('data', (chunk) => {
      if (isHeld) held.push([name, chunk]);
      else process[name].write(chunk);
    });
  }
  const release = () => {
    isHeld = false;
    for (const [name, chunk] of held.splice(0)) process[name].write(chunk);
  };
  settled.then(release, release);
}
