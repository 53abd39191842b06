import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What group and others may do. */
const foreignBits = 0o077;

/**
 * Files that this process makes are its user's alone, whatever the umask was; for entries of processes, because it
 * holds for the whole process.
 */
export function keepFilesPrivate(): void {
  process.umask(foreignBits);
}

/**
 * Takes from every other user what they may do with a profile: the folder, and all in it, whatever a copy or a
 * restore left. Windows has no such bits: there the folder's place among the user's own decides. What
 * cannot be changed stays as it is, because the outermost folder already keeps others out.
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
