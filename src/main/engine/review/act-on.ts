import type { ReviewFact } from '../../../contract/review.ts';
import type { ActedClaim } from '../store/user-data/reviews.ts';
import type { EventWriter } from './append-event.ts';
import type { Settling } from './settle-reviews.ts';

/** Appends one event of these claims and brings lists up to it. No event where there are none. */
export const createActOn =
  ({ append }: EventWriter, { settle }: Settling) =>
  async (
    workspaceId: string,
    parts: AsyncIterable<readonly ActedClaim[]>,
    wanted: { fact: ReviewFact; filter?: string | null; undoes?: string },
  ): Promise<{ eventId: string | null; claims: number }> => {
    const done = await append(workspaceId, { ...wanted, parts });
    if (done === null) return { eventId: null, claims: 0 };
    const { told, ...event } = done;
    // What counts again after an undoing may be older than the last sync.
    await settle(workspaceId, { claims: told, reopens: wanted.undoes !== undefined });
    return event;
  };

export type ActOn = ReturnType<typeof createActOn>;
