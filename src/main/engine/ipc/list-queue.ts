import { DeskError } from '../../lib/errors.ts';

/** A list that is being made, or waits for its turn. */
export interface QueuedList<T> {
  /** Fails with `snapshot.expired` once it is dropped. */
  readonly made: Promise<T>;
  /** Nobody wants it any more: it is not begun if it has not been, and nobody waits for it. */
  drop(): void;
}

/** A list that was made with its first rows. */
export const madeAlready = <T>(list: T): QueuedList<T> => ({ made: Promise.resolve(list), drop() {} });

/**
 * Lists are made whole one after the other. Someone who types begins a list with every letter: those that are
 * closed again before their turn are never made, and keep no other from being made.
 */
export function createListQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** `prepare` is waited for before the list takes its turn; it may ask whether the list is still wanted. */
    add<T>(
      make: () => Promise<T>,
      prepare: (isWanted: () => boolean) => Promise<void> = async () => undefined,
    ): QueuedList<T> {
      let isWanted = true;
      const { promise: dropped, reject } = Promise.withResolvers<never>();
      const takeTurn = async (): Promise<T> => {
        await prepare(() => isWanted);
        const before = last;
        const turn = before.then(() =>
          isWanted ? make() : Promise.reject(new DeskError('snapshot.expired')),
        );
        last = turn.catch(() => undefined);
        return turn;
      };
      const made = Promise.race([takeTurn(), dropped]);
      // Whoever waits for it is told of a failure; where nobody does, nothing happened.
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
