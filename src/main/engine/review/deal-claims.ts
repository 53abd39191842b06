import type { ParsedInput } from '../../../contract/procedures.ts';
import type { ReviewFact } from '../../../rules/review/event-kinds.ts';
import { DeskError } from '../../lib/errors.ts';
import type { ActedClaim } from '../store/user-data/reviews.ts';
import type { EventWriter } from './append-event.ts';
import type { Freezer } from './freeze-claims.ts';
import { idsAtOnce } from './read-claims.ts';
import { chooseGroups } from './selections.ts';
import type { Settling } from './settle-reviews.ts';

/** The claims of an act with their owners. An owner needs none of the values that a decision keeps. */
async function* withOwners(
  claimIds: Float64Array,
  ownerOf: (claimId: number) => string,
): AsyncGenerator<readonly ActedClaim[]> {
  for (let at = 0; at < claimIds.length; at += idsAtOnce)
    yield Array.from(claimIds.subarray(at, at + idsAtOnce), (claimId) => ({
      claimId,
      reviewed: null,
      digest: null,
      detail: { owner: ownerOf(claimId) },
    }));
}

/**
 * Distributes claims to people in equal parts, as one act. Each gets every nth one, so that all get as many from the top
 * of the list, and the same selection is always distributed in the same way.
 */
export const createDealer =
  ({ append }: EventWriter, { settle }: Settling, { selections, findSelected }: Freezer) =>
  /** @throws DeskError `review.noSelection`, `usage.invalid` where a person is named twice, `profile.busy`, `store.*` */
  async ({ workspaceId, selectionId, groups, owners }: ParsedInput<'reviews:deal'>) => {
    if (new Set(owners).size < owners.length) throw new DeskError('usage.invalid');
    const selection = chooseGroups(selections.get(workspaceId, selectionId), groups);
    const leftOut: number[] = [];
    const claimIds = await findSelected(selection, leftOut);
    const shares = owners.map(() => 0);
    // Claims that are left out change nobody else's part.
    let place = 0;
    const parts = withOwners(claimIds, (claimId) => {
      while (selection.claimIds[place] !== claimId) place += 1;
      const share = place % owners.length;
      shares[share] = (shares[share] as number) + 1;
      return owners[share] as string;
    });
    const fact: ReviewFact = { kind: 'deal', owners: [...owners] };
    const done = await append(workspaceId, { fact, parts, filter: selection.filter });
    if (done !== null) await settle(workspaceId, { claims: done.told, reopens: false });
    selections.remove(selectionId);
    const dealt = owners.map((owner, at) => ({ owner, claims: shares[at] as number }));
    return { eventId: done?.eventId ?? null, dealt: dealt.filter(({ claims }) => claims > 0), leftOut };
  };
