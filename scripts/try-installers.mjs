import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { extractFile } from '@electron/asar';
import { root } from './run-tools.mjs';

// `node scripts/try-installers.mjs OLD NEW [FOLDER]`: installs each installer of version OLD that FOLDER (`dist`) has for
// this system, without a question, version NEW over it, and uninstalls it; the profile of this account has to stay.
// It changes this computer: for a workflow.

const [older, newer, folder = join(root, 'dist')] = process.argv.slice(2);
const local = process.env.LOCALAPPDATA ?? '';

/** How each is installed and removed without a window; docs/installers.md has the same commands. */
const kinds = {
  linux: {
    profile: join(homedir(), '.config/Claimdesk'),
    command: '/usr/bin/claimdesk',
    deb: {
      resources: '/opt/Claimdesk/resources',
      install: (file) => ['sudo', 'apt-get', 'install', '-y', '-qq', file],
      remove: () => ['sudo', 'apt-get', 'remove', '-y', '-qq', 'claimdesk'],
    },
    rpm: {
      resources: '/opt/Claimdesk/resources',
      // Not a system of this kind, so that what it depends on has other names.
      install: (file) => ['sudo', 'rpm', '-U', '--nodeps', file],
      remove: () => ['sudo', 'rpm', '-e', 'claimdesk'],
    },
  },
  darwin: {
    profile: join(homedir(), 'Library/Application Support/Claimdesk'),
    pkg: {
      resources: '/Applications/Claimdesk.app/Contents/Resources',
      install: (file) => ['sudo', 'installer', '-pkg', file, '-target', '/'],
      remove: () => ['sudo', 'rm', '-rf', '/Applications/Claimdesk.app'],
    },
  },
  win32: {
    profile: join(local, 'Claimdesk'),
    exe: {
      resources: join(local, 'Programs/claimdesk/resources'),
      install: (file) => [file, '/S'],
      remove: () => [join(local, 'Programs/claimdesk/Uninstall Claimdesk.exe'), '/S'],
    },
    msi: {
      resources: 'C:\\Program Files\\Claimdesk\\resources',
      install: (file) => ['msiexec', '/i', file, '/qn', '/norestart'],
      remove: (file) => ['msiexec', '/x', file, '/qn', '/norestart'],
    },
  },
};

const run = ([program, ...args]) => {
  process.stdout.write(`${[program, ...args].join(' ')}\n`);
  execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
};

/** The version that is installed; null without one. */
function readVersion(resources) {
  const archive = join(resources, 'app.asar');
  return existsSync(archive) ? JSON.parse(extractFile(archive, 'package.json').toString()).version : null;
}

/** An uninstaller of Windows goes on in a process of its own. */
async function expectVersion(resources, version) {
  for (let tries = 60; readVersion(resources) !== version; tries -= 1) {
    if (tries === 0) throw new Error(`${readVersion(resources)} is installed in place of ${version}.`);
    await setTimeout(1000);
  }
  process.stdout.write(`  installed: ${version ?? 'nothing'}\n`);
}

const findFile = (ending, version) => {
  const names = readdirSync(folder).filter((name) => name.endsWith(`.${ending}`) && name.includes(version));
  // A Mac of the workflow has one processor of the two.
  const name = names.find((one) => names.length === 1 || one.includes(process.arch));
  if (name === undefined) throw new Error(`${folder} has no .${ending} of ${version}.`);
  return join(folder, name);
};

const { profile, command, ...installers } = kinds[process.platform];
mkdirSync(profile, { recursive: true });
const note = join(profile, 'kept-by-uninstall.txt');
writeFileSync(note, 'kept');
for (const [ending, { resources, install, remove }] of Object.entries(installers)) {
  run(install(findFile(ending, older)));
  await expectVersion(resources, older);
  const file = findFile(ending, newer);
  run(install(file));
  await expectVersion(resources, newer);
  if (command !== undefined && !existsSync(command)) throw new Error(`${ending}: ${command} is missing.`);
  run(remove(file));
  await expectVersion(resources, null);
  if (readFileSync(note, 'utf8') !== 'kept') throw new Error(`${ending}: the profile was changed.`);
}
process.stdout.write(
  `${Object.keys(installers).join(', ')}: installed, upgraded, removed; the profile stayed.\n`,
);
