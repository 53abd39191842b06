import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  parseBoolean,
  parseObjectPath,
  readCollectionState,
} from '../../../../src/main/keychain/keychain-store.ts';

let binDir: string;
beforeEach(async () => {
  binDir = await mkdtemp(join(tmpdir(), 'claimdesk-bus-'));
});
afterEach(() => rm(binDir, { recursive: true, force: true }));

const login = '/org/freedesktop/secrets/collection/login';

describe('answers are read as each tool prints them', () => {
  test.each([
    ['dbus-send', `   ${login}`],
    ['gdbus', `(objectpath '${login}',)\n`],
    ['busctl', `{"type":"o","data":["${login}"]}\n`],
  ])('%s, an object path', (_, answer) => {
    expect(parseObjectPath(answer)).toBe(login);
  });

  test.each([['   /'], [`(objectpath '/',)`], ['{"type":"o","data":["/"]}']])(
    'no default collection: %s',
    (answer) => {
      expect(parseObjectPath(answer)).toBe('/');
    },
  );

  test.each([
    ['   variant       boolean true\n', true],
    ['   variant       boolean false', false],
    ['(<true>,)', true],
    ['(<false>,)', false],
    ['{"type":"b","data":true}', true],
    ['{"type":"b","data":false}', false],
    ['', null],
    ['maybe', null],
    ['true false', null],
  ])('%j is %s', (answer, expected) => {
    expect(parseBoolean(answer)).toBe(expected);
  });

  test('nonsense is not a path', () => {
    expect(parseObjectPath('Error: no such thing')).toBeNull();
  });
});

/** A tool that answers by the last words of its arguments, and tells what environment it was given. */
async function installTool(name: string, script: string): Promise<void> {
  const path = join(binDir, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

const environment = () => ({ PATH: binDir, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' });

describe('the state', () => {
  test.each([
    ['true', 'locked'],
    ['false', 'ready'],
  ])('by dbus-send, Locked being %s, is %s', async (locked, expected) => {
    await installTool(
      'dbus-send',
      `case "$*" in *ReadAlias*) echo "   ${login}";; *Locked*) echo "   variant  boolean ${locked}";; esac`,
    );
    expect(await readCollectionState(environment())).toBe(expected);
  });

  test('is from the next tool if one is not installed', async () => {
    await installTool(
      'busctl',
      `case "$*" in *ReadAlias*) echo '{"type":"o","data":["${login}"]}';; *) echo '{"type":"b","data":true}';; esac`,
    );
    expect(await readCollectionState(environment())).toBe('locked');
  });

  test('without a default collection is empty', async () => {
    await installTool('gdbus', `echo "(objectpath '/',)"`);
    expect(await readCollectionState(environment())).toBe('empty');
  });

  test.each([
    ['nobody answers', 'exit 1'],
    ['the answer is nonsense', 'echo what'],
    [
      'only the first question is answered',
      `case "$*" in *ReadAlias*) echo "   ${login}";; *) echo "?";; esac`,
    ],
  ])('is missing if %s', async (_, script) => {
    await installTool('dbus-send', script);
    expect(await readCollectionState(environment())).toBe('missing');
  });

  test('is missing without any tool, and without a bus', async () => {
    expect(await readCollectionState(environment())).toBe('missing');
    await installTool('dbus-send', `echo "   ${login}"; echo false`);
    expect(await readCollectionState({ PATH: binDir })).toBe('missing');
    expect(await readCollectionState({ PATH: binDir, XDG_RUNTIME_DIR: binDir })).toBe('missing');
  });
});

test('a tool gets neither the vault passphrase nor anything else from the environment', async () => {
  const seen = join(binDir, 'seen');
  await installTool('dbus-send', `export -p > ${seen}; echo "$@" >> ${seen}; exit 1`);
  await readCollectionState({
    ...environment(),
    CLAIMDESK_VAULT_PASSPHRASE: 'planted-secret',
    OTHER: 'planted',
  });
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(seen, 'utf8');
  expect(text).toContain('DBUS_SESSION_BUS_ADDRESS');
  expect(text).not.toContain('planted');
});
