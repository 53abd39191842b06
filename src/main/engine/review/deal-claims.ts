import type { ClaimGroup } from '../../../contract/review.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/reviews.ts';
import type { EventWriter } from './append-event.ts';
import type { Freezer } from './freeze-claims.ts';
import { chooseGroups, type Selection } from './selections.ts';
import type { Settling } from './settle-reviews.ts';

/** Every nth claim of a selection, from this one on. */
function everyNth(selection: Selection, n: number, from: number): Selection {
  const { claimIds, marks, groups } = selection;
  const isKept = (_value: number, at: number): boolean => at % n === from;
  return {
    ...selection,
    claimIds: claimIds.filter(isKept),
    marks: marks.filter(isKept),
    groups: groups.filter(isKept),
  };
}

/** An owner needs none of the values that a decision keeps. */
async function* withoutValues(
  parts: AsyncIterable<readonly ActedClaim[]>,
): AsyncGenerator<readonly ActedClaim[]> {
  for await (const part of parts)
    yield part.map(({ claimId }) => ({ claimId, reviewed: null, digest: null }));
}

/**
 * Distributes claims to people in equal parts. Each gets every nth one, so that all get as many from the top of the
 * list, and the same selection is always distributed in the same way.
 */
export const createDealer =
  ({ append }: EventWriter, { settle }: Settling, { selections, readSelected }: Freezer) =>
  /** @throws DeskError `review.noSelection`, `usage.invalid` where a person is named twice, `profile.busy`, `store.*` */
  async (
    workspaceId: string,
    wanted: {
      readonly selectionId: string;
      readonly groups?: readonly ClaimGroup[] | undefined;
      readonly owners: readonly string[];
    },
  ) => {
    const { selectionId, groups, owners } = wanted;
    if (new Set(owners).size < owners.length) throw new DeskError('usage.invalid');
    const selection = chooseGroups(selections.get(workspaceId, selectionId), groups);
    const leftOut: number[] = [];
    const dealt: { owner: string; eventId: string; claims: number }[] = [];
    try {
      for (const [index, owner] of owners.entries()) {
        const share = everyNth(selection, owners.length, index);
        const parts = withoutValues(readSelected(share, leftOut));
        const fact = { kind: 'owner', owner } as const;
        const done = await append(workspaceId, { fact, parts, filter: selection.filter });
        if (done !== null) dealt.push({ owner, eventId: done.eventId, claims: done.claims });
      }
    } finally {
      if (dealt.length > 0) await settle(workspaceId, { reopens: false });
    }
    selections.remove(selectionId);
    return { dealt, leftOut };
  };
