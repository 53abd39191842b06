import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type CliResult,
  codeOf,
  makeFolder,
  readLines,
  runCli,
  runCommand,
  startCli,
  waitForOutput,
} from '../../support/cli-run.ts';
import { givenSandbox } from '../sandbox/given-sandbox.ts';
import type { Sandbox } from '../sandbox/start-sandbox.ts';

type AnyRecord = Record<string, unknown> & { id: number };

const claimCount = 1_200;
const sandbox = givenSandbox(
  '--members',
  '50',
  '--claims',
  String(claimCount),
  '--seed',
  '5',
  '--order',
  'desc',
);
let folder: { path: string; remove: () => Promise<void> };
let template: string;
let profiles = 0;

beforeAll(async () => {
  folder = await makeFolder();
  template = join(folder.path, 'template');
  const run = (...args: string[]): Promise<CliResult> => runCommand(args, { profile: template });
  await run('workspace', 'add', '--base-url', sandbox.baseUrl, '--email', sandbox.account.email);
  const [key] = readLines(await run('key', 'generate')) as { publicKey: string }[];
  await sandbox.control('POST', '/keys', { name: 'cli', publicKey: key?.publicKey });
});
afterAll(async () => {
  await sandbox.stop();
  await folder.remove();
});
afterEach(() => sandbox.control('DELETE', '/faults'));

/** A profile of its own that has a workspace and a registered key, and has never synced. */
async function newProfile(): Promise<string> {
  profiles += 1;
  const path = join(folder.path, `profile-${profiles}`);
  await cp(template, path, { recursive: true });
  return path;
}

async function expectTruth(profile: string): Promise<void> {
  const byId = (records: AnyRecord[]): AnyRecord[] => [...records].sort((a, b) => a.id - b.id);
  for (const list of ['members', 'claims'] as const) {
    const listed = await runCommand(['list', list, '--json', '--reveal', '--reason', 'A test'], { profile });
    expect(readLines(listed)).toEqual(byId(await sandbox.truth<AnyRecord>(list)));
  }
}

const askedPaths = async (): Promise<string[]> =>
  (await sandbox.control<{ data: { path: string }[] }>('GET', '/requests')).data.map(({ path }) => path);

/** Lets a page of claims wait for a minute. The answer resolves when a sync has asked for it. */
async function holdPage(at: Sandbox, page: number): Promise<() => Promise<void>> {
  await at.control('PUT', '/faults', [{ kind: 'latency', ms: 60_000, route: 'claims', page }]);
  return async () => {
    const isAsked = async (): Promise<boolean> =>
      (await at.control<{ data: { applied: number }[] }>('GET', '/faults')).data.some(
        ({ applied }) => applied > 0,
      );
    while (!(await isAsked())) await new Promise((resolve) => setTimeout(resolve, 30));
  };
}

describe('a sync that is interrupted', () => {
  test('by SIGKILL continues where it was, and is then equal to the truth', async () => {
    const profile = await newProfile();
    for (const page of [1, 2]) {
      const asked = await holdPage(sandbox, page);
      const { child, result } = startCli(['sync', '--json'], { profile });
      await asked();
      child.kill('SIGKILL');
      expect((await result).signal).toBe('SIGKILL');
    }
    await sandbox.control('DELETE', '/faults');
    await sandbox.control('DELETE', '/requests');
    const resumed = await runCommand(['sync', '--json'], { profile });
    expect(readLines(resumed).at(-1)).toMatchObject({ event: 'done', proof: 'complete', claims: claimCount });
    const [first] = await askedPaths();
    expect(first).toContain('/claims?page=2&');
    await expectTruth(profile);
  });

  test('by SIGINT says so, keeps what was received readable, and continues later', async () => {
    const profile = await newProfile();
    const asked = await holdPage(sandbox, 2);
    const { child, result } = startCli(['sync', '--json'], { profile });
    await asked();
    child.kill('SIGINT');
    const canceled = await result;
    expect([canceled.code, codeOf(canceled)]).toEqual([1, 'sync.canceled']);
    expect(readLines(canceled).at(-1)).toMatchObject({
      event: 'canceled',
      claims: 1000,
      proof: 'not-proven',
    });
    expect(
      (await runCommand(['list', 'claims', '--json', '--reason', 'A test'], { profile })).lines,
    ).toHaveLength(1000);
    await sandbox.control('DELETE', '/faults');
    expect((await runCommand(['sync'], { profile })).code).toBe(0);
  });

  test('by a service that refuses keeps what was received, and is complete when it is allowed again', async () => {
    const profile = await newProfile();
    await sandbox.control('PUT', '/faults', [{ kind: 'status', status: 403, route: 'claims', page: 2 }]);
    const failed = await runCommand(['sync', '--json'], { profile });
    expect([failed.code, codeOf(failed)]).toEqual([1, 'service.forbidden']);
    expect(readLines(failed).at(-1)).toMatchObject({ event: 'failed', claims: 1000, proof: 'not-proven' });
    expect(
      (await runCommand(['list', 'claims', '--json', '--reason', 'A test'], { profile })).lines,
    ).toHaveLength(1000);
    await sandbox.control('DELETE', '/faults');
    const resumed = await runCommand(['sync', '--json'], { profile });
    expect(readLines(resumed).at(-1)).toMatchObject({ event: 'done', proof: 'complete', claims: claimCount });
  });
});

describe('without a place for secrets', () => {
  const nowhere = {
    CLAIMDESK_VAULT_PASSPHRASE: undefined,
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
  };

  test('no key is made: keychain.missing, and nothing is in plain text', async () => {
    const profile = join(folder.path, 'no-keychain');
    const made = await runCli(['key', 'generate'], { profile, env: nowhere });
    expect([made.code, made.stdout, codeOf(made)]).toEqual([1, '', 'keychain.missing']);
    expect(made.stderr).toContain('claimdesk unlock set');
    const keys = await readdir(join(profile, 'keys')).catch(() => []);
    expect(keys).toEqual([]);
  });

  test('a profile whose secrets are in a vault asks for its passphrase', async () => {
    const synced = await runCli(['sync'], { profile: await newProfile(), env: nowhere });
    expect([synced.code, codeOf(synced)]).toEqual([1, 'vault.passphraseNeeded']);
  });
});

describe('wrong usage', () => {
  test.each([
    [['frobnicate']],
    [['list', 'claims', '--nope']],
    [['list', 'claims', '--filter', 'status']],
    [['export', 'claims']],
    [['key', 'generate', '--type', 'dsa']],
  ])('%j exits with 2 and says where to find help', async (args) => {
    const result = await runCli(args, { profile: join(folder.path, 'none') });
    expect([result.code, result.stdout]).toEqual([2, '']);
    expect(result.stderr).toMatch(/^usage\.invalid: .+\nNext: claimdesk --help\n$/);
  });

  test('--help, --version, and the name alone are not failures', async () => {
    for (const words of [[], ['--help'], ['help']]) {
      const help = await runCli(words);
      expect([help.code, help.stderr]).toEqual([0, '']);
      expect(help.stdout).toContain('claimdesk help WORD');
    }
    expect((await runCli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('a profile that does not exist is not an internal error', async () => {
    const profile = join(folder.path, 'never-made');
    const listed = await runCli(['list', 'claims', '--reason', 'A test'], {
      profile,
      isProfileUntouched: true,
    });
    expect([listed.code, codeOf(listed)]).toEqual([1, 'workspace.missing']);
    expect(await readdir(folder.path)).not.toContain('never-made');
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const empty = await runCli(['workspace', 'list'], { profile, env });
    expect(empty.stdout).toBe('');
    expect(empty.stderr).toContain(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 is set on this computer. Claimdesk ignores it',
    );
  });
});

/** Mounts a disk of this many kilobytes, which needs root; without it these tests fail with a message. */
async function mountSmallDisk(kilobytes: number): Promise<string> {
  profiles += 1;
  const path = join(folder.path, `disk-${profiles}`);
  await mkdir(path);
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', path], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`A small disk needs a mount, as root: ${stderr}`);
  onTestFinished(() => void spawnSync('umount', ['-l', path]));
  return path;
}

describe('a full disk', () => {
  test('fails an export with disk.full; the old file is kept and nothing else; a pipe stays a pipe', async () => {
    const profile = await newProfile();
    expect((await runCommand(['sync'], { profile })).code).toBe(0);
    const disk = await mountSmallDisk(200);
    const out = join(disk, 'claims.csv');
    await writeFile(out, 'old');
    const failed = await runCommand(['export', 'claims', '--out', out, '--reason', 'A test', '--json'], {
      profile,
    });
    expect([failed.code, failed.stdout, codeOf(failed)]).toEqual([1, '', 'disk.full']);
    expect(await readdir(disk)).toEqual(['claims.csv']);
    expect((await stat(out)).size).toBe(3);

    // A file is replaced, so what is no file must be left alone.
    const pipe = join(folder.path, 'pipe');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const refused = await runCommand(['export', 'members', '--out', pipe, '--reason', 'A test'], { profile });
    expect([refused.code, codeOf(refused)]).toEqual([1, 'export.unwritable']);
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });

  test('fails a sync with disk.full; existing records stay readable, and it continues with more space', async () => {
    const disk = await mountSmallDisk(2_600);
    const profile = join(disk, 'profile');
    await cp(template, profile, { recursive: true });
    // A process of its own, as what it leaves is what the next one finds.
    const failed = await runCli(['sync', '--json'], { profile });
    expect([failed.code, codeOf(failed)]).toEqual([1, 'disk.full']);
    const kept = (await runCommand(['list', 'members', '--json', '--reason', 'A test'], { profile })).lines
      .length;
    expect([0, 50]).toContain(kept);
    const { bavail, bsize } = await statfs(disk);
    expect(bavail * bsize).toBeLessThan(4_000_000);
    spawnSync('mount', ['-o', 'remount,size=64m', disk]);
    const resumed = await runCommand(['sync', '--json'], { profile });
    expect(readLines(resumed).at(-1)).toMatchObject({ event: 'done', proof: 'complete', claims: claimCount });
  });
});

describe('demo', () => {
  test('runs completely and leaves nothing in the temporary folder', async () => {
    const temp = join(folder.path, 'temp');
    await mkdir(temp);
    const shown = await runCli(['demo', '--claims', '300', '--json'], { env: { TMPDIR: temp } });
    expect([shown.code, shown.stderr]).toEqual([0, '']);
    const [last] = readLines(shown);
    expect(last).toMatchObject({ event: 'done', proof: 'complete', claims: 300, exported: 300, members: 30 });
    for (const step of ['sandboxMs', 'keyMs', 'registerMs', 'syncMs', 'offlineSearchMs', 'exportMs'])
      expect(last?.[step]).toBeTypeOf('number');
    expect(await readdir(temp)).toEqual([]);
  });

  test('leaves nothing after an interrupt either', async () => {
    const temp = join(folder.path, 'temp-2');
    await mkdir(temp);
    const { child, result } = startCli(['demo', '--claims', '2000'], { env: { TMPDIR: temp } });
    await waitForOutput(child, /registerMs/);
    expect(await readdir(temp)).toHaveLength(1);
    child.kill('SIGINT');
    expect((await result).code).toBe(1);
    expect(await readdir(temp)).toEqual([]);
  });

  test('--keep keeps the profile and the CSV', async () => {
    const kept = join(folder.path, 'kept');
    const shown = await runCli(['demo', '--claims', '50', '--keep', kept, '--json']);
    expect(readLines(shown)).toMatchObject([{ kept }]);
    expect((await readdir(kept)).sort()).toEqual(['claims.csv', 'profile']);
  });
});

describe('sandbox', () => {
  test('prints its address in the first line, serves, and ends with SIGTERM', async () => {
    const { child, result } = startCli(['sandbox', '--members', '5', '--claims', '20', '--seed', '9']);
    await waitForOutput(child, /\n/);
    child.kill('SIGTERM');
    const ended = await result;
    expect(ended.code).toBe(0);
    const [line] = readLines(ended);
    expect(line).toMatchObject({ event: 'listening', account: { email: 'admin@sandbox.example' } });
    expect(Object.keys(line ?? {}).sort()).toEqual([
      'account',
      'baseUrl',
      'connect',
      'controlToken',
      'controlUrl',
      'event',
    ]);
    await expect(fetch(String(line?.baseUrl))).rejects.toThrow();
  });

  test('ends when its parent has ended', async () => {
    const script = `"$0" "$1" sandbox --members 5 --claims 20 & wait`;
    const entry = join(import.meta.dirname, '../../../src/main/shells/cli/claimdesk.mjs');
    const shell = spawn('sh', ['-c', script, process.execPath, entry], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    shell.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    while (!text.includes('\n')) await once(shell.stdout, 'data');
    const { baseUrl } = JSON.parse(text.split('\n')[0] ?? '') as { baseUrl: string };
    expect((await fetch(`${baseUrl}/settings/ssh`)).status).toBe(200);
    shell.kill('SIGKILL');
    const deadline = performance.now() + 15_000;
    const isUp = (): Promise<boolean> =>
      fetch(`${baseUrl}/settings/ssh`).then(
        () => true,
        () => false,
      );
    while ((await isUp()) && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await isUp()).toBe(false);
  });
});
