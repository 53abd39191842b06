import {
  compareReviewedValues,
  type ReviewedChange,
  type ReviewedValues,
} from '../../../contract/reviewed-values.ts';
import type { ComparedClaim } from '../store/record/claim-reviews.ts';
import type { ReviewedClaim } from '../store/record/reviewed-claims.ts';
import type { Store } from '../store/threads/store.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { KeptClaim } from '../store/user-data/kept-values.ts';
import type { ReopenedClaim } from '../store/user-data/reviews.ts';
import { responsibilityChange } from './change-size.ts';
import { ageOf, findOlder } from './record-age.ts';
import { makeReopeningId } from './reopening-id.ts';

/** The number of claims that are compared at once. */
const atOnce = 2_000;

const isMaterial = ({ effect }: ReviewedChange): boolean => effect === 'reopen';

const parse = (text: string | null | undefined): ReviewedValues | null =>
  text == null ? null : (JSON.parse(text) as ReviewedValues);

/**
 * The values stored with the review of a claim, and the record that they were last compared with if it is another one.
 */
interface KeptReview {
  readonly since: string;
  readonly base: KeptClaim;
  readonly last: KeptClaim | null;
}

function judge(
  { claimId, reviewed, digest }: ReviewedClaim,
  kept: KeptReview | undefined,
): { readonly compared: ComparedClaim } | { readonly reopened: ReopenedClaim } {
  const now = JSON.parse(reviewed) as ReviewedValues;
  const lastKept = kept?.last ?? kept?.base;
  const [base, last] = [parse(kept?.base.reviewed), parse(lastKept?.reviewed)];
  if (
    kept === undefined ||
    base === null ||
    last === null ||
    !compareReviewedValues(last, now).some(isMaterial)
  )
    return { compared: { claimId, digest, olderAt: null } };
  const here = ageOf(now, null);
  // The review on another computer saw a newer record than the one here, so this difference is no change since the
  // review.
  if (findOlder(here, ageOf(last, lastKept?.receipt ?? null)) !== null)
    return { compared: { claimId, digest, olderAt: here.readAt ?? '' } };
  const { since } = kept;
  const changed = compareReviewedValues(base, now)
    .filter(isMaterial)
    .map(({ name }) => name);
  const detail = { since, changed, responsibility: responsibilityChange(base, now) };
  return { reopened: { id: makeReopeningId({ claimId, since, digest }), claimId, reviewed, digest, detail } };
}

/**
 * Compares every claim whose record changed since its review with the values stored with the review, and appends
 * `reopened` where a relevant value differs and the record here is the newer one. Each claim stores what it was
 * compared with, so that after a killed process the rest is compared. True where anything was compared.
 *
 * @throws DeskError `store.*`, `disk.*`
 */
export async function reopenReviews(wanted: {
  readonly workspaceId: string;
  readonly store: Store;
  readonly userData: UserDataStore;
  /** Appends one event for each of these claims; resolves with the IDs of events that existed already. */
  readonly reopen: (claims: readonly ReopenedClaim[]) => Promise<ReadonlySet<string>>;
}): Promise<boolean> {
  const { workspaceId, store, userData } = wanted;
  const uncompared = await store.read('findUncompared', null);
  for (let at = 0; at < uncompared.length; at += atOnce) {
    const claimIds = uncompared.slice(at, at + atOnce);
    const [current, kept] = await Promise.all([
      store.read('readReviewedClaims', { claimIds }),
      userData.call('readCompared', { workspaceId, claimIds }),
    ]);
    const keptOf = new Map(kept.map((one) => [one.claimId, one]));
    const judged = current.map((claim) => judge(claim, keptOf.get(claim.claimId)));
    const reopened = judged.flatMap((one) => ('reopened' in one ? [one.reopened] : []));
    const known = reopened.length === 0 ? new Set() : await wanted.reopen(reopened);
    const compared = judged.flatMap((one) => {
      if ('compared' in one) return [one.compared];
      const { id, claimId, digest } = one.reopened;
      return known.has(id) ? [{ claimId, digest, olderAt: null }] : [];
    });
    if (compared.length > 0) await store.write('writeComparisons', compared);
  }
  return uncompared.length > 0;
}
