import { spawnSync } from 'node:child_process';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { codeOf, runCommand } from '../../support/cli-run.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';

const folder = givenTempProfile();
const entry = fileURLToPath(new URL('../../../src/main/shells/cli/claimdesk.mjs', import.meta.url));

test('folders are 0700 and files 0600 under the widest umask', async () => {
  const kept = join(folder(), 'kept');
  const script = `umask 000; exec "$0" "$1" demo --claims 40 --keep "$2"`;
  const run = spawnSync('sh', ['-c', script, process.execPath, entry, kept], { encoding: 'utf8' });
  expect([run.status, run.stderr.split('\n').at(-2)]).toEqual([0, expect.any(String)]);
  const wide: string[] = [];
  let files = 0;
  for (const name of await readdir(kept, { recursive: true })) {
    const facts = await stat(join(kept, name));
    files += facts.isFile() ? 1 : 0;
    const wanted = facts.isDirectory() ? 0o700 : 0o600;
    if ((facts.mode & 0o777) !== wanted) wide.push(`${name} ${(facts.mode & 0o777).toString(8)}`);
  }
  expect(wide).toEqual([]);
  expect(files).toBeGreaterThan(8);
});

test('a crash dump contains no memory of the process or its children', () => {
  const modulePath = fileURLToPath(new URL('../../../src/main/lib/narrow-profile.ts', import.meta.url));
  const program = `
    const { keepFilesPrivate } = await import(${JSON.stringify(modulePath)});
    keepFilesPrivate();
    const { execFileSync } = await import('node:child_process');
    process.stdout.write(execFileSync('cat', ['/proc/self/coredump_filter']));
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('00000000\n');
});

test('a profile that another computer left open is not written until it is taken over', async () => {
  const profile = join(folder(), 'profile');
  const held = { pid: 1, startMark: null, isReleased: false, host: { id: 'another', name: 'front-desk' } };
  await mkdir(join(profile, 'lease'), { recursive: true });
  await writeFile(join(profile, 'lease', '1'), JSON.stringify(held));
  const add = ['workspace', 'add', '--base-url', 'http://127.0.0.1:9', '--email', 'a@example.com'];
  const refused = await runCommand(add, { profile });
  expect([refused.code, codeOf(refused)]).toEqual([1, 'profile.heldElsewhere']);
  expect(refused.stderr).toContain('front-desk');
  expect((await runCommand(['data', 'take-over'], { profile })).code).toBe(0);
  expect((await runCommand(add, { profile })).code).toBe(0);
});
