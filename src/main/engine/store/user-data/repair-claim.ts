import { closeSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { DeskError, toDeskError } from '../../../lib/errors.ts';

/** A claim older than this was left by a killed process. */
const staleClaimMs = 120_000;

/**
 * Claims the repair by creating a file: several processes may find the damage at the same time, and one of them
 * repairs.
 * @throws DeskError `store.busy`
 */
export function claimRepair(path: string): () => void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (thrown) {
    if ((thrown as { code?: string }).code !== 'EEXIST') throw toDeskError(thrown);
    takeOverStaleClaim(path);
  }
  return () => rmSync(path, { force: true });
}

/**
 * Takes over the claim of a killed process. Several processes may try at once: the one that succeeds in renaming the
 * old claim makes the new one.
 * @throws DeskError `store.busy`
 */
function takeOverStaleClaim(path: string): void {
  const stale = statSync(path, { throwIfNoEntry: false });
  if (stale === undefined || Date.now() - stale.mtimeMs < staleClaimMs) throw new DeskError('store.busy');
  const aside = `${path}.${process.pid}-${stale.ino}`;
  try {
    renameSync(path, aside);
    // Another process may have taken it over since the check: then the moved file is that process's new claim.
    const moved = statSync(aside);
    if (moved.ino !== stale.ino || moved.mtimeMs !== stale.mtimeMs) {
      linkSync(aside, path);
      throw new DeskError('store.busy');
    }
    closeSync(openSync(path, 'wx', 0o600));
  } catch (thrown) {
    const { code } = thrown as { code?: string };
    if (code === 'ENOENT' || code === 'EEXIST') throw new DeskError('store.busy');
    throw toDeskError(thrown);
  } finally {
    rmSync(aside, { force: true });
  }
}
