import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { profilePaths } from './paths.ts';

/** Enough for the write lock, the logs of SQLite and hundreds of audit entries. */
const spareBytes = 1_048_576;
/** The file is made only where the disk has this much left. */
const plentyBytes = 16 * spareBytes;

/**
 * Keeps a file of random bytes in a profile, and deletes it where less than its size is left on the disk: the
 * freed space lets you open a profile, read it, export to another disk, and remove a workspace. Never throws.
 */
export function keepSpareSpace(profileDir: string): void {
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
