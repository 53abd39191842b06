import { type ColumnSum, emptySum, joinSums } from '../store/record/exact-sums.ts';
import type { FrozenClaims } from '../store/record/reviewed-claims.ts';
import type { ReviewPorts } from './review-ports.ts';

/**
 * Claims and events that are read at once: few enough that other calls are answered in between and the next part can
 * be read ahead.
 */
export const readAtOnce = 2_500;
const readsAtOnce = 3;
/** The number for small items: IDs and marks. */
export const idsAtOnce = 20_000;

/** Reads claims in parts, so that an act on any number of claims needs memory for only a few thousand. */
export function createClaimReader(ports: ReviewPorts) {
  /** Reads claims with the values that a review stores, a few thousand at once; `found` lacks missing claims. */
  const readParts = async function* (workspaceId: string, claimIds: Float64Array) {
    const store = await ports.getStore(workspaceId);
    const read = async (first: number) => {
      const ids = Array.from(claimIds.subarray(first, first + readAtOnce));
      return { ids, first, found: await store.read('readReviewedClaims', { claimIds: ids }) };
    };
    const running: ReturnType<typeof read>[] = [];
    try {
      for (let at = 0; at < claimIds.length; at += readAtOnce) {
        for (let next = at + running.length * readAtOnce; next < claimIds.length; next += readAtOnce) {
          if (running.length >= readsAtOnce) break;
          running.push(read(next));
        }
        yield await (running.shift() as ReturnType<typeof read>);
      }
    } finally {
      for (const left of running) left.catch(() => undefined);
    }
  };

  const freezeClaims = async (workspaceId: string, claimIds: Float64Array): Promise<FrozenClaims> => {
    const store = await ports.getStore(workspaceId);
    const ids = new Float64Array(claimIds.length);
    const marks = new Float64Array(claimIds.length);
    const groups = new Uint8Array(claimIds.length);
    const sums: ColumnSum[][] = [];
    let count = 0;
    for (let at = 0; at < claimIds.length; at += idsAtOnce) {
      const part = await store.read('freezeClaims', { claimIds: claimIds.slice(at, at + idsAtOnce) });
      ids.set(part.claimIds, count);
      marks.set(part.marks, count);
      groups.set(part.groups, count);
      count += part.claimIds.length;
      for (const [group, ofPart] of part.sums.entries()) {
        const before = sums[group] ?? [];
        sums[group] = ofPart.map((sum, at) => joinSums(before[at] ?? emptySum(), sum));
      }
    }
    return {
      claimIds: ids.subarray(0, count),
      marks: marks.subarray(0, count),
      groups: groups.subarray(0, count),
      sums,
    };
  };

  return { readParts, freezeClaims };
}

export type ClaimReader = ReturnType<typeof createClaimReader>;
