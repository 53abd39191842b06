import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLines, runCli } from '../../support/cli-run.ts';
import { canMountSmallDisk, mountSmallDisk } from '../../support/small-disk.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';

const folder = givenTempProfile();
const add = ['workspace', 'add', '--base-url', 'https://claims.example.com', '--email', 'you@example.com'];

test('without a home folder, the profile must be given', async () => {
  const env = { HOME: '', XDG_CONFIG_HOME: '', CLAIMDESK_PROFILE: '' };
  for (const command of [add, ['workspace', 'list']]) {
    const shown = await runCli(command, { env });
    expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining('profile.noHome')]);
    expect(shown.stderr).toContain('--profile DIR');
  }
  const named = await runCli(['workspace', 'list'], {
    env: { ...env, CLAIMDESK_PROFILE: join(folder(), 'named') },
  });
  expect([named.code, named.stderr]).toEqual([0, '']);
});

test('a file in place of the profile folder, or above it, is reported with its path', async () => {
  const file = join(folder(), 'a-file');
  await writeFile(file, 'x');
  for (const profile of [file, join(file, 'below')])
    for (const command of [add, ['workspace', 'list']]) {
      const shown = await runCli([...command, '--profile', profile]);
      expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining('profile.notFolder')]);
      expect(shown.stderr).toContain(`path ${file}`);
    }
});

if (canMountSmallDisk()) {
  test('on a read-only disk, the folder that can’t be created is reported, though Node answers ENOENT', async () => {
    const disk = mountSmallDisk(8);
    try {
      disk.setReadOnly(true);
      const profile = join(disk.path, 'deep', 'profile');
      const shown = await runCli([...add, '--profile', profile]);
      expect([shown.code, shown.stderr]).toEqual([1, expect.stringContaining('disk.readOnly')]);
      expect(shown.stderr).toContain(`path ${profile}`);
    } finally {
      disk.remove();
    }
  });
}

test('a command that only reads removes other users’ access to the profile', async () => {
  const profile = join(folder(), 'wide');
  expect((await runCli([...add, '--profile', profile])).code).toBe(0);
  await chmod(profile, 0o755);
  await chmod(join(profile, 'workspaces.json'), 0o644);
  expect((await runCli(['workspace', 'list', '--profile', profile])).code).toBe(0);
  for (const path of [profile, join(profile, 'workspaces.json')])
    expect((await stat(path)).mode & 0o077).toBe(0);
});

test('the status of a team without a team says so', async () => {
  const profile = join(folder(), 'teamless');
  await runCli([...add, '--profile', profile]);
  const shown = await runCli(['team', 'status', '--profile', profile]);
  expect(readLines(shown)).toEqual([{ state: 'noTeam' }]);
  expect(shown.stderr).toContain('This workspace has no team.');
});

test('a removal without --yes is a dry run', async () => {
  const profile = join(folder(), 'dry');
  await runCli([...add, '--profile', profile]);
  for (const [what, ...options] of [
    ['everything', '--everything'],
    ['workspace', '--workspace', 'claims.example.com'],
  ]) {
    const shown = await runCli(['data', 'remove', ...options, '--profile', profile]);
    expect([shown.code, readLines(shown)]).toEqual([0, [{ event: 'planned', what }]]);
    expect(shown.stderr).toContain('Nothing was removed.');
  }
  expect(readLines(await runCli(['workspace', 'list', '--profile', profile]))).toHaveLength(1);
});

test.each([
  [['statement', '--out', 's.pdf', '--reason', 'Audit'], '--all takes every claim'],
  [['statement', '', '--out', 's.pdf', '--reason', 'Audit'], 'the IDs of claims'],
  [['statement', '7', '--out', 's.xlsx', '--reason', 'Audit'], '--out ends with .xlsx'],
  [['statement', '7', '--out', 's.pdf', '--reason', 't'], '--reason is too short'],
  [['export', 'claims', '--out', 'x.xlsx', '--format', 'csv', '--reason', 'Close'], '--out ends with .xlsx'],
  [['export', 'claims', '--out', 'x.CSV', '--format', 'xlsx', '--reason', 'Close'], '--out ends with .csv'],
  [['export', 'claims', '--out', 'x.pdf', '--reason', 'Close'], '--out ends with .pdf'],
  [
    ['export', 'claims', '--out', 'x.xlsx', '--delimiter', ';', '--reason', 'Close'],
    '--delimiter works only',
  ],
  [['export', 'claims', '--out', 'x.csv', '--reason', 't'], '--reason is too short'],
  [['list', 'claims', '--reason', '..'], '--reason is too short'],
])('%j is refused before anything is opened', async (command, message) => {
  const profile = join(folder(), 'never-made');
  const shown = await runCli([...command, '--profile', profile]);
  expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(await readdir(folder())).not.toContain('never-made');
});

test('a demo that is kept can be opened again, and its records listed and exported as a workbook', async () => {
  const kept = join(folder(), 'kept');
  const shown = await runCli(['demo', '--claims', '40', '--keep', kept], {
    env: { CLAIMDESK_VAULT_PASSPHRASE: '' },
  });
  expect(shown.code, shown.stderr).toBe(0);
  const { passphrase } = readLines(shown).at(-1) as { passphrase: string };
  expect(passphrase).toMatch(/^[\w-]{20}$/);
  const opened = { env: { CLAIMDESK_VAULT_PASSPHRASE: passphrase } };
  const profile = ['--profile', join(kept, 'profile')];
  const listed = await runCli(['list', 'claims', '--limit', '3', '--reason', 'Test', ...profile], opened);
  expect([listed.code, readLines(listed)]).toEqual([0, expect.objectContaining({ length: 3 })]);
  const out = join(kept, 'claims.xlsx');
  const exported = await runCli(
    ['export', 'claims', '--out', out, '--reason', 'Test', '--json', ...profile],
    opened,
  );
  expect(exported.code, exported.stderr).toBe(0);
  expect(spawnSync('unzip', ['-l', out], { encoding: 'utf8' }).stdout).toContain('xl/worksheets/sheet1.xml');
  const again = await runCli(['demo', '--claims', '40', '--keep', kept]);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('--keep')]);
});

test('npm keeps no log of the arguments, from this folder and from others', async () => {
  const root = new URL('../../..', import.meta.url).pathname;
  const cache = join(folder(), 'npm');
  await mkdir(cache);
  const where = [
    [root, []],
    [folder(), ['--prefix', root]],
  ] as const;
  for (const [cwd, prefix] of where) {
    const words = [...prefix, 'run', '-s', 'claimdesk', '--', 'key', 'nothing', 'Plantedname'];
    const run = spawnSync('npm', words, {
      cwd,
      env: { ...process.env, npm_config_cache: cache },
      encoding: 'utf8',
    });
    expect(run.stderr).toContain('usage.invalid');
    const logs = await readdir(join(cache, '_logs')).catch(() => []);
    expect(logs, cwd).toEqual([]);
  }
});

test('a worklist can be listed by its former name', async () => {
  const profile = join(folder(), 'renamed');
  await runCli([...add, '--profile', profile]);
  for (const name of ['toDecide', 'ready', 'owedBack', 'changedAfterReimbursement']) {
    const shown = await runCli(['review', 'worklist', name, '--reason', 'A test', '--profile', profile]);
    expect([shown.code, shown.stderr], name).toEqual([0, '0 of 0\n']);
  }
});
