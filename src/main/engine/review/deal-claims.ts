import type { ClaimGroup, ReviewFact } from '../../../contract/review.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/reviews.ts';
import type { EventWriter } from './append-event.ts';
import type { Freezer } from './freeze-claims.ts';
import { chooseGroups, type Selection } from './selections.ts';
import type { Settling } from './settle-reviews.ts';

/** The claims of a selection with their owners: each person gets every nth one. `shares` counts what each got. */
async function* withOwners(
  { claimIds }: Selection,
  parts: AsyncIterable<readonly ActedClaim[]>,
  owners: readonly string[],
  shares: number[],
): AsyncGenerator<readonly ActedClaim[]> {
  // The parts have the claims in the order of the selection, without some.
  let place = 0;
  for await (const part of parts) {
    yield part.map(({ claimId }) => {
      while (place < claimIds.length && claimIds[place] !== claimId) place += 1;
      const share = place % owners.length;
      shares[share] = (shares[share] as number) + 1;
      // An owner needs none of the values that a decision keeps.
      return { claimId, reviewed: null, digest: null, detail: { owner: owners[share] as string } };
    });
  }
}

/**
 * Distributes claims to people in equal parts, as one act. Each gets every nth one, so that all get as many from the top
 * of the list, and the same selection is always distributed in the same way.
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
    const shares = owners.map(() => 0);
    const parts = withOwners(selection, readSelected(selection, leftOut), owners, shares);
    const fact: ReviewFact = { kind: 'deal', owners: [...owners] };
    const done = await append(workspaceId, { fact, parts, filter: selection.filter });
    if (done !== null) await settle(workspaceId, { claims: done.told, reopens: false });
    selections.remove(selectionId);
    const dealt = owners.map((owner, at) => ({ owner, claims: shares[at] as number }));
    return { eventId: done?.eventId ?? null, dealt: dealt.filter(({ claims }) => claims > 0), leftOut };
  };
