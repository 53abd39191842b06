import { DeskError } from '../../lib/errors.ts';

/** A list that is being made or waits in the queue. */
export interface QueuedList<T> {
  /** Rejects with `snapshot.expired` after `drop`. */
  readonly made: Promise<T>;
  /** The list is no longer needed: if it has not been started, it will not be. */
  drop(): void;
}

/**
 * Makes lists one after the other. While a person types, every letter opens a list; lists that are closed before they
 * are started are skipped.
 */
export function createListQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    add<T>(make: () => Promise<T>): QueuedList<T> {
      let isWanted = true;
      const { promise: dropped, reject } = Promise.withResolvers<never>();
      const turn = last.then(() => (isWanted ? make() : Promise.reject(new DeskError('snapshot.expired'))));
      last = turn.catch(() => undefined);
      const made = Promise.race([turn, dropped]);
      // A failure is reported to the calls that await the list, and to nothing else.
      made.catch(() => undefined);
      return {
        made,
        drop() {
          isWanted = false;
          reject(new DeskError('snapshot.expired'));
        },
      };
    },
  };
}

export type ListQueue = ReturnType<typeof createListQueue>;
