import {
  compareReviewedValues,
  type ReviewedChange,
  type ReviewedValues,
} from '../../../contract/reviewed-values.ts';
import type { Store } from '../store/threads/store.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import type { ActedClaim } from '../store/user-data/reviews.ts';

/** Claims that are compared at once, and in one event. */
const atOnce = 500;

const parse = (text: string): ReviewedValues => JSON.parse(text) as ReviewedValues;
const isMaterial = ({ effect }: ReviewedChange): boolean => effect === 'reopen';

/** By how much patient responsibility differs, in ten-thousandths of a dollar; null where either is unknown. */
function responsibilityChange(before: ReviewedValues, after: ReviewedValues): number | null {
  const [from, to] = [before, after].map(({ fields }) => fields.patient_responsibility);
  return typeof from === 'number' && typeof to === 'number'
    ? Math.round(to * 10_000) - Math.round(from * 10_000)
    : null;
}

/**
 * Compares every claim whose record changed since its review with the values that were kept, and appends `reopened` for
 * those in which something material differs. What is left to compare is marked with each claim, so that a process that
 * was killed after a sync continues here. True where anything was compared.
 *
 * @throws DeskError `store.*`, `disk.*`
 */
export async function reopenReviews(wanted: {
  readonly workspaceId: string;
  readonly store: Store;
  readonly userData: UserDataStore;
  /** Appends one event of these claims. */
  readonly reopen: (claims: readonly ActedClaim[]) => Promise<void>;
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
    const reopened: ActedClaim[] = [];
    const unchanged: { claimId: number; digest: string }[] = [];
    for (const { claimId, reviewed, digest } of current) {
      const before = keptOf.get(claimId);
      const now = parse(reviewed);
      if (before === undefined || !compareReviewedValues(parse(before.compared), now).some(isMaterial)) {
        unchanged.push({ claimId, digest });
        continue;
      }
      const base = parse(before.reviewed);
      const changed = compareReviewedValues(base, now)
        .filter(isMaterial)
        .map(({ name }) => name);
      reopened.push({
        claimId,
        reviewed,
        digest,
        detail: { since: before.since, changed, responsibility: responsibilityChange(base, now) },
      });
    }
    if (reopened.length > 0) await wanted.reopen(reopened);
    if (unchanged.length > 0) await store.write('writeReviewDigests', unchanged);
  }
  return uncompared.length > 0;
}
