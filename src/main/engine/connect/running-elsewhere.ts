import { createSerialQueue } from '../../lib/serial-queue.ts';
import type { StoredConnection } from './connect-file.ts';
import type { Connections } from './connections.ts';
import type { WatchedValidation } from './validation-entry.ts';
import type { Validations } from './validations.ts';

/** Validations begun elsewhere that are watched at once: each holds a stream open. */
export const maxWatched = 4;
/** Connections asked in one go whether their validation still runs. */
const maxReads = 10;

/**
 * Which watch is left for another one: the oldest that asks nobody anything, else the oldest. null: another
 * one fits. Those whose login was submitted here are not counted and never left.
 */
export function chooseToLeave(watched: readonly WatchedValidation[]): number | null {
  const elsewhere = watched.filter(({ isStartedHere, outcome }) => !isStartedHere && outcome === null);
  if (elsewhere.length < maxWatched) return null;
  const leaving = elsewhere.find(({ isAsking }) => !isAsking) ?? elsewhere[0];
  return leaving?.policyHolderId ?? null;
}

/** Whether a validation that the service says is running is another one than what is known here of its connection. */
export function isNews(known: WatchedValidation | undefined, taskId: string | null): boolean {
  if (known === undefined) return true;
  return known.outcome !== null && taskId !== null && known.taskId !== taskId;
}

/**
 * Finds the validations that run although their login was not submitted here: in the portal, say, or on another
 * computer. The carrier's question to the member is then answered from this window like any other.
 */
export function createRunningElsewhere(ports: {
  readonly connections: Connections;
  readonly validations: Validations;
  /** A connection is another one than it was known to be. */
  readonly onRead: (policyHolderId: number) => void;
}) {
  const { connections, validations } = ports;
  const inTurn = createSerialQueue();

  /** Asks the connection itself: what a list said of it may be long over. */
  const watchIfRunning = async (policyHolderId: number): Promise<void> => {
    const watched = await validations.listWatched();
    const known = watched.find((one) => one.policyHolderId === policyHolderId);
    if (known !== undefined && known.outcome === null) return;
    const before = await connections.find(policyHolderId);
    const read = await connections.readWithTask(policyHolderId);
    if (!isSame(before, await connections.find(policyHolderId))) ports.onRead(policyHolderId);
    if (!read.view.isRunning || !isNews(known, read.taskId)) return;
    const leaving = chooseToLeave(watched);
    if (leaving !== null) await validations.leave(leaving);
    await validations.watchElsewhere(read);
  };

  return {
    /**
     * Watches what runs: the connection on the screen first, then as many as fit of those that were
     * running when they were last read. One that cannot be asked now is left for the next time.
     * @returns the connections whose validations are watched now
     */
    watch: (onScreenId: number | null): Promise<number[]> =>
      inTurn(async () => {
        // What was submitted here before the engine last ended is no news.
        await validations.list();
        if (onScreenId !== null) await watchIfRunning(onScreenId).catch(() => undefined);
        const before = await validations.listWatched();
        // One that was watched for long enough goes on only when a person asks for it.
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

const isSame = (a: StoredConnection, b: StoredConnection): boolean =>
  JSON.stringify({ ...a, readAt: '' }) === JSON.stringify({ ...b, readAt: '' });
