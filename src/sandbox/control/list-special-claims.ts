import { claimId } from '../data/ids.ts';
import type { World } from '../data/world.ts';

type SpecialClaims = {
  readonly seed: number;
  readonly claims: readonly {
    readonly kind: string;
    readonly claim_id: number;
    /** The claim that this one repeats. */
    readonly original_id?: number;
    /** When the claim changes, by the data's clock. */
    readonly changes_at?: string;
  }[];
};

/** The special claims of a seed, in the order of their IDs. */
export function listSpecialClaims(world: World): SpecialClaims {
  const claims = [...world.specialClaims]
    .sort(([a], [b]) => a - b)
    .map(([index, entry]) => ({
      kind: entry.kind,
      claim_id: claimId(index),
      ...(entry.copyOf === undefined ? {} : { original_id: claimId(entry.copyOf) }),
      ...(entry.changesAtMs === undefined ? {} : { changes_at: new Date(entry.changesAtMs).toISOString() }),
    }));
  return { seed: world.options.seed, claims };
}
