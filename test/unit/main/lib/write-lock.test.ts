import { spawn } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isProcessAlive, readProcessIdentity } from '../../../../src/main/lib/process-identity.ts';
import { acquireWriteLock, acquireWriteLockWithin } from '../../../../src/main/lib/write-lock.ts';
import { mountSmallDisk } from '../../../support/small-disk.ts';

let profileDir: string;
beforeEach(async () => {
  profileDir = await mkdtemp(join(tmpdir(), 'claimdesk-lease-'));
});
afterEach(() => rm(profileDir, { recursive: true, force: true }));

const modulePath = fileURLToPath(new URL('../../../../src/main/lib/write-lock.ts', import.meta.url));
const busy = { code: 'profile.busy' };

/** A child that takes the write lock, says how that went, and then does what `after` says. */
function startHolder(after: string) {
  const program = `
    const { acquireWriteLock } = await import(${JSON.stringify(modulePath)});
    const outcome = await acquireWriteLock(${JSON.stringify(profileDir)}).then(() => 'held', (error) => error.code);
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

test('one holder has it at a time, even in one process', async () => {
  const writeLock = await acquireWriteLock(profileDir);
  await expect(acquireWriteLock(profileDir)).rejects.toMatchObject(busy);
  await writeLock.release();
  await writeLock.release();
  const next = await acquireWriteLock(profileDir);
  await expect(acquireWriteLock(profileDir)).rejects.toMatchObject(busy);
  await next.release();
});

test('of many simultaneous takers exactly one gets it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => acquireWriteLock(profileDir)));
    const held = results.filter((result) => result.status === 'fulfilled');
    expect(held).toHaveLength(1);
    await held[0]?.value.release();
  }
});

test('another live process keeps it until it exits', async () => {
  const holder = startHolder('process.stdin.resume();');
  expect(await holder.outcome).toBe('held');
  await expect(acquireWriteLock(profileDir)).rejects.toMatchObject(busy);
  holder.child.stdin.end();
  await holder.exited;
  await (await acquireWriteLock(profileDir)).release();
});

test('a killed process loses it', async () => {
  const holder = startHolder('setInterval(() => undefined, 1000);');
  expect(await holder.outcome).toBe('held');
  holder.child.kill('SIGKILL');
  await holder.exited;
  const writeLock = await acquireWriteLock(profileDir);
  expect(await startHolder('').outcome).toBe('profile.busy');
  await writeLock.release();
});

test('of several processes that find a dead holder exactly one takes over', async () => {
  await writeEntry({ pid: 2 ** 22 + 1, startMark: null, isReleased: false });
  const holders = Array.from({ length: 4 }, () => startHolder('process.stdin.resume();'));
  const outcomes = await Promise.all(holders.map((holder) => holder.outcome));
  expect(outcomes.sort()).toEqual(['held', 'profile.busy', 'profile.busy', 'profile.busy']);
  for (const holder of holders) holder.child.stdin.end();
  await Promise.all(holders.map((holder) => holder.exited));
});

test('a reused pid does not hold it', async () => {
  const self = await readProcessIdentity(process.pid);
  await writeEntry({
    ...self,
    startMark: self.startMark?.replace(/\d+$/, '1') ?? 'earlier',
    isReleased: false,
  });
  await (await acquireWriteLock(profileDir)).release();
});

const minuteAgo = new Date(Date.now() - 60_001);

describe('an entry of another start of a system with the same ID', () => {
  const writeCloned = async (): Promise<void> => {
    const writeLock = await acquireWriteLock(profileDir);
    await writeLock.release();
    const { host } = JSON.parse(await readFile(join(profileDir, 'lease', '1'), 'utf8'));
    await writeEntry({ pid: process.pid, startMark: 'another boot/1', isReleased: false, host });
  };

  test('is that of a clone while it is renewed, until a user takes it over', async () => {
    await writeCloned();
    await expect(acquireWriteLock(profileDir)).rejects.toMatchObject({
      code: 'profile.heldElsewhere',
      details: { host: hostname() },
    });
    await (await acquireWriteLock(profileDir, { takesOver: true })).release();
  });

  test('is that of a clone whose clock differs by minutes', async () => {
    await writeCloned();
    for (const byMs of [-600_000, 600_000]) {
      vi.spyOn(Date, 'now').mockReturnValue(Date.now() + byMs);
      await expect(acquireWriteLock(profileDir)).rejects.toMatchObject({ code: 'profile.heldElsewhere' });
      vi.restoreAllMocks();
    }
    expect(await readdir(join(profileDir, 'lease'))).toEqual(['1', '7']);
  });

  test('is from before a restart of this computer once it is no longer renewed', async () => {
    await writeCloned();
    await utimes(join(profileDir, 'lease', '7'), minuteAgo, minuteAgo);
    await (await acquireWriteLock(profileDir)).release();
  });

  test('the holder renews it until it releases it', async () => {
    // Its clock is wrong: the time is that of the file system.
    vi.useFakeTimers({
      toFake: ['setInterval', 'clearInterval', 'Date'],
      now: minuteAgo.getTime() - 600_000,
    });
    onTestFinished(() => void vi.useRealTimers());
    const path = join(profileDir, 'lease', '1');
    const writeLock = await acquireWriteLock(profileDir);
    const entry = await readFile(path, 'utf8');
    await utimes(path, minuteAgo, minuteAgo);
    vi.advanceTimersByTime(15_000);
    await vi.waitFor(async () => expect((await stat(path)).mtimeMs).toBeGreaterThan(minuteAgo.getTime()));
    expect(await readFile(path, 'utf8')).toBe(entry);
    await writeLock.release();
    expect(vi.getTimerCount()).toBe(0);
  });
});

const elsewhere = { pid: 1, startMark: null, isReleased: false, host: { id: 'another', name: 'front-desk' } };

test('another computer keeps it, whatever runs under its pid here, until a user takes it over', async () => {
  for (const pid of [process.pid, 2 ** 22 + 1]) {
    await writeEntry({ ...elsewhere, pid });
    await expect(acquireWriteLock(profileDir)).rejects.toMatchObject({
      code: 'profile.heldElsewhere',
      details: { host: 'front-desk' },
    });
  }
  const writeLock = await acquireWriteLock(profileDir, { takesOver: true });
  await expect(acquireWriteLock(profileDir)).rejects.toMatchObject(busy);
  // A write lock that lives on this computer is not taken over.
  await expect(acquireWriteLock(profileDir, { takesOver: true })).rejects.toMatchObject(busy);
  await writeLock.release();
  await (await acquireWriteLock(profileDir)).release();
});

test('what another computer released is free, and an entry of this one has it', async () => {
  await writeEntry({ ...elsewhere, isReleased: true });
  const writeLock = await acquireWriteLock(profileDir);
  const entry = JSON.parse(await readFile(join(profileDir, 'lease', '8'), 'utf8'));
  expect(entry.host).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), name: hostname() });
  await writeLock.release();
});

test('on a full disk it is released too', async () => {
  const disk = mountSmallDisk(1);
  onTestFinished(disk.remove);
  const folder = join(disk.path, 'profile');
  const writeLock = await acquireWriteLock(folder);
  const freeSpace = disk.fill();
  await writeLock.release();
  freeSpace();
  await (await acquireWriteLock(folder)).release();
});

test('whoever takes it removes others’ access to the profile', async () => {
  const modes = async () =>
    Promise.all(
      ['.', 'logs', 'logs/a.log', 'run', 'outside'].map(
        async (name) => (await stat(join(profileDir, name))).mode & 0o777,
      ),
    );
  const outside = await mkdtemp(join(tmpdir(), 'claimdesk-lease-'));
  onTestFinished(() => rm(outside, { recursive: true }));
  await mkdir(join(profileDir, 'logs'));
  await writeFile(join(profileDir, 'logs', 'a.log'), '');
  await writeFile(join(profileDir, 'run'), '');
  await symlink(outside, join(profileDir, 'outside'));
  for (const [name, mode] of [
    ['.', 0o755],
    ['logs', 0o777],
    ['logs/a.log', 0o664],
    ['run', 0o755],
    ['outside', 0o755],
  ] as const)
    await chmod(join(profileDir, name), mode);
  await (await acquireWriteLock(profileDir)).release();
  expect(await modes()).toEqual([0o700, 0o700, 0o600, 0o700, 0o755]);
});

test('what a power failure left half-written is taken over, but not while it may still be being written', async () => {
  await writeEntry('{"pid": 12');
  await expect(acquireWriteLock(profileDir)).rejects.toMatchObject(busy);
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(join(profileDir, 'lease', '7'), longAgo, longAgo);
  await (await acquireWriteLock(profileDir)).release();
});

test('leaves one small file, however often it was taken', async () => {
  for (let round = 0; round < 5; round += 1) await (await acquireWriteLock(profileDir)).release();
  const names = await readdir(join(profileDir, 'lease'));
  expect(names).toEqual(['5']);
  expect(JSON.parse(await readFile(join(profileDir, 'lease', '5'), 'utf8'))).toMatchObject({
    isReleased: true,
  });
});

test('a folder that can’t be created has a code', async () => {
  await writeFile(join(profileDir, 'lease'), 'a file in the way');
  await expect(acquireWriteLock(profileDir)).rejects.toMatchObject({ name: 'DeskError' });
});

test('waiting for it ends when it is free, or with busy', async () => {
  const folder = join(profileDir, 'section');
  const writeLock = await acquireWriteLockWithin(folder, 0);
  await expect(acquireWriteLockWithin(folder, 60)).rejects.toMatchObject(busy);
  setTimeout(() => void writeLock.release(), 60);
  await (await acquireWriteLockWithin(folder, 5000)).release();
});

test('a process is identified by its start, not only by its pid', async () => {
  const self = await readProcessIdentity(process.pid);
  expect(await isProcessAlive(self)).toBe(true);
  if (process.platform === 'linux') expect(self.startMark).toMatch(/^[0-9a-f-]{36}\/\d+$/);
  expect(await isProcessAlive({ pid: process.pid, startMark: 'other' })).toBe(self.startMark === null);
  expect(await isProcessAlive({ pid: 2 ** 22 + 1, startMark: null })).toBe(false);
});
