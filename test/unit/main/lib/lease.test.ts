import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireLease, acquireLeaseWithin } from '../../../../src/main/lib/lease.ts';
import { isProcessAlive, readProcessIdentity } from '../../../../src/main/lib/process-identity.ts';

let profileDir: string;
beforeEach(async () => {
  profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-lease-'));
});
afterEach(() => rm(profileDir, { recursive: true, force: true }));

const modulePath = fileURLToPath(new URL('../../../../src/main/lib/lease.ts', import.meta.url));
const busy = { code: 'profile.busy' };

/** A child that takes the lease, says how that went, and then does what `after` says. */
function startHolder(after: string) {
  const program = `
    const { acquireLease } = await import(${JSON.stringify(modulePath)});
    const outcome = await acquireLease(${JSON.stringify(profileDir)}).then(() => 'held', (error) => error.code);
    process.stdout.write(outcome);
    ${after}
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const outcome = new Promise<string>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(String(data))),
  );
  return { child, outcome, exited };
}

async function writeEntry(entry: unknown): Promise<void> {
  await mkdir(join(profileDir, 'lease'), { recursive: true });
  await writeFile(join(profileDir, 'lease', '7'), typeof entry === 'string' ? entry : JSON.stringify(entry));
}

test('is had by one at a time, in one process too', async () => {
  const lease = await acquireLease(profileDir);
  await expect(acquireLease(profileDir)).rejects.toMatchObject(busy);
  await lease.release();
  await lease.release();
  const next = await acquireLease(profileDir);
  await expect(acquireLease(profileDir)).rejects.toMatchObject(busy);
  await next.release();
});

test('of many takers at once exactly one gets it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLease(profileDir)));
    const held = results.filter((result) => result.status === 'fulfilled');
    expect(held).toHaveLength(1);
    await held[0]?.value.release();
  }
});

test('another live process keeps it until it exits', async () => {
  const holder = startHolder('process.stdin.resume();');
  expect(await holder.outcome).toBe('held');
  await expect(acquireLease(profileDir)).rejects.toMatchObject(busy);
  holder.child.stdin.end();
  await holder.exited;
  await (await acquireLease(profileDir)).release();
});

test('a killed process loses it', async () => {
  const holder = startHolder('setInterval(() => undefined, 1000);');
  expect(await holder.outcome).toBe('held');
  holder.child.kill('SIGKILL');
  await holder.exited;
  const lease = await acquireLease(profileDir);
  expect(await startHolder('').outcome).toBe('profile.busy');
  await lease.release();
});

test('of several processes that find a dead holder exactly one takes over', async () => {
  await writeEntry({ pid: 2 ** 22 + 1, startMark: null, isReleased: false });
  const holders = Array.from({ length: 4 }, () => startHolder('process.stdin.resume();'));
  const outcomes = await Promise.all(holders.map((holder) => holder.outcome));
  expect(outcomes.sort()).toEqual(['held', 'profile.busy', 'profile.busy', 'profile.busy']);
  for (const holder of holders) holder.child.stdin.end();
  await Promise.all(holders.map((holder) => holder.exited));
});

test('a pid that was given out again does not hold it', async () => {
  await writeEntry({ pid: process.pid, startMark: 'another boot/1', isReleased: false });
  await (await acquireLease(profileDir)).release();
});

test('what a power cut left half written is taken over, but not while it may be being written', async () => {
  await writeEntry('{"pid": 12');
  await expect(acquireLease(profileDir)).rejects.toMatchObject(busy);
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(join(profileDir, 'lease', '7'), longAgo, longAgo);
  await (await acquireLease(profileDir)).release();
});

test('leaves one small file, however often it was taken', async () => {
  for (let round = 0; round < 5; round += 1) await (await acquireLease(profileDir)).release();
  const names = await readdir(join(profileDir, 'lease'));
  expect(names).toEqual(['5']);
  expect(JSON.parse(await readFile(join(profileDir, 'lease', '5'), 'utf8'))).toMatchObject({
    isReleased: true,
  });
});

test('a folder that cannot be made has a code', async () => {
  await writeFile(join(profileDir, 'lease'), 'a file in the way');
  await expect(acquireLease(profileDir)).rejects.toMatchObject({ name: 'DeskError' });
});

test('waiting for it ends when it is free, or with busy', async () => {
  const folder = join(profileDir, 'section');
  const lease = await acquireLeaseWithin(folder, 0);
  await expect(acquireLeaseWithin(folder, 60)).rejects.toMatchObject(busy);
  setTimeout(() => void lease.release(), 60);
  await (await acquireLeaseWithin(folder, 5000)).release();
});

test('a process is known by its start, not by its pid alone', async () => {
  const self = await readProcessIdentity(process.pid);
  expect(await isProcessAlive(self)).toBe(true);
  if (process.platform === 'linux') expect(self.startMark).toMatch(/^[0-9a-f-]{36}\/\d+$/);
  expect(await isProcessAlive({ pid: process.pid, startMark: 'other' })).toBe(self.startMark === null);
  expect(await isProcessAlive({ pid: 2 ** 22 + 1, startMark: null })).toBe(false);
});
