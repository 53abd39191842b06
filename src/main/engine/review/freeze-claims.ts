import { isAcceptable } from '../../../rules/review/reviewed-values.ts';
import { DeskError } from '../../lib/errors.ts';
import { packDigest, type ReviewedClaim } from '../store/record/reviewed-claims.ts';
import type { ClaimReader } from './read-claims.ts';
import type { ReviewPorts } from './review-ports.ts';
import { createSelections, type Selection, totalsByGroup } from './selections.ts';
import type { ReviewUpdater } from './update-reviews.ts';

const noEvent = { seq: 0, id: '' };

/** Makes selections: claims with their state at the time when an act on them was requested. */
export function createFreezer(
  ports: ReviewPorts,
  { readParts, freezeClaims }: ClaimReader,
  { updateOnce }: ReviewUpdater,
) {
  const selections = createSelections<Selection>();

  const findEnd = async (workspaceId: string) => {
    const userData = await ports.getUserData(workspaceId);
    if (!userData.isThere()) return noEvent;
    return (await userData.call('readReviewEnd', null)) ?? noEvent;
  };

  const freeze = async (workspaceId: string, claimIds: Float64Array, filter: string | null) => {
    const end = await findEnd(workspaceId);
    const frozen = await freezeClaims(workspaceId, claimIds);
    const { sums: _sums, ...claims } = frozen;
    const selectionId = selections.add({ workspaceId, ...claims, end, filter });
    return { selectionId, claims: claims.claimIds.length, groups: totalsByGroup(frozen) };
  };

  /** The claims that were reviewed since a selection was made. */
  const findReviewed = async ({ workspaceId, end }: Selection): Promise<ReadonlySet<number>> => {
    const userData = await ports.getUserData(workspaceId);
    const since = userData.isThere()
      ? await userData.call('findReviewedAfter', { workspaceId, ...end })
      : null;
    return new Set(since?.claimIds ?? []);
  };

  /** The claims that changed since their review, unless a value that affects money changed. */
  const findAcceptable = async (workspaceId: string): Promise<ReadonlySet<number>> => {
    const changed = await (await ports.getStore(workspaceId)).read('listChangedReviews', null);
    const acceptable = changed.filter((claim) => isAcceptable(claim.changed.map((name) => ({ name }))));
    return new Set(acceptable.map(({ claimId }) => claimId));
  };

  /** Finds the same claims as `readSelected`, for acts without values: only their IDs, in the selection's order. */
  const findSelected = async (selection: Selection, leftOut: number[]): Promise<Float64Array> => {
    const { workspaceId, claimIds, marks } = selection;
    const reviewed = await findReviewed(selection);
    const now = await freezeClaims(workspaceId, claimIds);
    let at = 0;
    return claimIds.filter((claimId, place) => {
      const mark = now.claimIds[at] === claimId ? now.marks[at++] : undefined;
      const isUnchanged = mark === marks[place] && !reviewed.has(claimId);
      if (!isUnchanged) leftOut.push(claimId);
      return isUnchanged;
    });
  };

  /** The claims of a selection that have not changed since it was made; `leftOut` receives the IDs of changed ones. */
  async function* readSelected(selection: Selection, leftOut: number[]): AsyncGenerator<ReviewedClaim[]> {
    const { workspaceId, claimIds, marks } = selection;
    const reviewed = await findReviewed(selection);
    for await (const { ids, first, found } of readParts(workspaceId, claimIds)) {
      const marked = new Map(ids.map((id, index) => [id, marks[first + index]]));
      const unchanged = found.filter(
        ({ claimId, digest }) => marked.get(claimId) === packDigest(digest) && !reviewed.has(claimId),
      );
      for (const { claimId } of unchanged) marked.delete(claimId);
      leftOut.push(...marked.keys());
      yield unchanged;
    }
  }

  return {
    selections,
    findSelected,
    readSelected,
    /**
     * Selects the claims of a list, or of ranges of positions in it; with `onlyAcceptable`, those of them that changed
     * since their review, unless a value that affects money changed.
     * @throws DeskError `snapshot.expired`, `usage.invalid` for a list that is not of claims
     */
    async freezeList(
      workspaceId: string,
      snapshotId: string,
      places: readonly [number, number][] | null,
      onlyAcceptable = false,
    ) {
      const { query, keys, shown } = await ports.readSnapshot(workspaceId, snapshotId);
      if (query.entity !== 'claims') throw new DeskError('usage.invalid');
      // Reads the review state from the rows of the list, so these are updated first.
      await updateOnce(workspaceId);
      const { sort: _sort, ...filter } = query;
      const ranges = places ?? [[0, keys.length - 1] as const];
      const from = places === null ? keys : shown;
      const claimIds = new Float64Array(ranges.reduce((count, [first, last]) => count + last - first + 1, 0));
      let at = 0;
      for (const [first, last] of ranges) {
        const part = from.subarray(first, last + 1);
        claimIds.set(part, at);
        at += part.length;
      }
      const ofList = claimIds.subarray(0, at);
      const acceptable = onlyAcceptable ? await findAcceptable(workspaceId) : null;
      const selected = acceptable === null ? ofList : ofList.filter((id) => acceptable.has(id));
      return freeze(workspaceId, selected, JSON.stringify(filter));
    },
  };
}

export type Freezer = ReturnType<typeof createFreezer>;
