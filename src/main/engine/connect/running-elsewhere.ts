import { isSameJson } from '../../../rules/review/same-value.ts';
import type { StoredConnection } from './connect-file.ts';
import { findConnection, listConnections, readConnection } from './connections.ts';
import type { WatchedValidation } from './validation-entry.ts';
import { leaveValidation, listValidations, listWatched, watchElsewhere } from './validations.ts';
import type { WorkspaceConnect } from './workspace-connect.ts';

/** Limit for watched validations that were started elsewhere: each keeps a stream open. */
export const maxWatched = 4;
/** Limit for connections that are read at once to find out whether their validation still runs. */
const maxReads = 10;

/**
 * Chooses which watch to end in favor of another: the oldest whose carrier asks nothing, else the oldest; null below
 * the limit. Validations whose login was submitted here are not counted and never ended.
 */
export function chooseToLeave(watched: readonly WatchedValidation[]): number | null {
  const elsewhere = watched.filter(({ isStartedHere, outcome }) => !isStartedHere && outcome === null);
  if (elsewhere.length < maxWatched) return null;
  const leaving = elsewhere.find(({ isAsking }) => !isAsking) ?? elsewhere[0];
  return leaving?.policyHolderId ?? null;
}

/** Returns whether a running validation differs from the stored one of its connection. */
export function isNews(watched: WatchedValidation | undefined, taskId: string | null): boolean {
  if (watched === undefined) return true;
  return watched.outcome !== null && taskId !== null && watched.taskId !== taskId;
}

/** Reads the connection itself, since the entry in a list may be outdated. */
async function watchIfRunning(connect: WorkspaceConnect, policyHolderId: number): Promise<void> {
  const watched = await listWatched(connect);
  const validation = watched.find((entry) => entry.policyHolderId === policyHolderId);
  if (validation !== undefined && validation.outcome === null) return;
  const before = await findConnection(connect, policyHolderId);
  const read = await readConnection(connect, policyHolderId);
  if (!isUnchanged(before, await findConnection(connect, policyHolderId)))
    connect.emit('connections', policyHolderId);
  if (!read.connection.isRunning || !isNews(validation, read.taskId)) return;
  const leaving = chooseToLeave(watched);
  if (leaving !== null) await leaveValidation(connect, leaving);
  await watchElsewhere(connect, read);
}

/**
 * Watches running validations whose login was submitted elsewhere, for example in the portal, so that the carrier's
 * question can be answered here as well: first that of the connection on the screen, then, up to the limit, those that
 * were running when last read. A connection that cannot be read is tried again the next time.
 *
 * @returns the connections whose validations are watched now
 */
export const watchRunning = (connect: WorkspaceConnect, onScreenId: number | null): Promise<number[]> =>
  connect.lookQueue(async () => {
    // This includes validations that were submitted here before the engine last ended.
    await listValidations(connect);
    if (onScreenId !== null) await watchIfRunning(connect, onScreenId).catch(() => undefined);
    const before = await listWatched(connect);
    // A validation that was watched up to its limit continues only when the user requests it.
    const watchedIds = new Set(
      before
        .filter(({ outcome }) => outcome === null || outcome === 'unknown')
        .map(({ policyHolderId }) => policyHolderId),
    );
    const running = (await listConnections(connect)).filter(
      ({ isRunning, policyHolderId }) => isRunning && !watchedIds.has(policyHolderId),
    );
    for (const { policyHolderId } of running.slice(0, maxReads)) {
      if (chooseToLeave(await listWatched(connect)) !== null) break;
      await watchIfRunning(connect, policyHolderId).catch(() => undefined);
    }
    const watched = await listWatched(connect);
    return watched.filter(({ outcome }) => outcome === null).map(({ policyHolderId }) => policyHolderId);
  });

const isUnchanged = (a: StoredConnection, b: StoredConnection): boolean =>
  isSameJson({ ...a, readAt: '' }, { ...b, readAt: '' });
