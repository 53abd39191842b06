import { claimId } from '../data/ids.ts';
import type { World } from '../data/world.ts';

export type PlantedTruth = {
  readonly seed: number;
  readonly planted: readonly {
    readonly kind: string;
    readonly claim_id: number;
    /** The claim that this one repeats. */
    readonly original_id?: number;
    /** When, by the data's clock, the planted change happens. */
    readonly changes_at?: string;
  }[];
};

/** The planted cases of a seed, in the order of their claims' IDs. */
export function plantedTruth(world: World): PlantedTruth {
  const planted = [...world.planted]
    .sort(([a], [b]) => a - b)
    .map(([index, entry]) => ({
      kind: entry.kind,
      claim_id: claimId(index),
      ...(entry.copyOf === undefined ? {} : { original_id: claimId(entry.copyOf) }),
      ...(entry.changesAtMs === undefined ? {} : { changes_at: new Date(entry.changesAtMs).toISOString() }),
    }));
  return { seed: world.options.seed, planted };
}
