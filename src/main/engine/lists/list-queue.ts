import { DeskError } from '../../lib/errors.ts';
import type { SerialQueue } from '../../lib/serial-queue.ts';

/** A list that is being made or waits in the queue. */
export interface QueuedList<T> {
  /** Rejects with `snapshot.expired` after `drop`. */
  readonly made: Promise<T>;
  /** The list is no longer needed: if it has not been started, it will not be. */
  drop(): void;
}

/**
 * Makes a list once those before it in the queue are made. While the user types, every letter opens a list; lists that
 * are closed before they are started are skipped.
 */
export function queueList<T>(queue: SerialQueue, make: () => Promise<T>): QueuedList<T> {
  let isWanted = true;
  const { promise: dropped, reject } = Promise.withResolvers<never>();
  const expired = new DeskError('snapshot.expired');
  const turn = queue(() => (isWanted ? make() : Promise.reject(expired)));
  const made = Promise.race([turn, dropped]);
  // A failure is reported to the calls that await the list, and to nothing else.
  made.catch(() => undefined);
  return {
    made,
    drop() {
      isWanted = false;
      reject(expired);
    },
  };
}
