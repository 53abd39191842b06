import { writeFileSync } from 'node:fs';
import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The permission bits of group and others. */
const foreignBits = 0o077;

/**
 * Sets the umask so that only this user can access new files, and on Linux keeps memory out of the dumps that the system
 * writes of a crash. Called at the start of a process, because both apply to the whole process and to its children.
 */
export function keepFilesPrivate(): void {
  process.umask(foreignBits);
  try {
    // core(5): none of the kinds of mappings. Without O_CREAT, because other systems have no such file.
    writeFileSync('/proc/self/coredump_filter', '0', { flag: 'r+' });
  } catch {
    // Not Linux, or a kernel without dumps.
  }
}

/**
 * Removes every other user's access to a profile: the folder and all files in it, whatever permissions a copy or a
 * restore left. Windows has no such bits: there the location of the folder decides. Permissions that cannot be changed
 * are left, because the outermost folder already denies access.
 */
export async function narrowProfile(
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (platform === 'win32') return;
  const facts = await lstat(path).catch(() => null);
  if (facts === null || facts.isSymbolicLink()) return;
  if ((facts.mode & foreignBits) !== 0) await chmod(path, facts.mode & 0o700).catch(() => undefined);
  if (!facts.isDirectory()) return;
  for (const name of await readdir(path).catch(() => [])) await narrowProfile(join(path, name), platform);
}
