import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findStop,
  isPassed,
  type PairsOfClaim,
} from '../../../../../src/main/engine/review/walk-duplicates.ts';

type Pair = PairsOfClaim['pairs'][number];

const pairOf = (a: number, b: number, more: Partial<Pair> = {}): Pair => ({
  left: Math.min(a, b),
  right: Math.max(a, b),
  kind: 'exact',
  payable: null,
  judged: null,
  markedId: null,
  isOpen: true,
  equalClaims: null,
  isMutual: true,
  ...more,
});
const judged = { isOpen: false, judged: { isDuplicate: false, eventId: 'e' } };

const readOf = (pairs: readonly Pair[]) => (claimIds: readonly number[]) =>
  Promise.resolve(
    claimIds.map((claimId) => ({
      claimId,
      pairs: pairs.filter(({ left, right }) => left === claimId || right === claimId),
    })),
  );

async function walk(
  keys: Float64Array,
  pairs: readonly Pair[],
  { step = 1, isOpen = false }: { step?: 1 | -1; isOpen?: boolean } = {},
): Promise<number[]> {
  const stops: number[] = [];
  for (let at = step === 1 ? 0 : keys.length - 1; at >= 0; ) {
    const stop = await findStop({ keys, at, step, isOpen }, readOf(pairs));
    if (stop === null) break;
    stops.push(stop.claimId);
    at = stop.at + step;
  }
  return stops;
}

describe('a walk through a list of claims with duplicates', () => {
  const keys = Float64Array.from([5, 1, 9, 2, 7, 3]);

  it('stops once for each pair, at the claim that comes first, and in the other direction too', async () => {
    const pairs = [pairOf(1, 2), pairOf(5, 3), pairOf(9, 7)];
    expect(await walk(keys, pairs)).toEqual([5, 1, 9]);
    expect(await walk(keys, pairs, { step: -1 })).toEqual([9, 1, 5]);
  });

  it('with three claims that are one, stops at the first and at the second', async () => {
    expect(await walk(keys, [pairOf(1, 2), pairOf(1, 3), pairOf(2, 3)])).toEqual([1, 2]);
  });

  it('stops at a pair whose other claim is not in the list', async () => {
    expect(await walk(keys, [pairOf(2, 77)])).toEqual([2]);
  });

  it('stops at every claim of a group that is not among those of the claim next to it', async () => {
    const pairs = [pairOf(5, 1), ...[9, 2, 7].map((id) => pairOf(5, id, { isMutual: false }))];
    expect(await walk(keys, pairs)).toEqual([5, 9, 2, 7]);
  });

  it('returns to judged pairs, and after a judgment continues with those that wait', async () => {
    const pairs = [pairOf(5, 3, judged), pairOf(1, 2), pairOf(9, 7, { isOpen: false, markedId: 9 })];
    expect(await walk(keys, pairs)).toEqual([5, 1]);
    expect(await walk(keys, pairs, { isOpen: true })).toEqual([1]);
  });

  it('over any pairs, each is met once, in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { minLength: 2, maxLength: 160 }),
        fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 60 }),
        async (ids, places) => {
          const list = Float64Array.from(ids);
          const pairs = places.flatMap(([a, b]) => {
            const [left, right] = [ids[a % ids.length] ?? 0, ids[b % ids.length] ?? 0];
            return left === right ? [] : [pairOf(left, right)];
          });
          const stops = await walk(list, pairs);
          const met = stops.flatMap((claimId) =>
            pairs.filter(
              (pair) =>
                (pair.left === claimId || pair.right === claimId) &&
                !isPassed(list, list.indexOf(claimId), claimId, pair),
            ),
          );
          expect(met.length).toBe(pairs.length);
          expect(new Set(met).size).toBe(pairs.length);
          expect((await walk(list, pairs, { step: -1 })).toReversed()).toEqual(stops);
        },
      ),
    );
  });
});
