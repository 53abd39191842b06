import { createSerialQueue } from '../../lib/serial-queue.ts';
import type { StoredConnection } from './connect-file.ts';
import type { Connections } from './connections.ts';
import type { WatchedValidation } from './validation-entry.ts';
import type { Validations } from './validations.ts';

/** Limit for watched validations that were started elsewhere: each keeps a stream open. */
export const maxWatched = 4;
/** Limit for connections that are read in one go to see whether their validation still runs. */
const maxReads = 10;

/**
 * Which watch to end in favor of another: the oldest that asks nobody anything, else the oldest. null: there is
 * capacity. Validations whose login was submitted here are not counted and never ended.
 */
export function chooseToLeave(watched: readonly WatchedValidation[]): number | null {
  const elsewhere = watched.filter(({ isStartedHere, outcome }) => !isStartedHere && outcome === null);
  if (elsewhere.length < maxWatched) return null;
  const leaving = elsewhere.find(({ isAsking }) => !isAsking) ?? elsewhere[0];
  return leaving?.policyHolderId ?? null;
}

/** Whether a running validation is another one than the one known here for its connection. */
export function isNews(known: WatchedValidation | undefined, taskId: string | null): boolean {
  if (known === undefined) return true;
  return known.outcome !== null && taskId !== null && known.taskId !== taskId;
}

/**
 * Finds running validations whose login was not submitted here but, for example, in the portal or on another
 * computer. The carrier's question to the member can then be answered here as well.
 */
export function createRunningElsewhere(ports: {
  readonly connections: Connections;
  readonly validations: Validations;
  /** Called when a connection turned out to have changed. */
  readonly onRead: (policyHolderId: number) => void;
}) {
  const { connections, validations } = ports;
  const inTurn = createSerialQueue();

  /** Reads the connection itself, since the entry in a list may be outdated. */
  const watchIfRunning = async (policyHolderId: number): Promise<void> => {
    const watched = await validations.listWatched();
    const known = watched.find((one) => one.policyHolderId === policyHolderId);
    if (known !== undefined && known.outcome === null) return;
    const before = await connections.find(policyHolderId);
    const read = await connections.readWithTask(policyHolderId);
    if (!isUnchanged(before, await connections.find(policyHolderId))) ports.onRead(policyHolderId);
    if (!read.view.isRunning || !isNews(known, read.taskId)) return;
    const leaving = chooseToLeave(watched);
    if (leaving !== null) await validations.leave(leaving);
    await validations.watchElsewhere(read);
  };

  return {
    /**
     * Watches running validations: that of the connection on the screen first, then as many as the limit allows of
     * those that were running when last read. One that cannot be read now is tried the next time.
     * @returns the connections whose validations are watched now
     */
    watch: (onScreenId: number | null): Promise<number[]> =>
      inTurn(async () => {
        // Includes those that were submitted here before the engine last ended.
        await validations.list();
        if (onScreenId !== null) await watchIfRunning(onScreenId).catch(() => undefined);
        const before = await validations.listWatched();
        // One that was watched to its limit continues only when a person requests it.
        const known = new Set(
          before.flatMap(({ policyHolderId, outcome }) =>
            outcome === null || outcome === 'unknown' ? [policyHolderId] : [],
          ),
        );
        const running = (await connections.list()).filter(
          ({ isRunning, policyHolderId }) => isRunning && !known.has(policyHolderId),
        );
        for (const { policyHolderId } of running.slice(0, maxReads)) {
          if (chooseToLeave(await validations.listWatched()) !== null) break;
          await watchIfRunning(policyHolderId).catch(() => undefined);
        }
        const watched = await validations.listWatched();
        return watched.flatMap(({ policyHolderId, outcome }) => (outcome === null ? [policyHolderId] : []));
      }),
  };
}

/** Whether two reads of a connection found the same. */
const isUnchanged = (a: StoredConnection, b: StoredConnection): boolean =>
  JSON.stringify({ ...a, readAt: '' }) === JSON.stringify({ ...b, readAt: '' });
