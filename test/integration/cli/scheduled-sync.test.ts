import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { makeTempFolder } from '../../support/temp-folder.ts';

// The test uses what docs/scheduled-sync.md gives to the user, unchanged.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(join(root, 'docs/scheduled-sync.md'), 'utf8');
const [service = '', timer = ''] = [...page.matchAll(/^```ini\n([\s\S]*?)^```/gm)].map(
  ([, text = '']) => text,
);

// systemd is not on every computer that runs the tests.
if (spawnSync('systemd-analyze', ['--version']).status === 0)
  it('its units are valid for systemd', () => {
    const folder = makeTempFolder();
    const program = service.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`);
    writeFileSync(join(folder, 'claimdesk-sync.service'), program);
    writeFileSync(join(folder, 'claimdesk-sync.timer'), timer);
    const names = ['service', 'timer'].map((kind) => join(folder, `claimdesk-sync.${kind}`));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...names], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

it('it runs a command that needs no terminal and no environment, and ends with a code', () => {
  const [, words = ''] = /^ExecStart=\S+ (.+)$/m.exec(service) ?? [];
  const command = join(root, 'src/main/shells/cli/claimdesk.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words.split(' ')], {
    encoding: 'utf8',
    env: { HOME: makeTempFolder() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^workspace\.missing: /);
});
