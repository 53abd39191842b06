import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdir, open, readdir, readFile, realpath, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { writeFileIfAbsent } from './atomic-file.ts';
import { DeskError, toDeskError } from './errors.ts';
import { narrowProfile } from './narrow-profile.ts';
import { profilePaths } from './paths.ts';
import {
  isOtherBoot,
  isProcessAlive,
  type ProcessIdentity,
  readProcessIdentity,
} from './process-identity.ts';
import { makeProfileFolder } from './profile-folder.ts';

/** The right to write to a profile. One process has it at a time. */
export interface WriteLock {
  release(): Promise<void>;
}

/** How often the holder of a profile renews the time of its entry, and how old that is at most while it runs. */
const renewMs = 15_000;
const renewedWithinMs = 60_000;

/** How long an unreadable entry is taken for one that another process is still writing. */
const writingMs = 5000;

const entrySchema = z.object({
  pid: z.number().int().positive(),
  startMark: z.string().nullable(),
  isReleased: z.boolean(),
  /** Absent in entries of older versions, which are taken for entries of this computer. */
  host: z.object({ id: z.string(), name: z.string() }).optional(),
});

interface TakeOptions {
  /** Whether a write lock of another computer counts; whether a process runs there cannot be found out. */
  readonly respectsHosts?: boolean;
}

/**
 * Takes the write lock of a profile, and removes other users' access to the profile. The write lock is released
 * when the process exits; the write lock of a killed process is taken over by the next process of the same
 * computer, a minute later where that can't be told from another computer with the same ID (a clone of a
 * virtual desktop). `takesOver`: also takes over another computer's write lock, after the user confirmed that
 * Claimdesk isn't running there.
 *
 * @throws DeskError `profile.busy` while another holder lives, in this process as well as in others;
 *   `profile.heldElsewhere`, `profile.notFolder`, `profile.unwritable`, `disk.readOnly`, `disk.full`
 */
export async function acquireWriteLock(
  profileDir: string,
  { takesOver = false }: { takesOver?: boolean } = {},
): Promise<WriteLock> {
  const options = { respectsHosts: !takesOver };
  await makeProfileFolder(profileDir);
  keepSpareSpace(profileDir);
  const writeLock = await tryAcquire(profilePaths(profileDir).writeLockDir, options).catch(
    (error: unknown) => {
      throw toDeskError(error);
    },
  );
  if (writeLock === null) throw new DeskError('profile.busy');
  writeLock.keepRenewed();
  await narrowProfile(await realpath(profileDir));
  return writeLock;
}

/**
 * Takes a write lock for a short critical section, waiting while another process holds it.
 * @throws DeskError `profile.busy` after `waitMs`
 */
export async function acquireWriteLockWithin(writeLockDir: string, waitMs: number): Promise<WriteLock> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const writeLock = await tryAcquire(writeLockDir);
    if (writeLock !== null) return writeLock;
    if (performance.now() > deadline) throw new DeskError('profile.busy');
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 30));
  }
}

/**
 * The folder holds files named 1, 2, 3 …, each created once and exclusively; the file with the highest number says who
 * holds the write lock. A process that wants the write lock creates the next number after a file whose holder has released it or
 * ended, then lists the folder again, and has the write lock only if its own number is the highest. The highest file is
 * never deleted, so of two processes that take over the same write lock only one succeeds, and neither can delete a write lock
 * that was taken in between.
 */
async function tryAcquire(writeLockDir: string, options: TakeOptions = {}): Promise<RenewableLock | null> {
  await mkdir(writeLockDir, { recursive: true, mode: 0o700 });
  const highest = Math.max(0, ...(await listGenerations(writeLockDir)));
  const self = { ...(await readProcessIdentity(process.pid)), host: await readHostIdentity() };
  if (highest > 0 && (await isHeld(join(writeLockDir, String(highest)), self, options))) return null;

  const generation = highest + 1;
  const path = join(writeLockDir, String(generation));
  if (!(await writeFileIfAbsent(path, JSON.stringify({ ...self, isReleased: false })))) return null;

  const generations = await listGenerations(writeLockDir);
  if (Math.max(...generations) !== generation) {
    await unlink(path).catch(() => undefined);
    return null;
  }
  for (const old of generations) {
    if (old < generation) await unlink(join(writeLockDir, String(old))).catch(() => undefined);
  }
  return createLock(writeLockDir, path, JSON.stringify({ ...self, isReleased: true }));
}

interface RenewableLock extends WriteLock {
  /** Renews the time of the entry until the release, for computers that cannot see whether this process runs. */
  keepRenewed(): void;
}

function createLock(writeLockDir: string, path: string, releasedEntry: string): RenewableLock {
  let isReleased = false;
  let renewing: NodeJS.Timeout | undefined;
  const releaseNow = () => {
    if (isReleased) return;
    isReleased = true;
    process.off('exit', releaseNow);
    clearInterval(renewing);
    // Synchronous, because an 'exit' handler cannot wait. Written by renaming, so that no reader sees a part of the
    // entry.
    const tempPath = join(writeLockDir, `.release.${process.pid}.tmp`);
    try {
      writeFileSync(tempPath, releasedEntry, { mode: 0o600 });
      renameSync(tempPath, path);
    } catch {
      overwriteEntry(path, tempPath, releasedEntry);
    }
  };
  process.on('exit', releaseNow);
  return {
    release: async () => releaseNow(),
    keepRenewed() {
      const renew = () => writeFirstByte(path).catch(() => undefined);
      renewing = setInterval(renew, renewMs).unref();
    },
  };
}

/** Lets the file system set the time of the entry: the clocks of the computers that share it differ. */
async function writeFirstByte(path: string): Promise<void> {
  const file = await open(path, 'r+');
  // Every entry is JSON of an object.
  await file.write('{', 0).finally(() => file.close());
}

/** The time by the clock of the file system, or of this computer where nothing can be written. */
async function readFileClock(folder: string): Promise<number> {
  const path = join(folder, `.now.${process.pid}.tmp`);
  try {
    await writeFile(path, '', { mode: 0o600 });
    return (await stat(path)).mtimeMs;
  } catch {
    return Date.now();
  } finally {
    await unlink(path).catch(() => undefined);
  }
}

/** Overwrites the entry in place with one that is a character shorter: that works on a full disk. */
function overwriteEntry(path: string, tempPath: string, releasedEntry: string): void {
  try {
    unlinkSync(tempPath);
  } catch {
    // The temporary file could not even be created.
  }
  try {
    const file = openSync(path, 'r+');
    writeSync(file, `${releasedEntry} `);
    closeSync(file);
  } catch {
    // The folder was removed or is read-only: the pid of an ended process shows that the write lock is free.
  }
}

async function listGenerations(writeLockDir: string): Promise<number[]> {
  const names = await readdir(writeLockDir);
  return names.filter((name) => /^[1-9][0-9]{0,14}$/.test(name)).map(Number);
}

/** @throws DeskError `profile.heldElsewhere` */
async function isHeld(path: string, self: Self, options: TakeOptions): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return true;
  const parsed = entrySchema.safeParse(parseJson(text));
  // Unreadable: cut off by a power failure, or (only where the file system has no hard links) still being written.
  if (!parsed.success) return isYoung(path, writingMs);
  const { isReleased, host = self.host } = parsed.data;
  if (isReleased) return false;
  // Clones of one virtual desktop have the same ID, and none of them sees the processes of another. After a
  // restart of this computer the entry is no longer renewed.
  const isElsewhere =
    host.id !== self.host.id || (isOtherBoot(parsed.data, self) && (await isYoung(path, renewedWithinMs)));
  if (isElsewhere && options.respectsHosts !== undefined) {
    if (options.respectsHosts) throw new DeskError('profile.heldElsewhere', { details: { host: host.name } });
    return false;
  }
  return isProcessAlive(parsed.data);
}

async function isYoung(path: string, withinMs: number): Promise<boolean> {
  const facts = await stat(path).catch(() => null);
  return facts === null || Math.abs((await readFileClock(dirname(path))) - facts.mtimeMs) < withinMs;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Self extends ProcessIdentity {
  readonly host: HostIdentity;
}

/** Which computer this is: `id` distinguishes computers and reveals nothing else, `name` is for people. */
type HostIdentity = Awaited<ReturnType<typeof readHostIdentity>>;

/**
 * Identifies the computer of this process. Linux: by a hash of its machine ID, as machine-id(5) asks. Elsewhere, and
 * where there is no machine ID, by its name: a renamed computer then counts as another one.
 */
async function readHostIdentity() {
  const name = hostname();
  const machineId = await readFile('/etc/machine-id', 'utf8').catch(() => '');
  const id = createHash('sha256')
    .update(`claimdesk ${machineId.trim() || name}`)
    .digest('hex')
    .slice(0, 32);
  return { id, name };
}

/** Enough for the write lock, the logs of SQLite and hundreds of audit entries. */
const spareBytes = 1_048_576;
/** The file is made only where the disk has this much left. */
const plentyBytes = 16 * spareBytes;

/**
 * Keeps a file of random bytes in a profile, and deletes it where less than its size is left on the disk: the
 * freed space lets you open a profile, read it, export to another disk, and remove a workspace. Never throws.
 */
function keepSpareSpace(profileDir: string): void {
  const { spare } = profilePaths(profileDir);
  try {
    const { bavail, bsize } = statfsSync(dirname(spare));
    if (bavail * bsize < spareBytes) rmSync(spare, { force: true });
    else if (bavail * bsize > plentyBytes && !existsSync(spare))
      writeFileSync(spare, randomBytes(spareBytes), { mode: 0o600, flag: 'wx' });
  } catch {
    // A read-only disk, or a folder that is not there yet.
  }
}
