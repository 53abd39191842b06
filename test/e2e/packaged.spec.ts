import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';

// The tests start the program that CLAIMDESK_PACKAGED names, from `npm run package -- --dir`, as a user does.
const program = process.env.CLAIMDESK_PACKAGED ?? '';

let folder = '';
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'claimdesk-packaged-'));
});
test.afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return spawn(program, [...args, '--profile', join(folder, 'profile')], {
    env: { ...process.env, ...environment },
    stdio: 'ignore',
  });
}

async function readLogs(): Promise<string> {
  const logs = join(folder, 'profile', 'logs');
  const names = await readdir(logs).catch(() => []);
  return (await Promise.all(names.map((name) => readFile(join(logs, name), 'utf8')))).join('');
}

test('it starts from its archive, and the variables of Node change nothing', async () => {
  // Node's default fuses would let each of these end the program or run something else.
  const child = start([], { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--require=/not/there.js' });
  const ended = once(child, 'exit');
  await expect.poll(readLogs, { timeout: 60_000 }).toContain('shell.started');
  child.kill();
  await ended;
});

test('it does not start for whoever wants to attach a debugger', async () => {
  const [code] = await once(start(['--remote-debugging-port=9222']), 'exit');
  expect(code).toBe(1);
  expect(await readLogs()).not.toContain('shell.started');
});
