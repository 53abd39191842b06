import { closeSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { DeskError, toDeskError } from '../../../lib/errors.ts';

/** Whoever claimed the repair this long ago was killed. */
const staleClaimMs = 120_000;

/**
 * Several processes may find the damage at once; one of them repairs.
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
 * Takes a claim over from a process that was killed. Several may find it stale at once: who moves it away under a name
 * of its own is the one, and makes a new claim exclusively.
 * @throws DeskError `store.busy`
 */
function takeOverStaleClaim(path: string): void {
  const stale = statSync(path, { throwIfNoEntry: false });
  if (stale === undefined || Date.now() - stale.mtimeMs < staleClaimMs) throw new DeskError('store.busy');
  const aside = `${path}.${process.pid}-${stale.ino}`;
  try {
    renameSync(path, aside);
    // Another process may have taken it over between the look and the move: then what was moved is its new claim.
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
