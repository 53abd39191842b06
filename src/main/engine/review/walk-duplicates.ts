import type { StoredPair } from '../store/worklists/duplicate-pairs.ts';

/** The number of rows that are read together; the next pair is usually among the first of them. */
const atOnce = 50;

export interface PairsOfClaim {
  readonly claimId: number;
  readonly pairs: readonly StoredPair[];
}

type Keys = Float64Array | Uint32Array;

/** Whether the other claim of a pair comes earlier in the list, where the same pair was shown. */
export function isPassed(
  keys: Keys,
  at: number,
  claimId: number,
  { left, right, isMutual }: Pick<StoredPair, 'left' | 'right' | 'isMutual'>,
): boolean {
  return isMutual && keys.subarray(0, at).includes(left === claimId ? right : left);
}

/**
 * Finds the nearest row of a list, from `at` in the direction of `step`, whose claim has a pair that was not shown
 * earlier. With `isOpen`, decided pairs do not count. Null: there is none.
 */
export async function findStop(
  options: { readonly keys: Keys; readonly at: number; readonly step: 1 | -1; readonly isOpen: boolean },
  readPairs: (claimIds: readonly number[]) => Promise<readonly PairsOfClaim[]>,
): Promise<{ claimId: number; at: number } | null> {
  const { keys, step, isOpen } = options;
  for (let from = options.at; from >= 0 && from < keys.length; from += step * atOnce) {
    const places = Array.from({ length: atOnce }, (_none, index) => from + index * step).filter(
      (place) => place >= 0 && place < keys.length,
    );
    const pairsByClaim = new Map(
      (await readPairs(places.map((place) => keys[place] as number))).map((entry) => [
        entry.claimId,
        entry.pairs,
      ]),
    );
    for (const at of places) {
      const claimId = keys[at] as number;
      const isStop = pairsByClaim
        .get(claimId)
        ?.some(
          (pair) => (pair.isOpen || (!isOpen && pair.judged !== null)) && !isPassed(keys, at, claimId, pair),
        );
      if (isStop) return { claimId, at };
    }
  }
  return null;
}
