import { lstat, readdir, realpath, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The temporary file of an export, by its name. */
const leftover = /^\..+\.(csv|xlsx)(\.sig)?\.[0-9a-f]{16}\.tmp$/;
/** An export that runs, here or in another Claimdesk, has written more recently. */
const abandonedAfterMs = 3_600_000;

/**
 * Removes from the folder of `path` the temporary files of exports whose process was killed: they hold records and are not
 * encrypted. Only those of this account that nothing was written to for an hour. Never fails: the export goes first.
 */
export async function removeLeftovers(path: string, nowMs: number): Promise<void> {
  const folder = dirname(await realpath(path).catch(() => path));
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => leftover.test(one))) {
    const file = join(folder, name);
    const facts = await lstat(file).catch(() => null);
    if (facts === null || !facts.isFile() || nowMs - facts.mtimeMs < abandonedAfterMs) continue;
    const isOwn = process.getuid === undefined || facts.uid === process.getuid();
    if (isOwn) await unlink(file).catch(() => undefined);
  }
}
