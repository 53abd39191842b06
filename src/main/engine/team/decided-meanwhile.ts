import { findAct } from '../../../rules/review/event-kinds.ts';
import type { ReviewEntry } from '../store/user-data/write-event.ts';

/** The most claims that are stored. */
const maxClaims = 200_000;

/** Keeps track of which claims other computers decided, and when that was read here. */
export function createDecidedMeanwhile(now: () => number) {
  const decidedAt = new Map<number, number>();
  return {
    add(events: readonly Pick<ReviewEntry, 'kind' | 'claims'>[]): void {
      for (const { kind, claims } of events) {
        if (findAct(kind)?.finishes === undefined) continue;
        if (decidedAt.size + claims.length > maxClaims) decidedAt.clear();
        for (const [claimId] of claims.slice(0, maxClaims)) decidedAt.set(claimId, now());
      }
    },
    /** Whether another computer decided it since a time by this computer's clock. */
    isSince: (claimId: number, sinceMs: number): boolean => (decidedAt.get(claimId) ?? 0) >= sinceMs,
  };
}

export type DecidedMeanwhile = ReturnType<typeof createDecidedMeanwhile>;
